// What a soak leaves behind is compared with what was acknowledged while it ran: a sentence for each
// thing that is not as it was said to be.
import { type Db, sql } from '#db/db.ts';
import type { Sold } from './soak-load.ts';
import type { SoakReceivers } from './soak-receivers.ts';

export type Found = {
  readonly checkouts: number;
  readonly payments: number;
  readonly credits: number;
  readonly events: number;
  readonly faults: readonly string[];
};

/** As many of a kind as anybody wants to read. */
const TOLD_MOST = 5;

/** All that was to be done has been: each payment is decided, each webhook delivered. */
export async function countOpen(db: Db, sold: readonly Sold[]): Promise<number> {
  const paid = sold.filter((one) => one.paid !== undefined).map(({ id }) => id);
  const [row] = await db.query<{ open: number }>(sql`
    select (select count(*) from checkout
        where id = any(${paid}::text[]) and state <> 'COMPLETED')::integer
      + (select count(*) from webhook_delivery where state = 'PENDING')::integer as open`);
  return row?.open ?? 0;
}

export async function countLost(
  db: Db,
  sold: readonly Sold[],
  receivers: Pick<SoakReceivers, 'taken' | 'changed'>,
): Promise<Found> {
  const ids = sold.map(({ id }) => id);
  const checkouts = await db.query<{ id: string; address: string | null }>(sql`
    select c.id, (select i.address from commitment m join deposit_instruction i
        on i.id = m.instruction_id where m.checkout_id = c.id limit 1) as address
    from checkout c where c.id = any(${ids}::text[])`);
  const credits = await db.query<{ id: string; transaction: string; credits: number }>(sql`
    select r.purpose_id as id, r.transaction, (select count(*) from receipt_credit k
        where k.receipt_id = r.id and k.account = 'available')::integer as credits
    from receipt r where r.purpose_id = any(${ids}::text[])`);
  const events = await db.query<{ id: string; type: string; subject: string }>(sql`
    select id, type, subject_id as subject from event where subject = 'checkout'`);
  const faults = [
    ...told('is lost', lostCheckouts(sold, checkouts)),
    ...told('is not credited once', wrongPayments(sold, credits)),
    ...told(
      'was not delivered',
      events.map(({ id }) => id).filter((id) => !receivers.taken.has(id)),
    ),
    ...told('came and is no event', unknownEvents(events, receivers)),
    ...told('came with other words', receivers.changed),
    ...told('was not told to be completed once', wrongCompletions(sold, events)),
  ];
  return {
    checkouts: checkouts.length,
    payments: sold.reduce((sum, { paid = [] }) => sum + paid.length, 0),
    credits: credits.reduce((sum, one) => sum + one.credits, 0),
    events: events.length,
    faults,
  };
}

/** What was acknowledged and is not there, or tells the customer another address. */
function lostCheckouts(
  sold: readonly Sold[],
  found: readonly { readonly id: string; readonly address: string | null }[],
): string[] {
  const addresses = new Map(found.map(({ id, address }) => [id, address]));
  return sold
    .filter(
      ({ id, address }) =>
        !addresses.has(id) || (address !== undefined && addresses.get(id) !== address),
    )
    .map(({ id }) => id);
}

/**
 * Each payment that was acknowledged is there, and each that is there has one credit. One whose answer
 * was lost with its process may be there too: the simulated customer pays again when asked again.
 */
function wrongPayments(
  sold: readonly Sold[],
  found: readonly { readonly id: string; readonly transaction: string; readonly credits: number }[],
): string[] {
  const wanted = new Set(
    sold.flatMap(({ id, paid = [] }) => paid.map((transaction) => `${id} ${transaction}`)),
  );
  const wrong: string[] = [];
  for (const { id, transaction, credits } of found) {
    const payment = `${id} ${transaction}`;
    wanted.delete(payment);
    if (credits !== 1) wrong.push(`${payment} (${credits} credits)`);
  }
  return [...wrong, ...wanted];
}

function unknownEvents(
  events: readonly { readonly id: string }[],
  { taken }: Pick<SoakReceivers, 'taken'>,
): string[] {
  const known = new Set(events.map(({ id }) => id));
  return [...taken.keys()].filter((id) => !known.has(id));
}

function wrongCompletions(
  sold: readonly Sold[],
  events: readonly { readonly type: string; readonly subject: string }[],
): string[] {
  const counts = new Map<string, number>();
  for (const { type, subject } of events) {
    if (type === 'CHECKOUT_COMPLETED') counts.set(subject, (counts.get(subject) ?? 0) + 1);
  }
  return sold
    .filter(({ id, paid }) => (counts.get(id) ?? 0) !== (paid === undefined ? 0 : 1))
    .map(({ id }) => id);
}

function told(what: string, ids: readonly string[]): string[] {
  const first = ids.slice(0, TOLD_MOST).map((id) => `${id} ${what}`);
  const more = ids.length - first.length;
  return more > 0 ? [...first, `and ${more} more: ${what}`] : first;
}
