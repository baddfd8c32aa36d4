import type { Clock } from '#base/clock.ts';
import type { Wake } from '#base/loop.ts';
import { Refusal } from '#base/refusal.ts';
import { ConstraintViolation, type Db } from '#db/db.ts';
import { type EventOwner, replayableHours } from './event.ts';
import { insertRedelivery, lockForRedelivery, type RedeliveryRow } from './event-store.ts';

export type RedeliverApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly wakes?: { readonly deliver: Pick<Wake, 'wake'> } | undefined;
};

/**
 * Sends a delivered, parked or disabled delivery again: a new delivery of the same event, with the
 * same id and body, and the whole schedule before it. Returns its id.
 * @throws Refusal missing `delivery_unknown`; conflict `delivery_pending`, `event_too_old` (after
 * 60 days, api-contract.md 7), `endpoint_disabled`.
 */
export async function redeliverEvent(
  { db, clock, wakes }: RedeliverApp,
  { deliveryId, ...owner }: EventOwner & { readonly deliveryId: bigint },
): Promise<{ deliveryId: bigint }> {
  const now = clock.now();
  try {
    const redelivered = await db.transact(async (tx) => {
      const [known] = await tx.query<RedeliveryRow>(lockForRedelivery(owner, deliveryId));
      refuseUnlessReplayable(known, now);
      const [row] = await tx.query<{ id: bigint }>(insertRedelivery(deliveryId, now));
      return { deliveryId: row?.id ?? deliveryId };
    });
    wakes?.deliver.wake();
    return redelivered;
  } catch (error) {
    if (error instanceof ConstraintViolation && error.constraint === 'webhook_delivery_once') {
      throw pending();
    }
    throw error;
  }
}

function refuseUnlessReplayable(
  known: RedeliveryRow | undefined,
  now: Temporal.Instant,
): asserts known is RedeliveryRow {
  if (known === undefined) {
    throw new Refusal('missing', 'delivery_unknown', 'There is no such delivery.');
  }
  if (known.state === 'PENDING') throw pending();
  const oldest = now.subtract({ hours: replayableHours });
  if (Temporal.Instant.compare(known.event_created_at, oldest) < 0) {
    const text = `The event is older than ${replayableHours / 24} days.`;
    throw new Refusal('conflict', 'event_too_old', text);
  }
  if (known.is_endpoint_disabled) {
    throw new Refusal('conflict', 'endpoint_disabled', 'The endpoint is disabled.');
  }
}

function pending(): Refusal {
  const text = 'The event is already being delivered to this receiver.';
  return new Refusal('conflict', 'delivery_pending', text);
}
