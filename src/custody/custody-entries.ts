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
    ({ purpose }) => purpose === 'OUTSIDE' || purpose === 'LOST' || purpose === 'CONVERTED',
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

type MovedPart = Pick<
  RecordedPart,
  'number' | 'assetId' | 'units' | 'purpose' | 'decidedBy' | 'reason'
> &
  Partial<Pick<RecordedPart, 'gotAssetId' | 'gotUnits'>>;

/**
 * What went elsewhere, on the word of a person. What was exchanged without an order closes nothing
 * that was promised: all that was given and all that came is a result.
 */
export function partEntry(departure: Booked, part: MovedPart, occurredAt: Temporal.Instant): Entry {
  const { number, assetId, units, decidedBy: by, reason } = part;
  const entry = entryOf(departure, String(number), occurredAt, {
    to: accountOf(departure, part),
    assetId,
    units,
  });
  return {
    ...entry,
    postings: [...entry.postings, ...cameFor(departure, part)],
    evidence: JSON.stringify({ by, reason, transaction: departure.transaction }),
  };
}

function accountOf({ chain }: Booked, { purpose }: MovedPart): Leaving['to'] {
  if (purpose === 'CONVERTED') return 'conversion-result';
  return purpose === 'LOST' ? 'losses' : `outside:${networkOf(chain)}`;
}

function cameFor(
  { chain }: Booked,
  { purpose, gotAssetId: assetId, gotUnits: units }: MovedPart,
): EntryPosting[] {
  if (purpose !== 'CONVERTED' || assetId === undefined || units === undefined) return [];
  return [
    { account: { code: `custody:${networkOf(chain)}` }, assetId, units },
    { account: { code: 'conversion-result' }, assetId, units: -units },
  ];
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
