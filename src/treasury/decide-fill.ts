// What a part of an order closes of what was promised. Pure. Guarantees: whatever the parts are,
// they come to exactly what was ordered when all of it is sold, and never to more on the way; what
// a part brings beyond what it closes is gain, what it lacks is loss.
import { assert } from '#base/assert.ts';
import { divideUnits } from '#money/rate.ts';

type Filled = {
  readonly giveUnits: bigint;
  readonly closesUnits: bigint;
  /** Sold before, and what that closed. */
  readonly filledUnits: bigint;
  readonly closedUnits: bigint;
};

/** Units of the promise that this part closes: the difference of two running totals, each down. */
export function closedByFill(order: Filled, soldUnits: bigint): bigint {
  const { giveUnits, closesUnits, filledUnits, closedUnits } = order;
  const total = filledUnits + soldUnits;
  assert(soldUnits >= 0n && total <= giveUnits, 'a part sells no more than is left of its order');
  const due = divideUnits(closesUnits * total, giveUnits, 'down') - closedUnits;
  // Below zero by one after a part in the middle was taken back: the next part has less to close.
  return due > 0n ? due : 0n;
}

/**
 * What an order closes of `toUnits` when it sells `giveUnits` of `openUnits`: its share at the
 * price at which all of it was promised. Rounded down.
 */
export function shareOfPromise(giveUnits: bigint, openUnits: bigint, toUnits: bigint): bigint {
  assert(openUnits > 0n && giveUnits <= openUnits, 'no more is sold than is open');
  return divideUnits(toUnits * giveUnits, openUnits, 'down');
}
