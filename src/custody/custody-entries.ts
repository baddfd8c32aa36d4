// The postings of money that leaves what we watch beside transfers: network fees, and what the
// operator moved. Debit positive, credit negative (docs/money.md); the cause keys make each happen
// once (L7).
import { environmentOf, networkOf } from '#catalog/chain.ts';
import type { RecordedDeparture, RecordedPart } from '#chain/departure.ts';
import { causeAgain, type Entry, type EntryPosting } from '#ledger/ledger-entry.ts';

type Booked = Pick<RecordedDeparture, 'id' | 'chain' | 'transaction' | 'undoneCount'>;

/**
 * All that is booked of a departure beside its transfers. `restUnits`: what the network took beyond
 * what the transfers in it pay of it.
 */
export function departureEntries(
  departure: RecordedDeparture,
  restUnits: bigint,
  occurredAt: Temporal.Instant,
): Entry[] {
  const moved = departure.parts.filter(
    ({ purpose }) => purpose === 'OUTSIDE' || purpose === 'LOST',
  );
  return [
    ...(restUnits > 0n ? [feeEntry(departure, restUnits, occurredAt)] : []),
    ...moved.map((part) => partEntry(departure, part, occurredAt)),
  ];
}

export function feeEntry(
  departure: Booked & Pick<RecordedDeparture, 'feeAssetId'>,
  units: bigint,
  occurredAt: Temporal.Instant,
): Entry {
  return entryOf(departure, 'fee', occurredAt, {
    to: 'network-fees',
    assetId: departure.feeAssetId,
    units,
  });
}

/** What went elsewhere, on the word of a person. */
export function partEntry(
  departure: Booked,
  part: Pick<RecordedPart, 'number' | 'assetId' | 'units' | 'purpose' | 'decidedBy' | 'reason'>,
  occurredAt: Temporal.Instant,
): Entry {
  const { number, assetId, units, purpose, decidedBy: by, reason } = part;
  const to = purpose === 'LOST' ? 'losses' : (`outside:${networkOf(departure.chain)}` as const);
  return {
    ...entryOf(departure, String(number), occurredAt, { to, assetId, units }),
    evidence: JSON.stringify({ by, reason, transaction: departure.transaction }),
  };
}

type Leaving = {
  readonly to: EntryPosting['account']['code'];
  readonly assetId: string;
  readonly units: bigint;
};

function entryOf(
  { id, chain, transaction, undoneCount }: Booked,
  what: string,
  occurredAt: Temporal.Instant,
  { to, assetId, units }: Leaving,
): Entry {
  return {
    causeKey: causeAgain(`departure:${id}:${what}`, undoneCount),
    kind: what === 'fee' ? 'custody-fee' : 'custody-move',
    environment: environmentOf(chain),
    subjectId: `departure:${id}`,
    evidence: JSON.stringify({ transaction }),
    occurredAt,
    postings: [
      { account: { code: to }, assetId, units },
      { account: { code: `custody:${networkOf(chain)}` }, assetId, units: -units },
    ],
  };
}
