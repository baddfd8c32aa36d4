import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '#test/support/manual-clock.ts';
import { AssertionFailure } from './assert.ts';
import { systemClock } from './clock.ts';

const start = '2030-01-01T00:00:00Z';

test('manual time moves only when told and wakes sleepers in order of time', async () => {
  const clock = manualClock(start);
  const woken: string[] = [];
  const late = clock.sleep(2000).then(() => woken.push('late'));
  const early = clock.sleep(1000).then(() => woken.push('early'));
  await clock.advance(999);
  assert.deepEqual(woken, []);
  await clock.advance(Temporal.Duration.from({ seconds: 2 }));
  await Promise.all([late, early]);
  assert.deepEqual(woken, ['early', 'late']);
  assert.equal(clock.now().toString(), '2030-01-01T00:00:02.999Z');
  assert.equal(clock.monotonicMs(), 2999);
});

test('one advance spans the sleeps that follow each other within it', async () => {
  const clock = manualClock(start);
  const seen: string[] = [];
  const sleeping = (async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await clock.sleep(1000);
      seen.push(clock.now().toString());
    }
  })();
  await clock.advance(10_000);
  await sleeping;
  assert.deepEqual(seen, ['2030-01-01T00:00:01Z', '2030-01-01T00:00:02Z', '2030-01-01T00:00:03Z']);
});

for (const [name, clock] of [
  ['system', systemClock],
  ['manual', manualClock(start)],
] as const) {
  test(`an aborted sleep of the ${name} clock rejects with the reason of the abort`, async () => {
    const controller = new AbortController();
    const reason = new Error('shutting down');
    const sleep = clock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await assert.rejects(sleep, (error) => error === reason);
    await assert.rejects(clock.sleep(1, controller.signal), (error) => error === reason);
  });

  test(`the ${name} clock refuses to sleep longer than an hour`, async () => {
    await assert.rejects(clock.sleep(3_600_001), AssertionFailure);
    await assert.rejects(clock.sleep(-1), AssertionFailure);
    await assert.rejects(clock.sleep(Number.NaN), AssertionFailure);
  });
}

test('the system clock has no part of a millisecond, so that the database keeps it whole', () => {
  assert.equal(systemClock.now().epochNanoseconds % 1_000_000n, 0n);
});
