import type { Reader } from '#db/db.ts';
import type { Delivery, DeliveryAttempt, EventOwner } from './event.ts';
import { type DeliveryAttemptRow, selectDeliveries } from './event-store.ts';

/** Deliveries of one event with their attempts, oldest first; none for somebody else's event. */
export async function listDeliveries(
  { db }: { readonly db: Reader },
  { eventId, ...owner }: EventOwner & { readonly eventId: string },
): Promise<Delivery[]> {
  const found = await listDeliveriesOf({ db }, { ...owner, eventIds: [eventId] });
  return found.get(eventId) ?? [];
}

/** The same for several events, by the id of each; those without deliveries are left out. */
export async function listDeliveriesOf(
  { db }: { readonly db: Reader },
  { eventIds, ...owner }: EventOwner & { readonly eventIds: readonly string[] },
): Promise<ReadonlyMap<string, Delivery[]>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.query<DeliveryAttemptRow>(selectDeliveries(owner, eventIds));
  const deliveries = Array.from(Map.groupBy(rows, ({ id }) => id).values(), toDelivery);
  return Map.groupBy(deliveries, ({ eventId }) => eventId);
}

function toDelivery(rows: readonly DeliveryAttemptRow[]): Delivery {
  const [row] = rows as [DeliveryAttemptRow];
  return {
    id: row.id,
    eventId: row.event_id,
    endpointId: row.endpoint_id ?? undefined,
    url: row.url,
    state: row.state,
    attemptCount: row.attempt_count,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
    reason: row.reason ?? undefined,
    redeliveryOf: row.redelivery_of ?? undefined,
    attempts: rows.flatMap(toAttempt),
  };
}

function toAttempt(row: DeliveryAttemptRow): DeliveryAttempt[] {
  if (row.number === null || row.attempted_at === null) return [];
  return [
    {
      number: row.number,
      attemptedAt: row.attempted_at,
      durationMs: row.duration_ms ?? 0,
      status: row.status ?? undefined,
      error: row.error ?? undefined,
      answerExcerpt: row.answer_excerpt ?? undefined,
    },
  ];
}
