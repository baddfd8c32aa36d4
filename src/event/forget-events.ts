// Events that were told go after a time, with their deliveries and attempts, in batches of old ones
// in order of time. Guarantees: what some receiver has not got stays for ever; what is being sent
// again stays; a cause whose event went is never told again (`told_cause`).
import type { Clock } from '#base/clock.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { type PagePlace, placeOldestFirst } from '#db/page-cursor.ts';

const BATCH = 200;

type ForgetEventsApp = { readonly db: Db; readonly clock: Clock };

type ForgottenEvents = {
  readonly forgotten: number;
  /** Where the next batch begins; undefined when all old ones were looked at. */
  readonly after: PagePlace | undefined;
};

/** One batch of old events after that place. */
export async function forgetEvents(
  { db, clock }: ForgetEventsApp,
  { keptDays, after }: { readonly keptDays: number; readonly after: PagePlace | undefined },
): Promise<ForgottenEvents> {
  const before = clock.now().subtract({ hours: 24 * keptDays });
  const batch = await listOldEvents(db, { after, before, limit: BATCH });
  if (batch.length === 0) return { forgotten: 0, after: undefined };
  const eventIds = batch.map(({ id }) => id);
  const forgotten = await db.transact(async (tx) => {
    const held = await holdDeliveries(tx, eventIds);
    // A statement of its own: it sees what was queued until the deliveries were held.
    const told = await holdForgettable(tx, { eventIds, held, before });
    if (told.length > 0) await deleteEvents(tx, told);
    return told.length;
  });
  return { forgotten, after: batch.length < BATCH ? undefined : batch.at(-1) };
}

async function listOldEvents(
  reader: Reader,
  wanted: {
    readonly after: PagePlace | undefined;
    readonly before: Temporal.Instant;
    readonly limit: number;
  },
): Promise<PagePlace[]> {
  const { before, limit } = wanted;
  const after = placeOldestFirst(wanted.after);
  return reader.query<PagePlace>(sql`
    select created_at as at, id from event
    where created_at < ${before} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`);
}

/**
 * The deliveries of these events that no worker is sending. Sending one again locks it first, so
 * while they are locked here no new delivery is made until the transaction ends.
 */
async function holdDeliveries(tx: Tx, eventIds: readonly string[]): Promise<bigint[]> {
  const rows = await tx.query<{ id: bigint }>(sql`
    select id from webhook_delivery where event_id = any(${eventIds}::text[])
    order by id for update skip locked`);
  return rows.map(({ id }) => id);
}

/**
 * Of these events those whose deliveries are all held, ended before then, and of which each
 * receiver has got one in the end. What is told next about a thing looks up whether its own URL
 * answered 410 to anything before, so a thing with such a delivery keeps all its events.
 */
async function holdForgettable(
  tx: Tx,
  wanted: {
    readonly eventIds: readonly string[];
    readonly held: readonly bigint[];
    readonly before: Temporal.Instant;
  },
): Promise<string[]> {
  const { eventIds, held, before } = wanted;
  const rows = await tx.query<{ id: string }>(sql`
    select e.id from event e where e.id = any(${eventIds}::text[])
      and not exists (select from webhook_delivery d where d.event_id = e.id
        and (d.id <> all(${held}::bigint[]) or d.finished_at is null
          or d.finished_at >= ${before}))
      and not exists (select from webhook_delivery d where d.event_id = e.id
        and d.state <> 'DELIVERED'
        and not exists (select from webhook_delivery later where later.event_id = d.event_id
          and later.url = d.url and later.endpoint_id is not distinct from d.endpoint_id
          and later.id > d.id and later.state = 'DELIVERED'))
      and not exists (select from event other join webhook_delivery d on d.event_id = other.id
        where other.subject = e.subject and other.subject_id = e.subject_id
          and d.endpoint_id is null and d.state = 'DISABLED')
    for update of e skip locked`);
  return rows.map(({ id }) => id);
}

/** With their deliveries and attempts; their causes stay told. */
async function deleteEvents(tx: Tx, eventIds: readonly string[]): Promise<void> {
  await Promise.all([
    tx.query(sql`
      insert into told_cause (cause)
      select md5(cause_key)::uuid from event where id = any(${eventIds}::text[])
      on conflict do nothing`),
    tx.query(sql`
      delete from webhook_attempt where delivery_id in (
        select id from webhook_delivery where event_id = any(${eventIds}::text[]))`),
    tx.query(sql`delete from webhook_delivery where event_id = any(${eventIds}::text[])`),
    tx.query(sql`delete from event where id = any(${eventIds}::text[])`),
  ]);
}
