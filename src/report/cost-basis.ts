// What was paid for what is sold: cost basis of each disposal by FIFO or by average, and the gain.
// In whole units of assets and of one currency. Guarantees, to the unit and whatever is rounded:
// units that came in went out or are left; cost that came in went out or is left. A part of a lot
// takes its share of the cost rounded down, the rest stays with what is left. What came in without
// a price has no cost: it is counted in units beside the others, and never as worth nothing. What
// is undone is taken from its own lot, or comes back at the cost at which it left.
import { assert } from '#base/assert.ts';
import type { CostMethod } from './report.ts';

export type HoldingChange = {
  readonly assetId: string;
  /** Its own name. */
  readonly key: string;
  /** What the merchant has more, or less. */
  readonly units: bigint;
  /** Worth of all of it at that moment; undefined where no price is known. */
  readonly value: bigint | undefined;
  /** Sold: exchanged for another asset. Otherwise it left without a gain, at its cost. */
  readonly isDisposal: boolean;
  /** The key of the one that this one takes back. */
  readonly corrects: string | undefined;
  /** A later one takes it back: of others nothing is kept once they are gone. */
  readonly isCorrected: boolean;
};

export type Costed = {
  /** Of what went out, as far as it is known; below zero for what came back. */
  readonly cost: bigint;
  /** Units of what went out whose cost is not known. */
  readonly unpricedUnits: bigint;
  /** Value less cost of what was sold; undefined where either is not known. */
  readonly gain: bigint | undefined;
  /** Of the asset, afterwards. */
  readonly unitsLeft: bigint;
  readonly costLeft: bigint;
  /** Part of `unitsLeft` that `costLeft` says nothing of. */
  readonly unpricedLeft: bigint;
};

export type CostedHoldings = { change(change: HoldingChange): Costed };

/** `cost` is that of `priced` units. */
type Amount = { priced: bigint; unpriced: bigint; cost: bigint };
/** `isHeld`: it stands among the lots; by average only the first one does. */
type Lot = Amount & { isHeld: boolean };
type Taken = { readonly priced: bigint; readonly unpriced: bigint; readonly cost: bigint };
type Holding = {
  /** Oldest first, from `first` on; one alone by average. */
  lots: Lot[];
  first: number;
  /** Of all lots together. */
  readonly left: Amount;
  /** Units that went out before they came in. */
  short: bigint;
};
type Kept = { readonly lot: Lot | undefined; readonly costed: Costed; readonly units: bigint };

const NOTHING: Taken = { priced: 0n, unpriced: 0n, cost: 0n };

/** Changes are told in the order of time. */
export function createHoldings(method: CostMethod): CostedHoldings {
  const holdings = new Map<string, Holding>();
  const kept = new Map<string, Kept>();
  return {
    change(change) {
      const { assetId, key, units, corrects, isCorrected } = change;
      const holding = holdings.get(assetId) ?? emptyHolding();
      holdings.set(assetId, holding);
      const original = corrects === undefined ? undefined : kept.get(corrects);
      const { taken, lot, isBack } =
        units >= 0n
          ? receive(holding, change, method, original)
          : { ...release(holding, -units, original), lot: undefined, isBack: false };
      const costed = told(holding, change, taken, isBack ? original : undefined);
      if (isCorrected) kept.set(key, { lot, costed, units });
      return costed;
    },
  };
}

function emptyHolding(): Holding {
  return { lots: [], first: 0, left: { priced: 0n, unpriced: 0n, cost: 0n }, short: 0n };
}

function told(
  { left, short }: Holding,
  { units, value, isDisposal }: HoldingChange,
  taken: Taken,
  back: Kept | undefined,
): Costed {
  const isCounted = isDisposal && units < 0n && taken.unpriced === 0n && value !== undefined;
  const gain = isCounted ? value - taken.cost : undefined;
  return {
    cost: back === undefined ? taken.cost : -back.costed.cost,
    unpricedUnits: back === undefined ? taken.unpriced : -back.costed.unpricedUnits,
    gain: back?.costed.gain === undefined ? gain : -back.costed.gain,
    unitsLeft: left.priced + left.unpriced - short,
    costLeft: left.cost,
    unpricedLeft: left.unpriced - short,
  };
}

type Received = { readonly taken: Taken; readonly lot: Lot; readonly isBack: boolean };

/** What went out before is covered first: its cost is told with what covers it. */
function receive(
  holding: Holding,
  { units, value }: HoldingChange,
  method: CostMethod,
  original: Kept | undefined,
): Received {
  // Without a hole there was nothing to cover it when it left, and so there is nothing to refill.
  const isBack = original !== undefined && original.units === -units && holding.short === 0n;
  const lot = isBack ? lotOf(units, original.costed) : lotOfValue(units, value);
  const covered = take(lot, smaller(holding.short, units));
  holding.short -= covered.priced + covered.unpriced;
  add(holding.left, lot);
  const [only] = holding.lots;
  if (method === 'average' && only !== undefined) {
    add(only, lot);
    return { taken: covered, lot, isBack };
  }
  lot.isHeld = true;
  if (isBack && holding.first > 0) {
    // It was the oldest when it left.
    holding.first -= 1;
    holding.lots[holding.first] = lot;
  } else {
    holding.lots.push(lot);
  }
  return { taken: covered, lot, isBack };
}

function lotOf(units: bigint, { cost, unpricedUnits }: Costed): Lot {
  return { priced: units - unpricedUnits, unpriced: unpricedUnits, cost, isHeld: false };
}

function lotOfValue(units: bigint, value: bigint | undefined): Lot {
  if (value === undefined) return { priced: 0n, unpriced: units, cost: 0n, isHeld: false };
  return { priced: units, unpriced: 0n, cost: units === 0n ? 0n : value, isHeld: false };
}

/** `original`: what is taken back, of which its own lot is taken as far as it is still there. */
function release(
  holding: Holding,
  units: bigint,
  original: Kept | undefined,
): { readonly taken: Taken } {
  const own = original?.lot;
  // To look for it among the lots would cost as much as there are, for each that is undone.
  let taken =
    own?.isHeld === true
      ? takeFrom(holding, own, smaller(own.priced + own.unpriced, units))
      : NOTHING;
  for (;;) {
    const left = units - taken.priced - taken.unpriced;
    if (left === 0n) return { taken };
    const lot = holding.lots[holding.first];
    if (lot === undefined) {
      holding.short += left;
      return { taken: { ...taken, unpriced: taken.unpriced + left } };
    }
    const size = lot.priced + lot.unpriced;
    taken = sumOf(taken, takeFrom(holding, lot, smaller(size, left)));
    if (lot.priced + lot.unpriced === 0n) dropFirst(holding);
  }
}

/** In steps that grow with the list: a long one is moved as often as a short one is. */
function dropFirst(holding: Holding): void {
  holding.first += 1;
  const isMuch = holding.first >= 1_000 && 2 * holding.first >= holding.lots.length;
  if (holding.first < holding.lots.length && !isMuch) return;
  holding.lots = holding.lots.slice(holding.first);
  holding.first = 0;
}

function takeFrom({ left }: Holding, lot: Lot, units: bigint): Taken {
  const taken = take(lot, units);
  left.priced -= taken.priced;
  left.unpriced -= taken.unpriced;
  left.cost -= taken.cost;
  return taken;
}

/** Rounded down; the last part of a lot takes what is left of its cost. */
function take(lot: Lot, units: bigint): Taken {
  const size = lot.priced + lot.unpriced;
  assert(units <= size, 'a lot gives no more than it has');
  if (units === 0n) return NOTHING;
  const unpriced = (lot.unpriced * units) / size;
  const priced = units - unpriced;
  const cost = priced === 0n ? 0n : (lot.cost * priced) / lot.priced;
  lot.priced -= priced;
  lot.unpriced -= unpriced;
  lot.cost -= cost;
  return { priced, unpriced, cost };
}

function add(lot: Amount, more: Taken): void {
  lot.priced += more.priced;
  lot.unpriced += more.unpriced;
  lot.cost += more.cost;
}

function sumOf(one: Taken, other: Taken): Taken {
  return {
    priced: one.priced + other.priced,
    unpriced: one.unpriced + other.unpriced,
    cost: one.cost + other.cost,
  };
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
