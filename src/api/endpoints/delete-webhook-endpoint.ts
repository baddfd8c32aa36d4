import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { isId } from '#base/id.ts';
import { deleteWebhookEndpoint as stopSending } from '#event/delete-webhook-endpoint.ts';
import { fields } from '#money/exact-schema.ts';

export const deleteWebhookEndpoint = protectedEndpoint({
  method: 'DELETE',
  path: '/webhook-endpoint',
  auth: 'idempotent',
  scope: 'settings',
  summary: 'Send nothing more to an account-wide receiver',
  request: fields({
    id: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  }),
  response: z.object({ webhookEndpointId: z.string().length(12) }),
  async handle(app, { caller }, { id }) {
    await stopSending(app, caller, id);
    return { webhookEndpointId: id };
  },
});
