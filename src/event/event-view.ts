// The wire form of an event in lists: exactly what was sent, and how far each sending has come.

import { timestamp } from '#base/timestamp.ts';
import type { Delivery, Event } from './event.ts';
import { parseEventBody } from './event-body.ts';

export function eventView({ body }: Event, deliveries: readonly Delivery[]) {
  return { ...parseEventBody(body), deliveries: deliveries.map(deliveryView) };
}

function deliveryView(delivery: Delivery) {
  const last = delivery.attempts.at(-1);
  const isPending = delivery.state === 'PENDING';
  return {
    url: delivery.url,
    webhookEndpointId: delivery.endpointId ?? null,
    state: delivery.state,
    attempts: delivery.attemptCount,
    lastStatus: last?.status ?? null,
    lastError: last?.error ?? null,
    nextAttempt: isPending ? timestamp(delivery.nextAttemptAt) : null,
    finished: delivery.finishedAt === undefined ? null : timestamp(delivery.finishedAt),
    reason: delivery.reason ?? null,
  };
}
