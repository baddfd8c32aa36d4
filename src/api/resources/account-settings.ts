// What the account itself may set, for the environment of the key that asks.

import { z } from 'zod';
import { callerOf, protectedEndpoint } from '#api/endpoint.ts';
import { doNoted } from '#audit/act.ts';
import { RISK_LEVELS, type RiskLevel } from '#catalog/asset.ts';
import { changeRiskTolerance, readRiskTolerance } from '#merchant/merchant.ts';
import { fields } from '#money/exact-schema.ts';

const riskTolerance = z.enum(RISK_LEVELS);
const response = z.object({ accountSettings: z.object({ riskTolerance }) });

export const getAccountSettings = protectedEndpoint({
  method: 'GET',
  path: '/account-settings',
  auth: 'read',
  scope: 'settings',
  summary: 'Settings of the account for the environment of the key',
  response,
  async handle(app, { caller }) {
    return shown(await readRiskTolerance(app.db, caller));
  },
});

export const putAccountSettings = protectedEndpoint({
  method: 'PUT',
  path: '/account-settings',
  auth: 'idempotent',
  scope: 'settings',
  summary:
    'Change settings of the account: assets above `riskTolerance` are neither offered nor settled ' +
    'in; open checkouts stay as they are',
  request: fields({ riskTolerance }),
  response,
  async handle(app, { caller }, input) {
    const { riskTolerance } = input;
    const act = { ...callerOf(caller), verb: 'merchant-set', details: { riskTolerance } };
    await doNoted(app, { ...act, subject: `merchant:${caller.merchantId}` }, (within) =>
      changeRiskTolerance(within, caller, riskTolerance),
    );
    return shown(riskTolerance);
  },
});

function shown(level: RiskLevel) {
  return { accountSettings: { riskTolerance: level } };
}
