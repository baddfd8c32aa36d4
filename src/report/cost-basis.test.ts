import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createHoldings, type HoldingChange } from './cost-basis.ts';
import { COST_METHODS, type CostMethod } from './report.ts';

type Change = Pick<HoldingChange, 'units' | 'value' | 'isDisposal'> & {
  readonly assetId?: string;
  /** Which one it takes back. */
  readonly undoes?: number;
};
type NamedChange = Change & { readonly assetId: string };
const bought = (units: bigint, value: bigint | undefined): Change => {
  return { units, value, isDisposal: false };
};
const sold = (units: bigint, value: bigint | undefined): Change => {
  return { units: -units, value, isDisposal: true };
};

function costMovements(changes: readonly Change[], method: CostMethod) {
  const holdings = createHoldings(method);
  return changes.map(({ assetId = 'LTC:NATIVE', undoes, ...change }, index) =>
    holdings.change({
      ...{ ...change, assetId, key: String(index) },
      corrects: undoes === undefined ? undefined : String(undoes),
      isCorrected: changes.some((other) => other.undoes === index),
    }),
  );
}

const known = <Told extends object>(told: Told) => ({
  ...told,
  ...{ unpricedUnits: 0n, unpricedLeft: 0n },
});

describe('what was paid for what is sold', () => {
  const story = [bought(10n, 100n), bought(10n, 300n), sold(15n, 450n), sold(5n, 150n)];

  test('by FIFO the oldest goes first', () => {
    const [, , first, last] = costMovements(story, 'fifo');
    assert.deepEqual(first, known({ cost: 250n, gain: 200n, unitsLeft: 5n, costLeft: 150n }));
    assert.deepEqual(last, known({ cost: 150n, gain: 0n, unitsLeft: 0n, costLeft: 0n }));
  });

  test('by average each unit costs the same', () => {
    const [, , first, last] = costMovements(story, 'average');
    assert.deepEqual(first, known({ cost: 300n, gain: 150n, unitsLeft: 5n, costLeft: 100n }));
    assert.deepEqual(last, known({ cost: 100n, gain: 50n, unitsLeft: 0n, costLeft: 0n }));
  });

  test('what leaves without being sold takes its cost along, and gains nothing', () => {
    const sent = { ...sold(10n, 500n), isDisposal: false };
    const [, , left] = costMovements([bought(10n, 100n), bought(10n, 300n), sent], 'fifo');
    assert.deepEqual(left, known({ cost: 100n, gain: undefined, unitsLeft: 10n, costLeft: 300n }));
  });

  test('without a price at either end no gain is made up', () => {
    const [, unknownCost] = costMovements([bought(1n, undefined), sold(1n, 5n)], 'fifo');
    const [, unknownValue] = costMovements([bought(1n, 5n), sold(1n, undefined)], 'fifo');
    assert.deepEqual([unknownCost?.gain, unknownValue?.gain], [undefined, undefined]);
  });

  test('what went out before it came in is covered by what comes', () => {
    const [out, covered] = costMovements([sold(3n, 9n), bought(10n, 100n)], 'fifo');
    assert.deepEqual([out?.unitsLeft, out?.gain], [-3n, undefined]);
    assert.deepEqual(covered, known({ cost: 30n, gain: undefined, unitsLeft: 7n, costLeft: 70n }));
  });

  test('what came without a price is counted beside the rest, and never as worth nothing', () => {
    const changes = [bought(10n, 100n), bought(30n, undefined), sold(20n, 900n)];
    const byAge = costMovements(changes, 'fifo').at(-1);
    const { cost, gain, unpricedUnits, costLeft, unpricedLeft } = byAge ?? {};
    assert.deepEqual([cost, gain, unpricedUnits], [100n, undefined, 10n]);
    assert.deepEqual([costLeft, unpricedLeft], [0n, 20n]);
    const even = costMovements(changes, 'average').at(-1);
    assert.deepEqual([even?.cost, even?.unpricedUnits, even?.gain], [50n, 15n, undefined]);
    assert.deepEqual([even?.costLeft, even?.unpricedLeft], [50n, 15n]);
  });

  test('what the chain takes back is its own lot, not the oldest', () => {
    const back = { ...sold(10n, undefined), isDisposal: false, undoes: 1 };
    const told = costMovements([bought(10n, 100n), bought(10n, 900n), back], 'fifo').at(-1);
    assert.deepEqual(told, known({ cost: 900n, gain: undefined, unitsLeft: 10n, costLeft: 100n }));
  });

  test('what was sold and is undone comes back at its cost, before what is younger', () => {
    const undo = { ...bought(5n, 7777n), undoes: 2 };
    const changes = [bought(5n, 100n), bought(5n, 900n), sold(5n, 500n), undo, sold(5n, 200n)];
    const [, , , back, again] = costMovements(changes, 'fifo');
    assert.deepEqual([back?.cost, back?.gain], [-100n, -400n]);
    assert.deepEqual([again?.cost, again?.gain, again?.costLeft], [100n, 100n, 900n]);
  });

  const change = fc.record({
    assetId: fc.constantFrom('LTC:NATIVE', 'BTC:NATIVE'),
    units: fc.bigInt({ min: -1000n, max: 1000n }),
    value: fc.option(fc.bigInt({ min: 0n, max: 100_000n }), { nil: undefined }),
    isDisposal: fc.boolean(),
    /** How many before it is the one that it takes back. */
    back: fc.option(fc.nat(8), { nil: undefined, freq: 3 }),
  });
  /** `isCovered`: nothing goes out that did not come in. */
  const storyOf = (isCovered: boolean) =>
    fc.array(change, { maxLength: 40 }).map((drawn) => {
      const changes: NamedChange[] = [];
      const held = new Map<string, bigint>();
      for (const { back, ...one } of drawn) {
        const undoes = back === undefined ? -1 : changes.length - 1 - back;
        const original = changes[undoes];
        const isOnce = original !== undefined && original.undoes === undefined;
        const isUndone = isOnce && !changes.some((other) => other.undoes === undoes);
        const { assetId, units } = isUndone ? original : one;
        const undo = { ...one, assetId, units: -units, isDisposal: false, undoes };
        const next = isUndone ? undo : one;
        const after = (held.get(assetId) ?? 0n) + next.units;
        if (isCovered && after < 0n) continue;
        held.set(assetId, after);
        changes.push(next);
      }
      return changes;
    });

  /** Of one asset, each with what was told of it. */
  const ownOf = (changes: readonly NamedChange[], method: CostMethod) => {
    const costed = costMovements(changes, method);
    const told = changes.flatMap((one, index) => {
      const told = costed[index];
      return told === undefined ? [] : [{ ...one, told }];
    });
    return [...Map.groupBy(told, ({ assetId }) => assetId).values()];
  };

  for (const method of COST_METHODS) {
    test(`by ${method}, what is left are the units that came in less those that went out`, () => {
      fc.assert(
        fc.property(storyOf(false), (changes) => {
          for (const own of ownOf(changes, method)) {
            let units = 0n;
            for (const { told, units: moved } of own) {
              units += moved;
              assert.equal(told.unitsLeft, units);
              if (told.unitsLeft === told.unpricedLeft) assert.equal(told.costLeft, 0n);
              assert.ok(told.costLeft >= 0n);
            }
          }
        }),
      );
    });

    test(`by ${method}, what was paid and gained is what was got and is left, to the unit`, () => {
      fc.assert(
        fc.property(storyOf(true), (changes) => {
          for (const own of ownOf(changes, method)) {
            const sum = (of: (one: (typeof own)[number]) => bigint) =>
              own.reduce((total, one) => total + of(one), 0n);
            const received = own.filter(({ units, undoes }) => units > 0n && undoes === undefined);
            const paid = received.reduce((total, { value }) => total + (value ?? 0n), 0n);
            const unpriced = received.filter(({ value }) => value === undefined);
            const last = own.at(-1)?.told;
            assert.equal(paid, sum(({ told }) => told.cost) + (last?.costLeft ?? 0n));
            assert.equal(
              unpriced.reduce((total, { units }) => total + units, 0n),
              sum(({ told }) => told.unpricedUnits) + (last?.unpricedLeft ?? 0n),
            );
            const isGained = ({ told }: (typeof own)[number]) => told.gain !== undefined;
            const proceeds = sum((one) => {
              if (!isGained(one)) return 0n;
              const original = one.undoes === undefined ? undefined : changes[one.undoes];
              return original === undefined ? (one.value ?? 0n) : -(original.value ?? 0n);
            });
            const gained = sum(({ told }) => told.gain ?? 0n);
            const others = sum((one) => (isGained(one) ? 0n : one.told.cost));
            assert.equal(paid + gained, proceeds + others + (last?.costLeft ?? 0n));
          }
        }),
        { numRuns: 500 },
      );
    });
  }

  test('both methods hold the same units, priced or not together, after every step', () => {
    fc.assert(
      fc.property(storyOf(false), (changes) => {
        const [byAge, even] = COST_METHODS.map((method) => costMovements(changes, method));
        assert.deepEqual(
          byAge?.map(({ unitsLeft }) => unitsLeft),
          even?.map(({ unitsLeft }) => unitsLeft),
        );
      }),
    );
  });

  test('both methods gain the same once everything is sold', () => {
    const lot = fc.tuple(fc.bigInt({ min: 1n, max: 1000n }), fc.bigInt({ min: 0n, max: 10_000n }));
    fc.assert(
      fc.property(fc.array(lot, { minLength: 1, maxLength: 10 }), fc.nat(10_000), (lots, price) => {
        const held = lots.reduce((sum, [units]) => sum + units, 0n);
        const movements = lots.map(([units, value]) => bought(units, value));
        const gains = COST_METHODS.map(
          (method) => costMovements([...movements, sold(held, BigInt(price))], method).at(-1)?.gain,
        );
        assert.equal(gains[0], gains[1]);
      }),
    );
  });
});
