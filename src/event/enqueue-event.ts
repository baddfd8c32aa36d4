import type { Tx } from '#db/db.ts';
import type { Event } from './event.ts';
import { insertEvent } from './event-store.ts';

export type EventToEnqueue = Omit<Event, 'apiKey'> & {
  /** Key whose secret makes X-Webhook-Auth: the one that created the subject. */
  readonly apiKey?: string;
  /** The webhook URL of the subject itself; account-wide endpoints are found here. */
  readonly webhookUrl?: string;
};

/**
 * Writes an event and one delivery for each receiver, in the transaction that changes what it tells
 * of: one pipelined statement, sent with COMMIT. A cause key that was told before fails the
 * transaction with ConstraintViolation `event_cause_key_key`, a sequence that was used before with
 * `event_subject_subject_id_sequence_key`. Wake the delivery loop after the commit.
 */
export function enqueueEvent(tx: Tx, event: EventToEnqueue): void {
  const { webhookUrl } = event;
  // The lane is cut from this text: spellings of one origin must not become two lanes.
  const url = webhookUrl === undefined ? undefined : (URL.parse(webhookUrl)?.href ?? webhookUrl);
  tx.send(insertEvent(event, url));
}
