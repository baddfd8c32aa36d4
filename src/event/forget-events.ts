// Events that were told go after a time, with their deliveries and attempts, in batches of old ones
// in order of time. Guarantees: what some receiver has not got stays for ever; what is being sent
// again stays; a cause whose event went is never told again (`told_cause`).
import type { Clock } from '#base/clock.ts';
import type { Db } from '#db/db.ts';
import {
  deleteEvents,
  type EventPlace,
  holdDeliveries,
  holdForgettable,
  listOldEvents,
} from './forget-events-store.ts';

const BATCH = 200;

export type ForgetEventsApp = { readonly db: Db; readonly clock: Clock };

export type ForgottenEvents = {
  readonly forgotten: number;
  /** Where the next batch begins; undefined when all old ones were looked at. */
  readonly after: EventPlace | undefined;
};

/** One batch of old events after that place. */
export async function forgetEvents(
  { db, clock }: ForgetEventsApp,
  { keptDays, after }: { readonly keptDays: number; readonly after: EventPlace | undefined },
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
