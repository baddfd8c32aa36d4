// Account-wide receivers of events, beside the webhook URL of each checkout (api-contract.md 7).

import { timestamp } from '#base/timestamp.ts';
import type { EventOwner, EventType } from './event.ts';

export type WebhookEndpoint = EventOwner & {
  readonly id: string;
  readonly url: string;
  /** Undefined means all. */
  readonly eventTypes: readonly EventType[] | undefined;
  /** Key whose secret makes X-Webhook-Auth. */
  readonly apiKey: string | undefined;
  readonly createdAt: Temporal.Instant;
  /** Deleted by the merchant, or switched off by its own answer 410. */
  readonly disabledAt: Temporal.Instant | undefined;
};

/** Receivers of one account in one environment at a time. */
export const webhookEndpointsMost = 20;

export function webhookEndpointView(endpoint: WebhookEndpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    eventTypes: endpoint.eventTypes ?? null,
    created: timestamp(endpoint.createdAt),
    disabled: endpoint.disabledAt === undefined ? null : timestamp(endpoint.disabledAt),
  };
}
