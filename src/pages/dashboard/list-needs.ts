// What waits for a person of a shop: how many of each kind, the oldest, and where it is acted on.
// Guarantees: each kind is counted from an index of its own and no further than anybody looks
// through, so that a shop with a million checkouts is asked as fast as one with a thousand; nobody
// is told of what his role does not show him. Brakes, gas and mails are the operator's: not here.

import { selectPaidAgain } from '#billing/paid-again.ts';
import { selectWaitingCheckouts } from '#checkout/list-checkouts.ts';
import { type Reader, type Statement, sql } from '#db/db.ts';
import { selectWaitingAddresses } from '#deposit-address/deposit-address.ts';
import { selectFailing } from '#event/delivery.ts';
import { selectWaitingSuspense } from '#settle/suspense.ts';
import { selectWaitingApprovals } from '#spending/approval.ts';
import { hearsWith, mayAct } from '#staff/role.ts';
import { selectWaitingTransfers } from '#transfer/transfer.ts';
import { type Place, roomPath } from './shell.ts';

/** In the order in which they are shown. */
const NEEDS = [
  'underpaid',
  'late',
  'bill-again',
  'wrong-asset',
  'suspense',
  'parked',
  'parked-address',
  'webhook-given-up',
  'webhook-failing',
  'approval',
  'transfer',
] as const;
type NeedKind = (typeof NEEDS)[number];

/** More than anybody looks through. */
export const COUNTED_MOST = 1_000;

export type Need = {
  readonly what: NeedKind;
  /** One above `COUNTED_MOST`: that many, or more. */
  readonly count: number;
  /** Of the oldest; undefined where nobody knows. */
  readonly since: Temporal.Instant | undefined;
  /** Where it is acted on; undefined where only the operator acts. */
  readonly path: string | undefined;
};

type Waiting = {
  readonly what: NeedKind;
  readonly count: number;
  readonly since: Temporal.Instant | null;
  /** The oldest. */
  readonly id: string | null;
};

/** One statement. */
export async function listNeeds(
  reader: Reader,
  place: Place,
  now: Temporal.Instant,
): Promise<Need[]> {
  const found = await reader.query<Waiting>(selectNeeds(place, now));
  return NEEDS.flatMap((what) => found.filter((one) => one.what === what)).map(
    ({ what, count, since, id }) => ({
      what,
      count: Math.min(count, COUNTED_MOST + 1),
      since: since ?? undefined,
      path: pathOf(place, what, { count, id: id ?? '' }),
    }),
  );
}

function selectNeeds(place: Place, now: Temporal.Instant): Statement {
  const { role } = place;
  const most = COUNTED_MOST + 1;
  const waiting = [
    selectWaitingCheckouts(place, most),
    selectPaidAgain(place, most),
    selectWaitingAddresses(place, most),
    selectWaitingSuspense(place, most),
    ...(mayAct(role, 'see-development') ? [selectFailing(place, most)] : []),
    ...(mayAct(role, 'see-money')
      ? [selectWaitingTransfers(place, most), selectWaitingApprovals(place, { now, most })]
      : []),
  ].reduce((all, one) => sql`${all} union all ${one}`);
  return sql`
    select what, count(*)::int as count, min(since) as since,
      (array_agg(id order by since))[1] as id
    from (${waiting}) waiting group by what`;
}

/** The oldest one alone, where there is no list of them. */
function pathOf(
  place: Place,
  what: NeedKind,
  { count, id }: { readonly count: number; readonly id: string },
): string | undefined {
  switch (what) {
    case 'underpaid':
    case 'late':
      return roomPath(place, count === 1 ? `/checkouts/${id}` : '/checkouts?state=UNDERPAID');
    case 'bill-again':
      return roomPath(place, '/invoices/again');
    case 'wrong-asset':
    case 'suspense':
    case 'parked':
      return id === '' ? undefined : roomPath(place, `/checkouts/${id}`);
    case 'parked-address':
      return undefined;
    case 'webhook-given-up':
    case 'webhook-failing': {
      // Of some events not every role is told.
      const hearsAll = hearsWith(place.role, place.environment) === undefined;
      return roomPath(place, hearsAll ? `/events/${id}` : '/events');
    }
    case 'transfer':
    case 'approval':
      return roomPath(place, '/money');
  }
}
