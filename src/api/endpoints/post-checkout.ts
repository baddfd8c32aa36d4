import { z } from 'zod';
import { admitWebhook } from '#api/admit-webhook.ts';
import { protectedEndpoint } from '#api/endpoint.ts';
import { requireNetworks } from '#api/require-networks.ts';
import { timestamp } from '#base/timestamp.ts';
import { checkoutRequestSchema, parseCheckoutRequest } from '#checkout/checkout-request.ts';
import { metaView, paymentMethodsView } from '#checkout/checkout-view.ts';
import { createCheckout } from '#checkout/create-checkout.ts';

export const settlementSchema = z.object({
  assetId: z.string(),
  amount: z.string(),
  netAmount: z.string(),
  fee: z.string(),
});

/** Echoed where it was given, value for value. */
export const metaAnswer = z.record(z.string(), z.unknown()).optional();

/** What was asked for and cannot be done, as far as it does not stop the sale. */
export const warningsAnswer = z.array(z.string()).optional();

export const paymentMethodSchema = z.object({
  assetCode: z.string(),
  blockchain: z.string(),
  network: z.string(),
  relatedAssetId: z.string(),
  paymentAmount: z.string(),
  /** How much of it an anchor keeps. */
  anchorFee: z.string().optional(),
  settlement: settlementSchema,
});

export const postCheckout = protectedEndpoint({
  method: 'POST',
  path: '/checkout',
  auth: 'create',
  summary: 'Create a self-hosted checkout',
  request: checkoutRequestSchema,
  response: z.object({
    id: z.string().length(12),
    paymentMethods: z.array(paymentMethodSchema),
    /** Until then a commit keeps these amounts. */
    quoteExpirationTime: z.string(),
    meta: metaAnswer,
    warnings: warningsAnswer,
  }),
  parse: parseCheckoutRequest,
  beforehand: (app, call, request) => admitWebhook(app, call, request),
  async handle(app, { caller, originUrl }, request) {
    requireNetworks(app, caller);
    await admitWebhook(app, { caller }, request)();
    const { id, offers, quotedUntil, warnings } = await createCheckout(app, caller, request, {
      type: 'SELF_HOSTED',
      origin: 'API',
      originUrl,
    });
    return {
      id,
      paymentMethods: paymentMethodsView(offers),
      quoteExpirationTime: timestamp(quotedUntil),
      ...metaView(request.metaText),
      ...(warnings.length > 0 && { warnings }),
    };
  },
});
