import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { webUrl } from '#checkout/checkout-request.ts';
import { createWebhookEndpoint } from '#event/create-webhook-endpoint.ts';
import { EVENT_TYPES } from '#event/event.ts';
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
  summary:
    'Register a receiver of the events of the whole account, of all types unless some are named; ' +
    'the secret that signs them is told here only',
  request: fields({
    url: webUrl,
    eventTypes: optional(z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length)),
  }),
  response: z.object({ webhookEndpoint: webhookEndpointSchema, secret: z.string() }),
  async handle(app, { caller }, { url, eventTypes }) {
    const { endpoint, secret } = await createWebhookEndpoint(app, caller, { url, eventTypes });
    return { webhookEndpoint: webhookEndpointView(endpoint), secret };
  },
});
