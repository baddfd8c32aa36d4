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
  ['the middle tip, in whatever order they come', 10n, [4n, 1n, 2n, 1n, 3n], caps(22n, 2n)],
  ['no more than is allowed', 60n, [2n], caps(100n, 2n)],
  ['all that is allowed where that is just enough', 98n, [2n], caps(100n, 2n)],
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

for (const [what, replaced, baseFeePerGas, tip, expected] of [
  ['a tenth more of both', caps(40n, 2n), 1n, 1n, caps(44n, 3n)],
  ['a tenth more, rounded up', caps(41n, 3n), 1n, 1n, caps(46n, 4n)],
  ['at least one more', caps(1n, 0n), 0n, 0n, caps(2n, 1n)],
  ['twice the base fee and the tip where that is more', caps(40n, 2n), 30n, 4n, caps(64n, 4n)],
  ['the most that is allowed', caps(40n, 2n), 60n, 4n, caps(100n, 4n)],
  ['what is needed where that is just allowed', caps(40n, 2n), 96n, 4n, caps(100n, 4n)],
  ['the dearest tip where that is allowed', caps(40n, 2n), 10n, 5n, caps(44n, 5n)],
] as const) {
  test(`a replacement offers ${what}`, () => {
    const most = { mostPriorityFeePerGas: 5n, mostFeePerGas: 100n };
    const few = { leastPriorityFeePerGas: 0n, ...most };
    assert.deepEqual(
      decideReplacementCaps(replaced, { baseFeePerGas, tips: [tip] }, few),
      expected,
    );
  });
}

test('a replacement that would cost more than is allowed is not made', () => {
  const seen = { baseFeePerGas: GWEI, tips: [GWEI] };
  assert('tooDear' in decideReplacementCaps(caps(95n * GWEI, GWEI), seen, bounds));
  assert('tooDear' in decideReplacementCaps(caps(50n * GWEI, 5n * GWEI), seen, bounds));
  const dear = { baseFeePerGas: 99n * GWEI, tips: [2n * GWEI] };
  assert.deepEqual(decideReplacementCaps(caps(GWEI, GWEI), dear, bounds), {
    tooDear:
      'being included takes up to 101000000000 wei for each gas; allowed are 100000000000, of which ' +
      '5000000000 as a tip',
  });
});
