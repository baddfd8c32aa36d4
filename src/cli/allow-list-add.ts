import { allowAddress } from '#merchant/change-allow-list.ts';
import { chooseEnvironment, chooseMerchant } from './choose-account.ts';
import { type Command, onePositional } from './command.ts';

export const allowListAdd: Command = {
  name: 'allow-list add',
  summary: 'let an address or CIDR range call; money-moving calls need one',
  usage: 'ADDRESS --environment test|live [--merchant ID]',
  options: { environment: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const address = onePositional(positionals, 'the address or range');
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const addresses = await allowAddress(app, { merchantId, environment }, address);
    return { text: addresses.join('\n'), json: { environment, addresses } };
  },
};
