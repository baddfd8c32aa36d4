import { allowAnyCaller } from '#account/allow-list.ts';
import { allowListResult } from './allow-list-command.ts';
import { chooseEnvironment, chooseMerchant } from './choose-account.ts';
import type { Command } from './command.ts';

export const allowListAny: Command = {
  name: 'allow-list any',
  summary: 'let any address call again; withdrawals stay as they are',
  usage: '--environment test|live [--merchant ID]',
  options: { environment: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { values }) {
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    return allowListResult(environment, await allowAnyCaller(app, { merchantId, environment }));
  },
};
