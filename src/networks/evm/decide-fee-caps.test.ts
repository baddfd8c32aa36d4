import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideFeeCaps, decideReplacementCaps } from './decide-fee-caps.ts';

const GWEI = 10n ** 9n;
const bounds = {
  leastPriorityFeePerGas: GWEI / 10n,
  mostPriorityFeePerGas: 5n * GWEI,
  mostFeePerGas: 100n * GWEI,
};
const caps = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({
  maxFeePerGas,
  maxPriorityFeePerGas,
});

for (const [what, baseFeePerGas, tips, expected] of [
  ['twice the base fee and the median tip', 10n, [3n, 1n, 2n], caps(22n, 2n)],
  ['the lower one of two medians', 10n, [1n, 2n, 3n, 4n], caps(22n, 2n)],
  ['the most tip where all give more', 10n, [50n, 60n, 70n], caps(25n, 5n)],
  ['no more than is allowed', 60n, [2n], caps(100n, 2n)],
] as const) {
  test(`the caps are ${what}`, () => {
    const seen = { baseFeePerGas: baseFeePerGas * GWEI, tips: tips.map((tip) => tip * GWEI) };
    const wanted = caps(expected.maxFeePerGas * GWEI, expected.maxPriorityFeePerGas * GWEI);
    assert.deepEqual(decideFeeCaps(seen, bounds), wanted);
  });
}

test('the tip is the least one where nobody gave any', () => {
  const decided = decideFeeCaps({ baseFeePerGas: 10n * GWEI, tips: [] }, bounds);
  assert.deepEqual(decided, caps(20n * GWEI + GWEI / 10n, GWEI / 10n));
});

test('a payment waits while blocks cost more than is allowed', () => {
  const decided = decideFeeCaps({ baseFeePerGas: 99n * GWEI, tips: [2n * GWEI] }, bounds);
  assert.deepEqual(decided, {
    tooDear:
      'being included takes up to 101000000000 wei for each gas; allowed are 100000000000, of which ' +
      '5000000000 as a tip',
  });
});

const wei = fc.bigInt({ min: 0n, max: 200n * GWEI });

test('whatever is decided can be included now, is within bounds, and replaces what it should', () => {
  fc.assert(
    fc.property(wei, fc.array(wei, { maxLength: 9 }), wei, wei, (baseFeePerGas, tips, fee, tip) => {
      const seen = { baseFeePerGas, tips };
      const replaced = caps(fee, tip < fee ? tip : fee);
      const next = decideReplacementCaps(replaced, seen, bounds);
      for (const decided of [decideFeeCaps(seen, bounds), next]) {
        if ('tooDear' in decided) continue;
        assert(decided.maxFeePerGas <= bounds.mostFeePerGas);
        assert(decided.maxPriorityFeePerGas <= bounds.mostPriorityFeePerGas);
        assert(decided.maxPriorityFeePerGas >= bounds.leastPriorityFeePerGas);
        assert(decided.maxFeePerGas >= baseFeePerGas + decided.maxPriorityFeePerGas);
      }
      if ('tooDear' in next) return;
      for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
        assert(next[name] > replaced[name]);
        assert(next[name] * 10n >= replaced[name] * 11n, `${name}: a tenth more`);
      }
    }),
  );
});

test('a replacement that would cost more than is allowed is not made', () => {
  const seen = { baseFeePerGas: GWEI, tips: [GWEI] };
  assert('tooDear' in decideReplacementCaps(caps(95n * GWEI, GWEI), seen, bounds));
  assert('tooDear' in decideReplacementCaps(caps(50n * GWEI, 5n * GWEI), seen, bounds));
});
