import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { webhookEndpointSchema } from '#api/endpoints/post-webhook-endpoint.ts';
import { nextCursor, pageQuery, parsePage } from '#api/page-query.ts';
import { listWebhookEndpoints } from '#event/list-webhook-endpoints.ts';
import { webhookEndpointView } from '#event/webhook-endpoint.ts';
import { fields } from '#money/exact-schema.ts';

export const getWebhookEndpoints = protectedEndpoint({
  method: 'GET',
  path: '/webhook-endpoints',
  auth: 'read',
  scope: 'settings',
  summary: 'Account-wide receivers of events, newest first, deleted ones included',
  request: fields(pageQuery),
  response: z.object({ webhookEndpoints: z.array(webhookEndpointSchema), nextCursor }),
  async handle(app, { caller }, input) {
    const page = await listWebhookEndpoints(app, caller, parsePage(input));
    return {
      webhookEndpoints: page.endpoints.map(webhookEndpointView),
      nextCursor: page.nextCursor,
    };
  },
});
