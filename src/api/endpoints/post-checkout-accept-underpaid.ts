import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { checkoutSchema, requireCheckout } from '#api/endpoints/get-checkout.ts';
import { isId } from '#base/id.ts';
import { acceptUnderpaid } from '#checkout/accept-underpaid.ts';
import { checkoutView } from '#checkout/checkout-view.ts';
import { fields } from '#money/exact-schema.ts';

export const postCheckoutAcceptUnderpaid = protectedEndpoint({
  method: 'POST',
  path: '/checkout/accept-underpaid',
  auth: 'idempotent',
  summary: 'Complete an underpaid checkout with what arrived',
  request: fields({
    checkoutId: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  }),
  response: z.object({ checkout: checkoutSchema }),
  async handle(app, { caller }, { checkoutId }) {
    await acceptUnderpaid(app, { checkoutId, owner: caller });
    return { checkout: checkoutView(app, await requireCheckout(app, caller, checkoutId)) };
  },
});
