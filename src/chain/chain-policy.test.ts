import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSlowBlocks } from './chain-policy.ts';

const start = Temporal.Instant.from('2026-04-01T00:00:00Z');
const every = (seconds: number, blocks: number) =>
  Array.from({ length: blocks }, (_, index) => start.add({ seconds: seconds * index }));

test('the brake is on when the last six intervals average more than three times the target', () => {
  // Litecoin in April 2026: a block every 13.5 minutes instead of every 2.5.
  const [cause] = findSlowBlocks('live:LITECOIN', every(810, 7), 150);
  assert.match(cause?.reason ?? '', /took 4860 s/);
  assert.deepEqual(findSlowBlocks('live:LITECOIN', every(450, 7), 150), []);
  assert.equal(findSlowBlocks('live:LITECOIN', every(451, 7), 150).length, 1);
});

test('slow blocks are worse with each whole multiple of the usual time', () => {
  const degreeOf = (seconds: number) =>
    findSlowBlocks('live:LITECOIN', every(seconds, 7), 150)[0]?.degree;
  assert.deepEqual([451, 599, 600, 749, 750].map(degreeOf), [3, 3, 4, 4, 5]);
});

test('only the last six intervals count, and six are needed', () => {
  const slow = every(1000, 5);
  const end = slow.at(-1) ?? start;
  const then = Array.from({ length: 7 }, (_, index) => end.add({ seconds: 150 * (index + 1) }));
  assert.deepEqual(findSlowBlocks('live:LITECOIN', [...slow, ...then], 150), []);
  assert.deepEqual(findSlowBlocks('live:LITECOIN', every(5000, 6), 150), []);
});

test('test chains and chains without a rhythm are never braked', () => {
  assert.deepEqual(findSlowBlocks('test:LITECOIN', every(5000, 7), 150), []);
  assert.deepEqual(findSlowBlocks('live:LIGHTNING', every(5000, 7), undefined), []);
});
