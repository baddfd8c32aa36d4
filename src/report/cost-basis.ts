// What was paid for what is sold: cost basis of each disposal by FIFO or by average, and the gain.
// Pure, in whole units of assets and of one currency. Guarantees: units and cost that came in are
// those that went out and those that are left, to the unit, whatever is rounded: a part of a lot
// takes its share of the cost rounded down, the rest stays with what is left.
import { assert } from '#base/assert.ts';

export type CostMethod = 'fifo' | 'average';

export type HoldingChange = {
  readonly assetId: string;
  /** What the merchant has more, or less. */
  readonly units: bigint;
  /** Worth of all of it at that moment; undefined where no price is known. */
  readonly value: bigint | undefined;
  /** Sold: exchanged for another asset. Otherwise it left without a gain, at its cost. */
  readonly isDisposal: boolean;
};

type Costed = {
  /** Of what went out. */
  readonly cost: bigint;
  /** Value less cost of what was sold; undefined where either is not known. */
  readonly gain: bigint | undefined;
  /** Of the asset, afterwards. */
  readonly unitsLeft: bigint;
  readonly costLeft: bigint;
};

type Lot = { units: bigint; cost: bigint; isKnown: boolean };
/** `short`: units that went out before they came in. */
type Holding = { lots: Lot[]; short: bigint };

/** In the order of the movements, which is that of time. */
export function costMovements(movements: readonly HoldingChange[], method: CostMethod): Costed[] {
  const holdings = new Map<string, Holding>();
  return movements.map((movement) => {
    const holding = holdings.get(movement.assetId) ?? { lots: [], short: 0n };
    holdings.set(movement.assetId, holding);
    const { cost, isKnown } =
      movement.units >= 0n ? receive(holding, movement, method) : release(holding, -movement.units);
    const { value, isDisposal, units } = movement;
    const isCounted = isDisposal && units < 0n && isKnown && value !== undefined;
    const unitsLeft = holding.lots.reduce((sum, lot) => sum + lot.units, -holding.short);
    const costLeft = holding.lots.reduce((sum, lot) => sum + lot.cost, 0n);
    return { cost, gain: isCounted ? value - cost : undefined, unitsLeft, costLeft };
  });
}

type Taken = { readonly cost: bigint; readonly isKnown: boolean };

/** What went out before is covered first: its cost is told with what covers it. */
function receive(holding: Holding, { units, value }: HoldingChange, method: CostMethod): Taken {
  if (units === 0n) return { cost: 0n, isKnown: true };
  const lot: Lot = { units, cost: value ?? 0n, isKnown: value !== undefined };
  const covered = smaller(holding.short, units);
  const { cost } = takeFrom(lot, covered);
  holding.short -= covered;
  const [last] = holding.lots;
  if (method === 'average' && last !== undefined) {
    last.units += lot.units;
    last.cost += lot.cost;
    last.isKnown &&= lot.isKnown;
  } else if (lot.units > 0n) {
    holding.lots.push(lot);
  }
  return { cost, isKnown: lot.isKnown };
}

function release(holding: Holding, units: bigint): Taken {
  let left = units;
  let cost = 0n;
  let isKnown = true;
  while (left > 0n) {
    const [lot] = holding.lots;
    if (lot === undefined) {
      holding.short += left;
      return { cost, isKnown: false };
    }
    const taken = smaller(lot.units, left);
    const part = takeFrom(lot, taken);
    cost += part.cost;
    isKnown &&= part.isKnown;
    left -= taken;
    if (lot.units === 0n) holding.lots.shift();
  }
  return { cost, isKnown };
}

/** Rounded down; the last part of a lot takes what is left of its cost. */
function takeFrom(lot: Lot, units: bigint): Taken {
  assert(units <= lot.units, 'a lot gives no more than it has');
  const cost = lot.units === 0n ? 0n : (lot.cost * units) / lot.units;
  lot.units -= units;
  lot.cost -= cost;
  return { cost, isKnown: lot.isKnown };
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
