import { z } from 'zod';
import type { Caller } from '#account/caller.ts';
import { type ApiApp, protectedEndpoint } from '#api/endpoint.ts';
import { Refusal } from '#base/refusal.ts';
import { webUrl } from '#checkout/checkout-request.ts';
import { refuseTarget } from '#event/admit-target.ts';
import { createWebhookEndpoint } from '#event/create-webhook-endpoint.ts';
import { EVENT_TYPES, type EventType } from '#event/event.ts';
import { mayHear, scopesToHear } from '#event/event-scopes.ts';
import { webhookEndpointView } from '#event/webhook-endpoint.ts';
import { fields, optional } from '#money/exact-schema.ts';

export const webhookEndpointSchema = z.object({
  id: z.string().length(12),
  url: z.string(),
  eventTypes: z.array(z.enum(EVENT_TYPES)).nullable(),
  created: z.string(),
  disabled: z.string().nullable(),
});

export const postWebhookEndpoint = protectedEndpoint({
  method: 'POST',
  path: '/webhook-endpoint',
  auth: 'create',
  scope: 'settings',
  summary:
    'Register a receiver of the events of the whole account, of all types unless some are named; ' +
    'the secret that signs them is told here only',
  request: fields({
    url: webUrl,
    eventTypes: optional(z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length)),
  }),
  response: z.object({ webhookEndpoint: webhookEndpointSchema, secret: z.string() }),
  beforehand(app, { caller }, { url }) {
    return () => refuseUrl(app, caller, url);
  },
  async handle(app, { caller }, { url, eventTypes }) {
    refuseUnheard(caller, eventTypes);
    await refuseUrl(app, caller, url);
    const { endpoint, secret } = await createWebhookEndpoint(app, caller, { url, eventTypes });
    return { webhookEndpoint: webhookEndpointView(endpoint), secret };
  },
});

function refuseUrl(app: ApiApp, { environment }: Caller, url: string): Promise<void> {
  return refuseTarget(app, environment, { path: 'url', url });
}

/** A receiver hears no more than the key that registers it may ask for. */
function refuseUnheard({ scopes }: Caller, wanted: readonly EventType[] = EVENT_TYPES): void {
  const unheard = wanted.find((type) => !mayHear(scopes, type));
  if (unheard === undefined) return;
  const missing = scopesToHear(unheard).join(' or ');
  const message = `${unheard} is told to keys with the scope ${missing}: name other eventTypes`;
  throw new Refusal('forbidden', 'scope_missing', message);
}
