import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { sandboxPaymentsSchema } from '#api/endpoints/post-sandbox-pay.ts';
import { requireSandbox } from '#api/require-sandbox.ts';
import { isId } from '#base/id.ts';
import { fields } from '#money/exact-schema.ts';

export const postSandboxReplace = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/replace',
  auth: 'create',
  summary: 'Replace the unconfirmed payments of a test checkout',
  request: fields({
    checkoutId: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  }),
  response: z.object({ payments: sandboxPaymentsSchema }),
  async handle(app, { caller }, { checkoutId }) {
    return { payments: await requireSandbox(app, caller).replace(caller, { checkoutId }) };
  },
});
