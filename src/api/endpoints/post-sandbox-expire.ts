import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { requireSandbox } from '#api/require-sandbox.ts';
import { isId } from '#base/id.ts';
import { fields } from '#money/exact-schema.ts';

export const postSandboxExpire = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/expire',
  auth: 'create',
  summary: 'End the payment window of a test checkout now',
  request: fields({
    checkoutId: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  }),
  response: z.object({ checkoutId: z.string().length(12) }),
  async handle(app, { caller }, { checkoutId }) {
    await requireSandbox(app, caller).expire(caller, { checkoutId });
    return { checkoutId };
  },
});
