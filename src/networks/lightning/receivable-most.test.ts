import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { receivableMost, usableOf } from './receivable-most.ts';

function openMost(answer: () => Promise<readonly bigint[]>) {
  const clock = manualClock('2026-01-01T12:00:00Z');
  let asked = 0;
  const list = () => {
    asked += 1;
    return answer();
  };
  const most = receivableMost({ what: 'live:LIGHTNING', clock, list });
  return { clock, most, asked: () => asked };
}

test('the largest channel, or half of all together', () => {
  assert.equal(usableOf([]), 0n);
  assert.equal(usableOf([10n, 3n]), 10n);
  assert.equal(usableOf([10n, 10n, 10n]), 15n);
});

test('many who ask at once and soon after ask the node once', async () => {
  const { clock, most, asked } = openMost(async () => [7n]);
  assert.deepEqual(await Promise.all([most(), most(), most()]), [7n, 7n, 7n]);
  await clock.advance(5_000);
  assert.equal(await most(), 7n);
  assert.equal(asked(), 1);
});

test('what is not fresh is told once more while the node is asked again', async () => {
  let units = 7n;
  const { clock, most, asked } = openMost(async () => [units]);
  await most();
  units = 9n;
  await clock.advance(6_000);
  assert.equal(await most(), 7n);
  await clock.advance(0);
  assert.deepEqual([await most(), asked()], [9n, 2]);
});

test('what was known a minute ago is no longer believed', async () => {
  let isDown = false;
  const down = new Outage('live:LIGHTNING');
  const { clock, most } = openMost(async () => {
    if (isDown) throw down;
    return [7n];
  });
  await most();
  isDown = true;
  await clock.advance(61_000);
  await assert.rejects(most(), down);
});

test('a node that does not answer keeps nobody waiting, and is left alone for a while', async () => {
  const { clock, most, asked } = openMost(() => new Promise(() => undefined));
  const first = most();
  const refused = assert.rejects(first, /does not tell its channels within 2000 ms/);
  await clock.advance(2_000);
  await refused;
  await assert.rejects(most(), Outage);
  assert.equal(asked(), 1);
  await clock.advance(6_000);
  const second = assert.rejects(most(), Outage);
  await clock.advance(2_000);
  await second;
  assert.equal(asked(), 2);
});
