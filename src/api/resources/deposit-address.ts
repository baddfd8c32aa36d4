import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { findDepositAddress, listDepositAddresses } from '#deposit-address/deposit-address.ts';
import { depositAddressView } from '#deposit-address/deposit-address-view.ts';
import { stringifyExact } from '#money/exact-json.ts';
import { fields, metaObject, omittable, textUpTo, webUrl } from '#money/exact-schema.ts';
import {
  admitWebhook,
  metaAnswer,
  named,
  nextCursor,
  pageQuery,
  parsePage,
  shownId,
} from './shared-fields.ts';

const NAME_MAX = 200;

const depositAddressSchema = z
  .object({
    id: shownId,
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
    timestamp: z.string(),
    meta: metaAnswer,
  })
  .meta({ id: 'DepositAddress' });

const depositAddressAnswer = z
  .object({ depositAddress: depositAddressSchema })
  .meta({ id: 'DepositAddressAnswer' });

export const postDepositAddress = protectedEndpoint({
  method: 'POST',
  path: '/deposit-address',
  operationId: 'createDepositAddress',
  auth: 'create',
  summary: 'A dedicated address that may be paid any number of times, watched for ever',
  request: fields({
    network: textUpTo(NAME_MAX),
    asset: omittable(textUpTo(NAME_MAX)),
    label: omittable(textUpTo(NAME_MAX)),
    webhook: omittable(webUrl),
    meta: omittable(metaObject),
  }).meta({ id: 'CreateDepositAddressRequest' }),
  response: depositAddressAnswer,
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

export const getDepositAddress = protectedEndpoint({
  method: 'GET',
  path: '/deposit-address',
  operationId: 'getDepositAddress',
  auth: 'read',
  summary: 'A deposit address',
  request: fields(named),
  response: depositAddressAnswer,
  async handle(app, { caller }, { id }) {
    const found = isId(id) ? await findDepositAddress(app, caller, id) : undefined;
    if (found === undefined) {
      throw new Refusal('missing', 'deposit_address_missing', 'no such deposit address');
    }
    return { depositAddress: depositAddressView(found) };
  },
});

export const getDepositAddresses = protectedEndpoint({
  method: 'GET',
  path: '/deposit-addresses',
  operationId: 'listDepositAddresses',
  auth: 'read',
  summary: 'Deposit addresses, newest first',
  request: fields(pageQuery),
  response: z
    .object({ depositAddresses: z.array(depositAddressSchema), nextCursor })
    .meta({ id: 'DepositAddressPage' }),
  async handle(app, { caller }, input) {
    const page = await listDepositAddresses(app, caller, parsePage(input));
    return {
      depositAddresses: page.depositAddresses.map(depositAddressView),
      nextCursor: page.nextCursor,
    };
  },
});
