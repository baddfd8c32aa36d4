import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { REFUND_KINDS } from '#checkout/checkout-refund.ts';
import { type ExactJson, isJsonObject } from '#money/exact-json.ts';
import { checkShape, faultAt, fields, isGiven, omittable, textUpTo } from '#money/exact-schema.ts';
import { destinationTag, MEMO_TYPES } from '#people/account-fields.ts';
import { createRefund } from '#refund/create-refund.ts';
import { findRefund, listRefunds, refundView } from '#refund/refund.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { checkoutRefundSchema } from './checkout-schema.ts';
import {
  amountAboveZero,
  idField,
  metaAnswer,
  named,
  nextCursor,
  pageQuery,
  parsePage,
} from './shared-fields.ts';
import { claimableSchema, gasFeeSchema } from './transfer.ts';

const NAME_MAX = 200;
/** An invoice of Lightning with many ways to its receiver. */
const ADDRESS_MAX = 4000;
const MEMO_MAX = 64;
const BESIDE_ADDRESS = ['memo', 'memoType', 'destinationTag', 'holder'] as const;

const refundRequest = fields({
  checkoutId: idField,
  kind: z.enum(REFUND_KINDS),
  amount: omittable(amountAboveZero),
  /** On Lightning: a lightning address, an LNURL, or an invoice for exactly what is refunded. */
  address: omittable(textUpTo(ADDRESS_MAX)),
  /** What an exchange asks for beside its address; on the XRP Ledger also a destination tag. */
  memo: omittable(textUpTo(MEMO_MAX)),
  memoType: omittable(z.enum(MEMO_TYPES)),
  destinationTag: omittable(destinationTag),
  /** Whose bank account it is. */
  holder: omittable(textUpTo(NAME_MAX)),
  /** Where the customer paid in several ways; the last one when absent. */
  network: omittable(textUpTo(NAME_MAX)),
  asset: omittable(textUpTo(NAME_MAX)),
}).meta({ id: 'CreateRefundRequest' });

const refundSchema = checkoutRefundSchema
  .extend({
    /** The most that the network takes, and what it took once that is known; in the asset. */
    networkFee: z.string(),
    gasFee: gasFeeSchema,
    claimableBalance: claimableSchema,
    claimUrl: z.string().nullable(),
    claimableUntil: z.string().nullable(),
    /** Of one to a new address above a limit: it is not sent before, and can be cancelled. */
    restsUntil: z.string().nullable(),
    /** Of its checkout. */
    meta: metaAnswer,
  })
  .meta({ id: 'Refund' });

const refundAnswer = z.object({ refund: refundSchema }).meta({ id: 'RefundAnswer' });

export const postRefund = protectedEndpoint({
  method: 'POST',
  path: '/refund',
  operationId: 'createRefund',
  auth: 'money',
  summary: 'Send money of a checkout back; without `address` the payer gets a link to claim it',
  request: refundRequest,
  response: refundAnswer,
  parse: parseRefund,
  async handle(app, { caller }, request) {
    return { refund: refundView(app, await createRefund(app, caller, request)) };
  },
});

export const postRefundCancel = protectedEndpoint({
  method: 'POST',
  path: '/refund/cancel',
  operationId: 'cancelRefund',
  auth: 'money',
  summary: 'Take back a refund that is not sent yet, and that nobody was told how to send',
  request: fields({ refundId: idField }).meta({ id: 'CancelRefundRequest' }),
  response: refundAnswer,
  async handle(app, { caller }, { refundId }) {
    const found = await findRefund(app, caller, refundId);
    if (found === undefined) throw new Refusal('missing', 'refund_missing', 'no such refund');
    const said = { actor: `key ${caller.apiKey}`, reason: 'by the merchant', isNotSent: false };
    await cancelSending({ ...app, ...transferGrounds(app) }, found.transferId, said);
    return { refund: refundView(app, (await findRefund(app, caller, refundId)) ?? found) };
  },
});

export const getRefund = protectedEndpoint({
  method: 'GET',
  path: '/refund',
  operationId: 'getRefund',
  auth: 'read',
  scope: 'money',
  summary: 'State of a refund',
  request: fields(named),
  response: refundAnswer,
  async handle(app, { caller }, { id }) {
    const found = isId(id) ? await findRefund(app, caller, id) : undefined;
    if (found === undefined) throw new Refusal('missing', 'refund_missing', 'no such refund');
    return { refund: refundView(app, found) };
  },
});

export const getRefunds = protectedEndpoint({
  method: 'GET',
  path: '/refunds',
  operationId: 'listRefunds',
  auth: 'read',
  scope: 'money',
  summary: 'Refunds, newest first',
  request: fields(pageQuery),
  response: z.object({ refunds: z.array(refundSchema), nextCursor }).meta({ id: 'RefundPage' }),
  async handle(app, { caller }, input) {
    const page = await listRefunds(app, caller, parsePage(input));
    const refunds = page.shown.map((refund) => refundView(app, refund));
    return { refunds, nextCursor: page.nextCursor };
  },
});

function parseRefund(input: ExactJson): z.output<typeof refundRequest> {
  const faults: string[] = [];
  const request = checkShape(refundRequest, input, faults);
  if (isJsonObject(input)) {
    const hasAmount = isGiven(input.amount);
    if (input.kind === 'amount' && !hasAmount) faults.push(faultAt(['amount'], 'is required'));
    if ((input.kind === 'full' || input.kind === 'excess') && hasAmount) {
      faults.push(faultAt(['amount'], `must not be given with the kind ${input.kind}`));
    }
  }
  if (isJsonObject(input) && !isGiven(input.address)) {
    const alone = BESIDE_ADDRESS.filter((field) => isGiven(input[field]));
    faults.push(...alone.map((field) => faultAt([field], 'must not be given without address')));
  }
  if (isJsonObject(input) && isGiven(input.memoType) && !isGiven(input.memo)) {
    faults.push(faultAt(['memo'], 'is required with memoType'));
  }
  if (request === undefined || faults.length > 0) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  return request;
}
