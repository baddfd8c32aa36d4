import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brakeReason } from './chain-policy.ts';

const start = Temporal.Instant.from('2026-04-01T00:00:00Z');
const every = (seconds: number, blocks: number) =>
  Array.from({ length: blocks }, (_, index) => start.add({ seconds: seconds * index }));

test('the brake is on when the last six intervals average more than three times the target', () => {
  // Litecoin in April 2026: a block every 13.5 minutes instead of every 2.5.
  assert.match(brakeReason('live:LITECOIN', every(810, 7), 150) ?? '', /took 4860 s/);
  assert.equal(brakeReason('live:LITECOIN', every(450, 7), 150), undefined);
  assert.notEqual(brakeReason('live:LITECOIN', every(451, 7), 150), undefined);
});

test('only the last six intervals count, and six are needed', () => {
  const slow = every(1000, 5);
  const end = slow.at(-1) ?? start;
  const then = Array.from({ length: 7 }, (_, index) => end.add({ seconds: 150 * (index + 1) }));
  assert.equal(brakeReason('live:LITECOIN', [...slow, ...then], 150), undefined);
  assert.equal(brakeReason('live:LITECOIN', every(5000, 6), 150), undefined);
});

test('test chains and chains without a rhythm are never braked', () => {
  assert.equal(brakeReason('test:LITECOIN', every(5000, 7), 150), undefined);
  assert.equal(brakeReason('live:LIGHTNING', every(5000, 7), undefined), undefined);
});
