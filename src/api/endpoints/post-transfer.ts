import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { isNetwork, unknownNetwork } from '#api/require-sandbox.ts';
import { type Decimal, isNegative, isZero } from '#money/decimal.ts';
import { fields, numeric, optional, text } from '#money/exact-schema.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { TRANSFER_STATES } from '#transfer/transfer.ts';
import { transferView } from '#transfer/transfer-view.ts';

const nameMax = 200;

export const aboveZero = (value: Decimal) =>
  isNegative(value) || isZero(value) ? 'must be greater than 0' : undefined;

export const transferSchema = z.object({
  id: z.string().length(12),
  state: z.enum(TRANSFER_STATES),
  network: z.string(),
  assetId: z.string(),
  amount: z.string(),
  networkFee: z.string(),
  fee: z.string(),
  targetAmount: z.string(),
  expirationTime: z.string(),
  tx: z.string().nullable(),
  beneficiaryId: z.string().nullable(),
  failure: z.string().nullable(),
});

export const postTransfer = protectedEndpoint({
  method: 'POST',
  path: '/transfer',
  auth: 'money',
  summary: 'Quote a transfer to a beneficiary; nothing moves before it is committed',
  request: fields({
    network: z.string().refine(isNetwork, unknownNetwork),
    asset: optional(text(nameMax)),
    amount: numeric(aboveZero),
    targetAccount: text(nameMax),
  }),
  response: z.object({ transfer: transferSchema }),
  async handle(app, { caller }, request) {
    return { transfer: transferView(await quoteTransfer(app, caller, request)) };
  },
});
