import { z } from 'zod';
import { admitWebhook } from '#api/admit-webhook.ts';
import { protectedEndpoint } from '#api/endpoint.ts';
import { metaAnswer, warningsAnswer } from '#api/endpoints/post-checkout.ts';
import { requireNetworks } from '#api/require-networks.ts';
import { checkoutRequestSchema, parseCheckoutRequest } from '#checkout/checkout-request.ts';
import { metaView } from '#checkout/checkout-view.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { pageWarnings } from '#checkout/page-warnings.ts';

export const postCheckoutHosted = protectedEndpoint({
  method: 'POST',
  path: '/checkout/hosted',
  auth: 'create',
  summary: 'Create a checkout with a hosted payment page',
  request: checkoutRequestSchema,
  response: z.object({
    id: z.string().length(12),
    url: z.url(),
    // The same value, read by older clients.
    checkoutId: z.string().length(12),
    meta: metaAnswer,
    warnings: warningsAnswer,
  }),
  parse: parseCheckoutRequest,
  beforehand: (app, call, request) => admitWebhook(app, call, request),
  async handle(app, { caller, originUrl }, request) {
    requireNetworks(app, caller);
    await admitWebhook(app, { caller }, request)();
    const { id, url, warnings } = await createCheckout(app, caller, request, {
      type: 'HOSTED',
      origin: 'API',
      originUrl,
    });
    const all = [...warnings, ...(await pageWarnings(app, caller.merchantId, request))];
    return {
      id,
      url,
      checkoutId: id,
      ...metaView(request.metaText),
      ...(all.length > 0 && { warnings: all }),
    };
  },
});
