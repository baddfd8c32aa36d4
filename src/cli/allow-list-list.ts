import { listAllowedAddresses } from '#merchant/change-allow-list.ts';
import { chooseEnvironment, chooseMerchant } from './choose-account.ts';
import type { Command } from './command.ts';

export const allowListList: Command = {
  name: 'allow-list list',
  summary: 'show which addresses may call',
  usage: '--environment test|live [--merchant ID]',
  options: { environment: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { values }) {
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const addresses = await listAllowedAddresses(app.db, { merchantId, environment });
    const empty = 'Nothing is listed, so any address may call, but money-moving calls are closed.';
    const text = addresses.length === 0 ? empty : addresses.join('\n');
    return { text, json: { environment, addresses } };
  },
};
