import { type Reader, sql, type Tx } from '#db/db.ts';

/** The place of an event in order of time. */
export type EventPlace = { readonly at: Temporal.Instant; readonly id: string };

export async function listOldEvents(
  reader: Reader,
  wanted: {
    readonly after: EventPlace | undefined;
    readonly before: Temporal.Instant;
    readonly limit: number;
  },
): Promise<EventPlace[]> {
  const { after, before, limit } = wanted;
  const isAfter =
    after === undefined ? sql`` : sql`and (created_at, id) > (${after.at}, ${after.id})`;
  return reader.query<EventPlace>(sql`
    select created_at as at, id from event where created_at < ${before} ${isAfter}
    order by created_at, id limit ${limit}`);
}

/**
 * Those deliveries of the events that nobody is at. Whoever sends one again locks it first, so that
 * what is held here gets no new delivery until the transaction ends.
 */
export async function holdDeliveries(tx: Tx, eventIds: readonly string[]): Promise<bigint[]> {
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
export async function holdForgettable(
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
export async function deleteEvents(tx: Tx, eventIds: readonly string[]): Promise<void> {
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
