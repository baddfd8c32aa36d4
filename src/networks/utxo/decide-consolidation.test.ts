import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  type Consolidation,
  type ConsolidationRefusal,
  decideConsolidation,
} from './decide-consolidation.ts';
import { dustLimit, feeFor, relayPolicy } from './relay-policy.ts';
import type { Coin } from './select-coins.ts';
import {
  inputWeight,
  MOST_WEIGHT,
  NO_INPUTS,
  transactionWeight,
  virtualSize,
  withInput,
} from './transaction-size.ts';

const KEY_HASH = Uint8Array.of(0, 20, ...new Uint8Array(20));
const TAPROOT = Uint8Array.of(0x51, 32, ...new Uint8Array(32));
const POLICIES = [relayPolicy('BTC:NATIVE'), relayPolicy('LTC:NATIVE')];

function coin(at: number, units: bigint, more: Partial<Coin> = {}): Coin {
  const transaction = at.toString(16).padStart(64, '0');
  return { transaction, vout: 0, units, kind: 'p2wpkh', confirmations: 6, ...more };
}

function orderOf(coins: readonly Coin[], more: Partial<Consolidation<Coin>> = {}) {
  return {
    ...{ coins, most: 100, belowUnits: undefined, changeScript: KEY_HASH, feeRate: 1000n },
    policy: relayPolicy('BTC:NATIVE'),
    ...more,
  };
}

test('the smallest that are worth it become one, and the fee is that of the size', () => {
  const coins = [coin(3, 90_000n), coin(2, 5_000n), coin(1, 4_000n), coin(0, 60n)];
  assert.deepEqual(decideConsolidation(orderOf(coins, { most: 2 })), {
    inputs: [coin(1, 4_000n), coin(2, 5_000n)],
    feeUnits: 178n,
    changeUnits: 8_822n,
    virtualSize: 178,
  });
});

const REFUSED: readonly [string, Partial<Consolidation<Coin>>, ConsolidationRefusal][] = [
  ['nothing there', { coins: [] }, { refused: 'too-few', worthIt: 0, found: 0 }],
  ['one alone', { coins: [coin(0, 9_000n)] }, { refused: 'too-few', worthIt: 1, found: 1 }],
  [
    'not confirmed',
    { coins: [coin(0, 9_000n), coin(1, 9_000n, { confirmations: 0 })] },
    { refused: 'too-few', worthIt: 1, found: 1 },
  ],
  [
    'none below',
    { coins: [coin(0, 9_000n), coin(1, 9_000n)], belowUnits: 9_000n },
    { refused: 'too-few', worthIt: 0, found: 0 },
  ],
  [
    'each costs more than it brings',
    { coins: [coin(0, 68n), coin(1, 68n), coin(2, 68n)] },
    { refused: 'too-few', worthIt: 0, found: 3 },
  ],
  [
    'what is left is dust',
    { coins: [coin(0, 200n), coin(1, 200n)] },
    { refused: 'dust', leastUnits: 294n },
  ],
];
for (const [what, more, expected] of REFUSED) {
  test(`refused: ${what}`, () => {
    assert.deepEqual(decideConsolidation(orderOf([], more)), expected);
  });
}

const someCoins = fc
  .array(
    fc.record({
      units: fc.bigInt({ min: 1n, max: 200_000n }),
      kind: fc.constantFrom('p2wpkh' as const, 'p2tr' as const),
      confirmations: fc.constantFrom(0, 1, 6),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map(({ units, ...more }, at) => coin(at, units, more)));

test('inputs are fee and change to the unit, no coin is lost, dust never, in any order', () => {
  let made = 0;
  fc.assert(
    fc.property(
      someCoins,
      fc.constantFrom(...POLICIES),
      fc.constantFrom(KEY_HASH, TAPROOT),
      fc.bigInt({ min: 100n, max: 200_000n }),
      fc.integer({ min: 2, max: 40 }),
      fc.option(fc.bigInt({ min: 1n, max: 200_000n }), { nil: undefined }),
      (coins, policy, changeScript, feeRate, most, belowUnits) => {
        const order = { coins, policy, changeScript, feeRate, most, belowUnits };
        const chosen = decideConsolidation(order);
        const reversed = decideConsolidation({ ...order, coins: coins.toReversed() });
        assert.deepEqual(reversed, chosen);
        if ('refused' in chosen) return;
        made += 1;
        const { inputs, feeUnits, changeUnits } = chosen;
        assert(inputs.length >= 2 && inputs.length <= most);
        assert.equal(new Set(inputs).size, inputs.length);
        const spent = inputs.reduce((sum, { units }) => sum + units, 0n);
        assert.equal(spent, feeUnits + changeUnits);
        const tally = inputs.map(({ kind }) => kind).reduce(withInput, NO_INPUTS);
        const weight = transactionWeight(tally, [changeScript.length]);
        assert(weight <= MOST_WEIGHT);
        assert.equal(chosen.virtualSize, virtualSize(weight));
        assert.equal(feeUnits, feeFor(virtualSize(weight), feeRate));
        assert(changeUnits >= dustLimit(changeScript, policy));
        for (const { units, confirmations, kind } of inputs) {
          assert(confirmations > 0 && (belowUnits === undefined || units < belowUnits));
          assert(4000n * units > feeRate * BigInt(inputWeight(kind)));
        }
      },
    ),
  );
  assert(made > 5);
});

test('three thousand coins stay within what nodes relay', () => {
  const coins = Array.from({ length: 3_000 }, (_, at) => coin(at, 10_000n));
  const chosen = decideConsolidation(orderOf(coins, { most: 3_000 }));
  assert('inputs' in chosen && chosen.virtualSize <= 100_000);
  assert(chosen.inputs.length > 1_400);
});
