import { z } from 'zod';
import { admitWebhook } from '#api/admit-webhook.ts';
import { protectedEndpoint } from '#api/endpoint.ts';
import { webUrl } from '#checkout/checkout-request.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { depositAddressView } from '#deposit-address/deposit-address-view.ts';
import { stringifyExact } from '#money/exact-json.ts';
import { fields, metaObject, optional, text } from '#money/exact-schema.ts';

const nameMax = 200;

export const depositAddressSchema = z.object({
  id: z.string().length(12),
  network: z.string(),
  assetId: z.string(),
  address: z.string(),
  memo: z.string().nullable(),
  memoType: z.string().nullable(),
  destinationTag: z.int().optional(),
  paymentUri: z.string().nullable(),
  lightningAddress: z.string().optional(),
  lnurl: z.string().optional(),
  label: z.string().nullable(),
  webhook: z.string().nullable(),
  created: z.string(),
  meta: z.record(z.string(), z.unknown()).optional(),
});

export const postDepositAddress = protectedEndpoint({
  method: 'POST',
  path: '/deposit-address',
  auth: 'create',
  summary: 'A dedicated address that may be paid any number of times, watched for ever',
  request: fields({
    network: text(nameMax),
    asset: optional(text(nameMax)),
    label: optional(text(nameMax)),
    webhook: optional(webUrl),
    meta: optional(metaObject),
  }),
  response: z.object({ depositAddress: depositAddressSchema }),
  beforehand: (app, call, request) => admitWebhook(app, call, request),
  async handle(app, { caller }, { network, asset, label, webhook, meta }) {
    await admitWebhook(app, { caller }, { webhook })();
    const made = await createDepositAddress(app, caller, {
      network,
      assetId: asset,
      label,
      webhook,
      metaText: meta === undefined ? undefined : stringifyExact(meta),
    });
    return { depositAddress: depositAddressView(made) };
  },
});
