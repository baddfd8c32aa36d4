import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type CostMethod, costMovements, type HoldingChange } from './cost-basis.ts';

const METHODS: readonly CostMethod[] = ['fifo', 'average'];
const bought = (units: bigint, value: bigint | undefined): HoldingChange => {
  return { assetId: 'LTC:NATIVE', units, value, isDisposal: false };
};
const sold = (units: bigint, value: bigint | undefined): HoldingChange => {
  return { assetId: 'LTC:NATIVE', units: -units, value, isDisposal: true };
};

describe('what was paid for what is sold', () => {
  const story = [bought(10n, 100n), bought(10n, 300n), sold(15n, 450n), sold(5n, 150n)];

  test('by FIFO the oldest goes first', () => {
    const [, , first, last] = costMovements(story, 'fifo');
    assert.deepEqual(first, { cost: 250n, gain: 200n, unitsLeft: 5n, costLeft: 150n });
    assert.deepEqual(last, { cost: 150n, gain: 0n, unitsLeft: 0n, costLeft: 0n });
  });

  test('by average each unit costs the same', () => {
    const [, , first, last] = costMovements(story, 'average');
    assert.deepEqual(first, { cost: 300n, gain: 150n, unitsLeft: 5n, costLeft: 100n });
    assert.deepEqual(last, { cost: 100n, gain: 50n, unitsLeft: 0n, costLeft: 0n });
  });

  test('what leaves without being sold takes its cost along, and gains nothing', () => {
    const sent = { ...sold(10n, 500n), isDisposal: false };
    const [, , left] = costMovements([bought(10n, 100n), bought(10n, 300n), sent], 'fifo');
    assert.deepEqual(left, { cost: 100n, gain: undefined, unitsLeft: 10n, costLeft: 300n });
  });

  test('without a price at either end no gain is made up', () => {
    const [, unknownCost] = costMovements([bought(1n, undefined), sold(1n, 5n)], 'fifo');
    const [, unknownValue] = costMovements([bought(1n, 5n), sold(1n, undefined)], 'fifo');
    assert.deepEqual([unknownCost?.gain, unknownValue?.gain], [undefined, undefined]);
  });

  test('what went out before it came in is covered by what comes', () => {
    const [out, covered] = costMovements([sold(3n, 9n), bought(10n, 100n)], 'fifo');
    assert.deepEqual([out?.unitsLeft, out?.gain], [-3n, undefined]);
    assert.deepEqual(covered, { cost: 30n, gain: undefined, unitsLeft: 7n, costLeft: 70n });
  });

  const movement = fc.record({
    assetId: fc.constantFrom('LTC:NATIVE', 'BTC:NATIVE'),
    units: fc.bigInt({ min: -1000n, max: 1000n }),
    value: fc.option(fc.bigInt({ min: 0n, max: 100_000n }), { nil: undefined }),
    isDisposal: fc.boolean(),
  });

  for (const method of METHODS) {
    test(`by ${method}, what came in went out or is left: units and cost, to the unit`, () => {
      fc.assert(
        fc.property(fc.array(movement, { maxLength: 40 }), (movements) => {
          const costed = costMovements(movements, method);
          for (const assetId of ['LTC:NATIVE', 'BTC:NATIVE']) {
            const own = movements
              .map((one, index) => ({ ...one, costed: costed[index] }))
              .filter((one) => one.assetId === assetId);
            const last = own.at(-1)?.costed;
            const units = own.reduce((sum, one) => sum + one.units, 0n);
            const paid = own
              .filter((one) => one.units >= 0n)
              .reduce((sum, one) => sum + (one.value ?? 0n), 0n);
            const gone = own.reduce((sum, one) => sum + (one.costed?.cost ?? 0n), 0n);
            assert.equal(last?.unitsLeft ?? 0n, units);
            // What nothing is left of has no cost left, but where a coin was worth something of 0.
            assert.equal(paid, gone + (last?.costLeft ?? 0n) + lostOfNothing(own));
          }
        }),
        { numRuns: 500 },
      );
    });
  }

  test('both methods gain the same once everything is sold', () => {
    const lot = fc.tuple(fc.bigInt({ min: 1n, max: 1000n }), fc.bigInt({ min: 0n, max: 10_000n }));
    fc.assert(
      fc.property(fc.array(lot, { minLength: 1, maxLength: 10 }), fc.nat(10_000), (lots, price) => {
        const held = lots.reduce((sum, [units]) => sum + units, 0n);
        const movements = lots.map(([units, value]) => bought(units, value));
        const gains = METHODS.map(
          (method) => costMovements([...movements, sold(held, BigInt(price))], method).at(-1)?.gain,
        );
        assert.equal(gains[0], gains[1]);
      }),
    );
  });
});

/** Movements of no units carry no value into a holding. */
function lostOfNothing(own: readonly HoldingChange[]): bigint {
  return own
    .filter(({ units }) => units === 0n)
    .reduce((sum, { value }) => sum + (value ?? 0n), 0n);
}
