import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { fields, omittable, textUpTo } from '#money/exact-schema.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { findTransfer, listTransfers, TRANSFER_STATES, transferView } from '#transfer/transfer.ts';
import {
  amountAboveZero,
  idField,
  named,
  networkField,
  nextCursor,
  pageQuery,
  parsePage,
  shownId,
} from './shared-fields.ts';

const NAME_MAX = 200;

/** In another asset: the house pays it. */
export const gasFeeSchema = z
  .object({ assetId: z.string(), amount: z.string() })
  .meta({ id: 'GasFee' })
  .nullable();

/** Stellar: where its receiver finds it, and from when on we may take it back. */
export const claimableSchema = z
  .object({ id: z.string(), reclaimableFrom: z.string().nullable() })
  .meta({ id: 'ClaimableBalance' })
  .nullable();

export const transferSchema = z
  .object({
    id: shownId,
    state: z.enum(TRANSFER_STATES),
    network: z.string(),
    assetId: z.string(),
    amount: z.string(),
    networkFee: z.string(),
    fee: z.string(),
    targetAmount: z.string(),
    expirationTime: z.string(),
    tx: z.string().nullable(),
    gasFee: gasFeeSchema,
    beneficiaryId: z.string().nullable(),
    failure: z.string().nullable(),
    /** Of one that is RETURNED: what came back. */
    stuckSince: z.string().nullable(),
    claimableBalance: claimableSchema,
    returnedAmount: z.string().nullable(),
  })
  .meta({ id: 'Transfer' });

const transferAnswer = z.object({ transfer: transferSchema }).meta({ id: 'TransferAnswer' });
const transferReference = fields({ transferId: idField }).meta({ id: 'TransferReference' });

export const postTransfer = protectedEndpoint({
  method: 'POST',
  path: '/transfer',
  operationId: 'createTransfer',
  auth: 'money',
  summary: 'Quote a transfer to a beneficiary; nothing moves before it is committed',
  request: fields({
    network: networkField,
    asset: omittable(textUpTo(NAME_MAX)),
    amount: amountAboveZero,
    targetAccount: textUpTo(NAME_MAX),
  }).meta({ id: 'CreateTransferRequest' }),
  response: transferAnswer,
  async handle(app, { caller }, request) {
    return { transfer: transferView(await quoteTransfer(app, caller, request)) };
  },
});

export const postTransferCommit = protectedEndpoint({
  method: 'POST',
  path: '/transfer/commit',
  operationId: 'commitTransfer',
  auth: 'money',
  summary: 'Send a quoted transfer; a repeat answers with it as it stands',
  request: transferReference,
  response: transferAnswer,
  async handle(app, { caller }, { transferId }) {
    return { transfer: transferView(await commitTransfer(app, caller, transferId)) };
  },
});

export const postTransferCancel = protectedEndpoint({
  method: 'POST',
  path: '/transfer/cancel',
  operationId: 'cancelTransfer',
  auth: 'money',
  summary: 'Take back a transfer that a person has to send and nobody was told of yet',
  request: transferReference,
  response: transferAnswer,
  async handle(app, { caller }, { transferId }) {
    // Whoever was told how to send it may have sent it: only the operator takes it back then.
    const said = { actor: `key ${caller.apiKey}`, reason: 'by the merchant', isNotSent: false };
    const sending = { ...app, ...transferGrounds(app) };
    return { transfer: transferView(await cancelSending(sending, transferId, said, caller)) };
  },
});

export const getTransfer = protectedEndpoint({
  method: 'GET',
  path: '/transfer',
  operationId: 'getTransfer',
  auth: 'read',
  scope: 'money',
  summary: 'State of a transfer',
  request: fields(named),
  response: transferAnswer,
  async handle(app, { caller }, { id }) {
    const found = isId(id) ? await findTransfer(app, caller, id) : undefined;
    if (found === undefined) throw new Refusal('missing', 'transfer_missing', 'no such transfer');
    return { transfer: transferView(found) };
  },
});

export const getTransfers = protectedEndpoint({
  method: 'GET',
  path: '/transfers',
  operationId: 'listTransfers',
  auth: 'read',
  scope: 'money',
  summary: 'Transfers, newest first',
  request: fields(pageQuery),
  response: z
    .object({ transfers: z.array(transferSchema), nextCursor })
    .meta({ id: 'TransferPage' }),
  async handle(app, { caller }, input) {
    const page = await listTransfers(app, caller, parsePage(input));
    return { transfers: page.shown.map(transferView), nextCursor: page.nextCursor };
  },
});
