import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decideSpeedUp } from './decide-speed-up.ts';
import { dustLimit, feeFor, relayPolicy } from './relay-policy.ts';
import type { Coin } from './select-coins.ts';

const KEY_HASH = Uint8Array.of(0, 20, ...new Uint8Array(20));
const BITCOIN = relayPolicy('BTC:NATIVE');

function output(vout: number, units: bigint): Coin {
  return { transaction: 'aa', vout, units, kind: 'p2wpkh', confirmations: 0 };
}

const orderOf = (outputs: readonly Coin[], feeUnits: bigint) => ({
  ...{ outputs, parents: { feeUnits, virtualSize: 200 }, changeScript: KEY_HASH, replaced: [] },
  ...{ feeRate: 10_000n, policy: BITCOIN },
});

test('the child pays what its parent lacks, and its own size', () => {
  assert.deepEqual(decideSpeedUp(orderOf([output(0, 50_000n)], 200n)), {
    inputs: [output(0, 50_000n)],
    feeUnits: 2_900n,
    changeUnits: 47_100n,
    virtualSize: 110,
  });
});

test('refused: one that pays the rate already, and an output that is not worth it', () => {
  const enough = decideSpeedUp(orderOf([output(0, 50_000n)], 2_000n));
  assert.deepEqual(enough, { refused: 'fast-enough' });
  const little = decideSpeedUp(orderOf([output(0, 3_193n)], 200n));
  assert.deepEqual(little, { refused: 'too-little', missingUnits: 1n });
  assert('inputs' in decideSpeedUp(orderOf([output(0, 3_194n)], 200n)));
});

test('a child in the place of another one pays for it and on top, as BIP-125 asks', () => {
  const order = orderOf([output(0, 50_000n)], 200n);
  const replacing = (feeUnits: bigint, virtualSize: number) =>
    decideSpeedUp({ ...order, replaced: [{ feeUnits, virtualSize }] });
  // The first one at a lower rate: 2,900 are wanted, and more than it offered with its size.
  assert.deepEqual(replacing(1_500n, 110), decideSpeedUp(order));
  const dear = replacing(2_850n, 110);
  assert(!('refused' in dear));
  assert.equal(dear.feeUnits, 2_850n + 110n);
  assert.deepEqual(replacing(2_900n, 110), { refused: 'fast-enough' });
  assert.deepEqual(replacing(2_900n, 109), { refused: 'fast-enough' });
  // With what hangs from it, it offered more, at a lower rate.
  const withMore = replacing(4_000n, 300);
  assert(!('refused' in withMore));
  assert.equal(withMore.feeUnits, 4_000n + 110n);
  const two = [1_500n, 1_600n].map((feeUnits) => ({ feeUnits, virtualSize: 110 }));
  const both = decideSpeedUp({ ...order, replaced: two });
  assert(!('refused' in both));
  assert.equal(both.feeUnits, 3_100n + 110n);
});

test('together they reach the rate and not a unit more, nothing is lost, dust never', () => {
  let made = 0;
  const values = fc.array(fc.bigInt({ min: 1n, max: 10_000_000n }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      values,
      fc.integer({ min: 80, max: 50_000 }),
      fc.bigInt({ min: 0n, max: 200_000n }),
      fc.bigInt({ min: 100n, max: 300_000n }),
      fc.constantFrom(BITCOIN, relayPolicy('LTC:NATIVE')),
      (units, virtualSize, feeUnits, feeRate, policy) => {
        const outputs = units.map((each, at) => output(at, each));
        const parents = { feeUnits, virtualSize };
        const order = { outputs, parents, changeScript: KEY_HASH, feeRate, policy, replaced: [] };
        const chosen = decideSpeedUp(order);
        if ('refused' in chosen) return;
        made += 1;
        assert.deepEqual(chosen.inputs, outputs);
        const spent = units.reduce((sum, each) => sum + each, 0n);
        assert.equal(spent, chosen.feeUnits + chosen.changeUnits);
        assert(chosen.changeUnits >= dustLimit(KEY_HASH, policy));
        const alone = feeFor(chosen.virtualSize, feeRate);
        const together = feeFor(virtualSize + chosen.virtualSize, feeRate);
        assert(chosen.feeUnits >= alone);
        assert(chosen.feeUnits === alone || chosen.feeUnits + feeUnits === together);
        assert(chosen.feeUnits + feeUnits >= together);
      },
    ),
  );
  assert(made > 5);
});
