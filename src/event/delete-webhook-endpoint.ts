import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import type { EventOwner } from './event.ts';
import { disableWebhookEndpoint } from './webhook-endpoint-store.ts';

/**
 * Nothing more is sent to it, but for an attempt that is under way. Its deliveries stay visible.
 * Repeating it changes nothing.
 * @throws Refusal missing `webhook_endpoint_missing`.
 */
export async function deleteWebhookEndpoint(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  owner: EventOwner,
  id: string,
): Promise<void> {
  const isFound = await db.single((tx) => disableWebhookEndpoint(tx, owner, id, clock.now()));
  if (!isFound) {
    throw new Refusal('missing', 'webhook_endpoint_missing', 'id: no such webhook endpoint');
  }
}
