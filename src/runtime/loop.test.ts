import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLog } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { createWake, type LoopOptions, startLoop } from './loop.ts';

type Outcome = 'idle' | 'busy';

/** A loop whose step answers from the list and then is idle for ever; notes when it ran. */
function openLoop(outcomes: (Outcome | Error)[], options: Partial<LoopOptions> = {}) {
  const clock = manualClock('2030-01-01T00:00:00Z');
  const startedAtMs: number[] = [];
  const lines: Record<string, unknown>[] = [];
  const loop = startLoop({
    name: 'sweep',
    idleMs: 1000,
    clock,
    log: jsonLog((line) => lines.push(JSON.parse(line)), 'debug', clock),
    backoffMs: { first: 100, most: 400 },
    step: async () => {
      startedAtMs.push(clock.monotonicMs());
      const outcome = outcomes.shift() ?? 'idle';
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    ...options,
  });
  return { clock, startedAtMs, lines, loop };
}

async function untilAsleep(clock: ManualClock): Promise<void> {
  while (clock.sleepers() === 0) await new Promise((resolve) => setImmediate(resolve));
}

test('a busy step is followed at once by the next, an idle one after the pause', async () => {
  const { clock, startedAtMs, loop } = openLoop(['busy', 'busy', 'idle', 'idle']);
  await untilAsleep(clock);
  assert.deepEqual(startedAtMs, [0, 0, 0]);
  await clock.advance(999);
  assert.equal(startedAtMs.length, 3);
  await clock.advance(1);
  assert.deepEqual(startedAtMs, [0, 0, 0, 1000]);
  await loop.stop();
});

test('a step that throws is tried again after pauses that double up to the most', async () => {
  const failures = Array.from({ length: 5 }, (_, turn) => new Error(`failure ${turn}`));
  const { clock, startedAtMs, lines, loop } = openLoop(failures);
  await clock.advance(1900);
  assert.deepEqual(startedAtMs, [0, 100, 300, 700, 1100, 1500]);
  const health = loop.health();
  assert.equal(health.consecutiveFailures, 0);
  assert.equal(health.lastError, 'failure 4');
  assert.equal(health.lastOkAt?.toString(), '2030-01-01T00:00:01.5Z');
  assert.equal(health.steps, 6);
  assert.deepEqual(
    lines.map((line) => [line.level, line.loop, line.consecutiveFailures]),
    [1, 2, 3, 4, 5].map((count) => ['error', 'sweep', count]),
  );
  await loop.stop();
});

test('an outage is a warning without a stack and its time to wait is kept', async () => {
  const outage = new Outage('database', { cause: new Error('refused'), retryAfterSeconds: 2 });
  const { clock, startedAtMs, lines, loop } = openLoop([outage]);
  await clock.advance(1999);
  assert.deepEqual(startedAtMs, [0]);
  assert.equal(loop.health().consecutiveFailures, 1);
  await clock.advance(1);
  assert.deepEqual(startedAtMs, [0, 2000]);
  assert.equal(lines[0]?.level, 'warn');
  assert.equal(lines[0]?.reason, 'database: refused');
  assert.doesNotMatch(JSON.stringify(lines), /stack/);
  await loop.stop();
});

test('a step that throws before it returns a promise does not end the loop', async () => {
  let steps = 0;
  const { clock, loop } = openLoop([], {
    step: () => {
      steps += 1;
      if (steps === 1) throw new Error('not even a promise');
      return Promise.resolve('idle');
    },
  });
  await clock.advance(100);
  assert.equal(steps, 2);
  await loop.stop();
});

test('a wake cuts the idle pause short, also one that came while the step ran', async () => {
  const wake = createWake();
  const { clock, startedAtMs, loop } = openLoop([], { wake });
  await untilAsleep(clock);
  wake.wake();
  wake.wake();
  await clock.advance(0);
  assert.deepEqual(startedAtMs, [0, 0]);
  await loop.stop();

  let steps = 0;
  const second = openLoop([], {
    wake,
    step: async () => {
      steps += 1;
      if (steps === 1) wake.wake();
      return 'idle';
    },
  });
  await untilAsleep(second.clock);
  assert.equal(steps, 2);
  await second.loop.stop();
});

test('a wake does not shorten the pause after a failure', async () => {
  const wake = createWake();
  const { clock, startedAtMs, loop } = openLoop([new Error('no')], { wake });
  await untilAsleep(clock);
  wake.wake();
  await clock.advance(99);
  assert.deepEqual(startedAtMs, [0]);
  await clock.advance(1);
  assert.equal(startedAtMs[1], 100);
  await loop.stop();
});

test('stop aborts the running step, waits for its end and no step follows', async () => {
  const finishing = Promise.withResolvers<void>();
  const started = Promise.withResolvers<AbortSignal>();
  let steps = 0;
  const { loop, lines } = openLoop([], {
    step: async (signal) => {
      steps += 1;
      started.resolve(signal);
      await finishing.promise;
      signal.throwIfAborted();
      return 'busy';
    },
  });
  const signal = await started.promise;
  let isStopped = false;
  const stopping = Promise.all([loop.stop(), loop.stop()]).then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(signal.aborted, true);
  assert.equal(isStopped, false);
  finishing.resolve();
  await stopping;
  assert.equal(steps, 1);
  assert.deepEqual(lines, []);
});

test('stop ends an idle pause and the pause after a failure', async () => {
  for (const outcomes of [[], [new Error('no')]]) {
    const { clock, loop } = openLoop(outcomes);
    await untilAsleep(clock);
    await loop.stop();
    assert.equal(clock.sleepers(), 0);
  }
});
