import { listAllowedAddresses } from '#account/allow-list.ts';
import { allowListResult } from './allow-list-command.ts';
import { chooseEnvironment, chooseMerchant } from './choose-account.ts';
import type { Command } from './command.ts';

export const allowListList: Command = {
  name: 'allow-list list',
  summary: 'show which addresses may call, and which may move money out',
  usage: '--environment test|live [--merchant ID]',
  options: { environment: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { values }) {
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const owner = { merchantId, environment };
    return allowListResult(environment, await listAllowedAddresses(app.db, owner));
  },
};
