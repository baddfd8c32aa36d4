// What has left a chain and still stands in its custody account: a pure function. Money leaves at
// once and is booked later: when its transaction is deep enough, transfer by transfer, then the
// rest. A reorganisation turns it round: what was booked is there again.
//
// Left means: to where it is known to belong, and to the network as its fee. What nobody ordered is
// no part of it, so that it is missing until a person says what it was.
import type { RecordedDeparture, RecordedPart } from '#chain/departure.ts';
import { decideParts, type Order } from './decide-parts.ts';

type LeavingFacts = {
  /** Of the last block that is counted. */
  readonly height: bigint;
  /** All that are not booked, or booked and in no block up to the height; oldest first. */
  readonly departures: readonly RecordedDeparture[];
  /** What waits to be sent on the chain, oldest first. */
  readonly orders: readonly Order[];
  readonly collectTo: string | undefined;
  /** What transfers that are completed paid of the network's fee, by id. */
  readonly paidFees: ReadonlyMap<string, bigint>;
};

type Amount = Pick<RecordedPart, 'assetId' | 'units'>;

/** By asset, in units; below zero where more was booked than the blocks show. */
export function decideLeaving(facts: LeavingFacts): ReadonlyMap<string, bigint> {
  const { height, departures, collectTo } = facts;
  const sums = new Map<string, bigint>();
  const add = (amounts: readonly Amount[], sign: 1n | -1n) => {
    for (const { assetId, units } of amounts) {
      sums.set(assetId, (sums.get(assetId) ?? 0n) + sign * units);
    }
  };
  let { orders } = facts;
  for (const departure of departures) {
    const { status, blockHeight, bookedAt } = departure;
    // As it is about to be recognised; each transfer is paid once.
    const canCarry = bookedAt === undefined && status !== 'GONE';
    const known = canCarry ? decideParts(departure, orders, collectTo) : [];
    orders = orders.filter(({ transferId }) => known.every((one) => one.transferId !== transferId));
    const left = leftBy(departure, new Set(known.map(({ part }) => part)));
    if (status === 'INCLUDED' && blockHeight !== undefined && blockHeight <= height) add(left, 1n);
    add(bookedAt === undefined ? bookedOf(departure, facts.paidFees) : left, -1n);
  }
  return sums;
}

function leftBy(
  { parts, feeAssetId, feeUnits = 0n }: RecordedDeparture,
  known: ReadonlySet<RecordedPart>,
): Amount[] {
  const gone = parts.filter(
    (part) =>
      known.has(part) ||
      isConverted(part) ||
      (part.purpose !== undefined && part.purpose !== 'OWN'),
  );
  return [...gone, ...came(parts), { assetId: feeAssetId, units: feeUnits }];
}

/** It is with us as another asset: on its way into the books, or there. */
function isConverted({ purpose, gotUnits }: RecordedPart): boolean {
  const isKnown = purpose === 'CONVERSION' || purpose === 'CONVERTED';
  return gotUnits !== undefined && (purpose === undefined || isKnown);
}

function came(parts: readonly RecordedPart[]): Amount[] {
  return parts.filter(isConverted).flatMap(({ gotAssetId: assetId, gotUnits: units }) => {
    return assetId === undefined || units === undefined ? [] : [{ assetId, units: -units }];
  });
}

/** Of one that is not booked whole: the transfers in it that are completed, with their shares. */
function bookedOf({ parts }: RecordedDeparture, paidFees: LeavingFacts['paidFees']): Amount[] {
  return parts.flatMap(({ transferId, assetId, units }) => {
    const fee = transferId === undefined ? undefined : paidFees.get(transferId);
    return fee === undefined ? [] : [{ assetId, units: units + fee }];
  });
}
