import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { checkoutSchema, requireCheckout } from '#api/endpoints/get-checkout.ts';
import { isId } from '#base/id.ts';
import { cancelCheckout } from '#checkout/cancel-checkout.ts';
import { checkoutView } from '#checkout/checkout-view.ts';
import { fields } from '#money/exact-schema.ts';

export const postCheckoutCancel = protectedEndpoint({
  method: 'POST',
  path: '/checkout/cancel',
  auth: 'idempotent',
  summary: 'Cancel a checkout that no money was seen for; what still arrives is still credited',
  request: fields({
    checkoutId: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  }),
  response: z.object({ checkout: checkoutSchema }),
  async handle(app, { caller }, { checkoutId }) {
    await cancelCheckout(app, { checkoutId, owner: caller });
    return { checkout: checkoutView(app, await requireCheckout(app, caller, checkoutId)) };
  },
});
