import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BoundedFeeRate, boundFeeRate } from './bound-fee-rate.ts';

const bounds = { leastRate: 1000n, mostRate: 50_000n };

const TABLE: readonly [
  what: string,
  estimate: bigint | undefined,
  least: bigint,
  expected: BoundedFeeRate,
][] = [
  ['within both', 7000n, 1000n, { rate: 7000n, bound: 'none' }],
  ['exactly the least', 1000n, 1000n, { rate: 1000n, bound: 'none' }],
  ['exactly the most', 50_000n, 1000n, { rate: 50_000n, bound: 'none' }],
  ['below what is relayed', 300n, 1000n, { rate: 1000n, bound: 'least' }],
  ['zero, or below', 0n, 1000n, { rate: 1000n, bound: 'least' }],
  ['above what the operator pays', 900_000n, 1000n, { rate: 50_000n, bound: 'most' }],
  ['where both are one', 7000n, 50_000n, { rate: 50_000n, bound: 'least' }],
  ['no estimate', undefined, 1000n, { refused: 'no-estimate' }],
  [
    'a full mempool that asks more than the operator pays',
    7000n,
    50_001n,
    { refused: 'above-most' },
  ],
  ['the same without an estimate', undefined, 50_001n, { refused: 'above-most' }],
];

for (const [what, estimate, leastRate, expected] of TABLE) {
  test(`an estimated rate: ${what}`, () => {
    assert.deepEqual(boundFeeRate(estimate, { ...bounds, leastRate }), expected);
  });
}
