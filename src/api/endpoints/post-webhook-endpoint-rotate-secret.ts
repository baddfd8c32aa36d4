import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { count } from '#api/endpoints/post-sandbox-pay.ts';
import { webhookEndpointSchema } from '#api/endpoints/post-webhook-endpoint.ts';
import { isId } from '#base/id.ts';
import { rotateWebhookEndpointSecret } from '#event/rotate-webhook-endpoint-secret.ts';
import { webhookEndpointView } from '#event/webhook-endpoint.ts';
import { fields, optional } from '#money/exact-schema.ts';

const overlapHoursMax = 24;

export const postEndpointRotateSecret = protectedEndpoint({
  method: 'POST',
  path: '/webhook-endpoint/rotate-secret',
  auth: 'create',
  scope: 'settings',
  summary:
    'A new secret for an account-wide receiver, told here only; the old one signs beside it for ' +
    '`overlapHours` (0 to 24, 24 unless given)',
  request: fields({
    id: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
    overlapHours: optional(count(overlapHoursMax, 0)),
  }),
  response: z.object({ webhookEndpoint: webhookEndpointSchema, secret: z.string() }),
  async handle(app, { caller }, { id, overlapHours }) {
    const hours = overlapHours === undefined ? overlapHoursMax : Number(overlapHours.coefficient);
    const rotated = await rotateWebhookEndpointSecret(app, caller, { id, overlapHours: hours });
    return { webhookEndpoint: webhookEndpointView(rotated.endpoint), secret: rotated.secret };
  },
});
