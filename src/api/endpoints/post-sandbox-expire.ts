import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { metaAnswer } from '#api/endpoints/post-checkout.ts';
import { requireSandbox } from '#api/require-sandbox.ts';
import { isId } from '#base/id.ts';
import { metaView } from '#checkout/checkout-view.ts';
import { listCheckoutMeta } from '#checkout/list-checkout-meta.ts';
import { fields } from '#money/exact-schema.ts';

export const postSandboxExpire = protectedEndpoint({
  method: 'POST',
  path: '/sandbox/expire',
  auth: 'create',
  summary: 'End the payment window of a test checkout now',
  request: fields({
    checkoutId: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  }),
  response: z.object({ checkoutId: z.string().length(12), meta: metaAnswer }),
  async handle(app, { caller }, { checkoutId }) {
    await requireSandbox(app, caller).expire(caller, { checkoutId });
    const meta = (await listCheckoutMeta(app.db, [checkoutId])).get(checkoutId);
    return { checkoutId, ...metaView(meta) };
  },
});
