import { Refusal } from '#base/refusal.ts';
import type { Delivery, EventOwner } from './event.ts';
import { listDeliveries } from './list-deliveries.ts';
import { type RedeliverApp, redeliverEvent } from './redeliver-event.ts';

/**
 * Sends an event again to each of its receivers that it is not on its way to.
 * @throws Refusal conflict `event_without_receiver`, and those of `redeliverEvent` when it can be
 * sent to nobody.
 */
export async function redeliverToAll(
  app: RedeliverApp,
  { eventId, ...owner }: EventOwner & { readonly eventId: string },
): Promise<void> {
  const latest = new Map<string, Delivery>();
  for (const delivery of await listDeliveries(app, { ...owner, eventId })) {
    latest.set(`${delivery.endpointId ?? ''} ${delivery.url}`, delivery);
  }
  if (latest.size === 0) {
    const text = 'nobody was to be told: set a webhook, or register an endpoint for later events';
    throw new Refusal('conflict', 'event_without_receiver', text);
  }
  const refusals: Refusal[] = [];
  for (const { id } of latest.values()) {
    try {
      await redeliverEvent(app, { ...owner, deliveryId: id });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length === latest.size && refusals[0] !== undefined) throw refusals[0];
}
