import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideHigherFee } from './decide-higher-fee.ts';
import { dustLimit, feeFor, relayPolicy } from './relay-policy.ts';
import type { Coin } from './select-coins.ts';

const policy = relayPolicy('BTC:NATIVE');
const changeScript = new Uint8Array(22);
const coin = (units: bigint, vout = 0): Coin => {
  return { transaction: 'ab'.repeat(32), vout, units, kind: 'p2wpkh', confirmations: 1 };
};
const coins = [coin(50_000n), coin(60_000n, 1)];
/** Of two inputs and one output. */
const SIZE = 178;

function decided(rate: bigint, replaced = { feeUnits: 356n, virtualSize: SIZE }, some = coins) {
  return decideHigherFee({ coins: some, replaced, changeScript, feeRate: rate * 1_000n, policy });
}

test('the same coins come back with the fee of the rate', () => {
  const chosen = decided(20n);
  assert(!('refused' in chosen));
  assert.equal(chosen.virtualSize, SIZE);
  assert.equal(chosen.feeUnits, feeFor(SIZE, 20_000n));
  assert.equal(chosen.changeUnits, 110_000n - chosen.feeUnits);
  assert.deepEqual(chosen.inputs, coins);
});

test('what pays the rate already, or more for its size, is left alone', () => {
  assert.deepEqual(decided(2n), { refused: 'fast-enough' });
  assert.deepEqual(decided(1n), { refused: 'fast-enough' });
  assert.deepEqual(decided(20n, { feeUnits: 10_000n, virtualSize: 200 }), {
    refused: 'fast-enough',
  });
});

test('what hangs from it is paid for, too, as nodes ask of a replacement', () => {
  const withChild = { feeUnits: 4_000n, virtualSize: 2_000 };
  const chosen = decided(3n, withChild);
  assert(!('refused' in chosen));
  assert.equal(chosen.feeUnits, 4_000n + feeFor(SIZE, policy.incrementalRate));
});

test('coins that do not pay it leave no dust behind', () => {
  const small = [coin(1_000n), coin(1_000n, 1)];
  const refused = decided(11n, undefined, small);
  assert('refused' in refused && refused.refused === 'too-little');
  assert.equal(
    refused.missingUnits,
    dustLimit(changeScript, policy) + feeFor(SIZE, 11_000n) - 2_000n,
  );
});

test('whatever waits, inputs are fee and change, and it pays more than what it replaces', () => {
  const units = fc.bigInt({ min: 600n, max: 10n ** 9n });
  fc.assert(
    fc.property(
      fc.array(units, { minLength: 1, maxLength: 40 }),
      fc.bigInt({ min: 1n, max: 500n }),
      fc.bigInt({ min: 1n, max: 10n ** 6n }),
      fc.integer({ min: 100, max: 100_000 }),
      (amounts, rate, feeUnits, virtualSize) => {
        const some = amounts.map((one, at) => coin(one, at));
        const chosen = decided(rate, { feeUnits, virtualSize }, some);
        if ('refused' in chosen) return;
        const sum = amounts.reduce((total, one) => total + one, 0n);
        assert.equal(chosen.feeUnits + chosen.changeUnits, sum);
        assert(chosen.feeUnits >= feeUnits + feeFor(chosen.virtualSize, policy.incrementalRate));
        assert(chosen.feeUnits >= feeFor(chosen.virtualSize, rate * 1_000n));
        assert(chosen.changeUnits >= dustLimit(changeScript, policy));
      },
    ),
  );
});
