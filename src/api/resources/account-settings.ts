// What the account itself may set, for the environment of the key that asks.

import { z } from 'zod';
import { callerOf, protectedEndpoint } from '#api/endpoint.ts';
import { doNoted } from '#audit/act.ts';
import { RISK_LEVELS } from '#catalog/asset.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Reader } from '#db/db.ts';
import {
  CUSTOMER_MAILS,
  changeCustomerMails,
  readCustomerMails,
} from '#merchant/customer-mails.ts';
import { changeRiskTolerance, readRiskTolerance } from '#merchant/merchant.ts';
import { fields } from '#money/exact-schema.ts';
import { faulty } from './shared-fields.ts';

const riskTolerance = z.enum(RISK_LEVELS);
const customerMails = z
  .array(z.enum(CUSTOMER_MAILS))
  .max(CUSTOMER_MAILS.length)
  .meta({ description: 'Mails that customers get; none unless switched on' });
const response = z.object({ accountSettings: z.object({ riskTolerance, customerMails }) });

export const getAccountSettings = protectedEndpoint({
  method: 'GET',
  path: '/account-settings',
  auth: 'read',
  scope: 'settings',
  summary: 'Settings of the account for the environment of the key',
  response,
  handle: (app, { caller }) => shown(app.db, caller),
});

export const putAccountSettings = protectedEndpoint({
  method: 'PUT',
  path: '/account-settings',
  auth: 'idempotent',
  scope: 'settings',
  summary:
    'Change settings of the account; what is absent stays: assets above `riskTolerance` are ' +
    'neither offered nor settled in, open checkouts stay as they are; `customerMails` are all ' +
    'mails that are switched on afterwards',
  request: fields({
    riskTolerance: riskTolerance.optional(),
    customerMails: customerMails.optional(),
  }),
  response,
  async handle(app, { caller }, input) {
    const { riskTolerance, customerMails } = input;
    if (riskTolerance === undefined && customerMails === undefined) {
      throw faulty(['riskTolerance'], 'or customerMails is required');
    }
    const details = { riskTolerance, customerMails: customerMails?.join(',') };
    const act = { ...callerOf(caller), verb: 'merchant-set', details };
    return doNoted(app, { ...act, subject: `merchant:${caller.merchantId}` }, async (within) => {
      if (riskTolerance !== undefined) await changeRiskTolerance(within, caller, riskTolerance);
      if (customerMails !== undefined) await changeCustomerMails(within, caller, customerMails);
      return shown(within.db, caller);
    });
  },
});

async function shown(reader: Reader, owner: Owner) {
  const riskTolerance = await readRiskTolerance(reader, owner);
  const customerMails = [...(await readCustomerMails(reader, owner))];
  return { accountSettings: { riskTolerance, customerMails } };
}
