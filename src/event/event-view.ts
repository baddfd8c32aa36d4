// The wire form of an event in lists: exactly what was sent, and how far each sending has come.

import { assert } from '#base/assert.ts';
import { timestamp } from '#base/timestamp.ts';
import { parseExactJson } from '#money/exact-json.ts';
import type { Delivery, Event } from './event.ts';

type JsonObject = { readonly [name: string]: unknown };

export function eventView({ body }: Event, deliveries: readonly Delivery[]): JsonObject {
  const parsed = parseExactJson(body);
  assert(parsed.ok && typeof parsed.value === 'object', 'the body of an event is a JSON object');
  return { ...parsed.value, deliveries: deliveries.map(deliveryView) };
}

function deliveryView(delivery: Delivery): JsonObject {
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
