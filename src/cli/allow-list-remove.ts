import { forbidAddress } from '#merchant/change-allow-list.ts';
import { chooseEnvironment, chooseMerchant } from './choose-account.ts';
import { type Command, onePositional } from './command.ts';

export const allowListRemove: Command = {
  name: 'allow-list remove',
  summary: 'take an address or CIDR range off the list',
  usage: 'ADDRESS --environment test|live [--merchant ID]',
  options: { environment: { type: 'string' }, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const address = onePositional(positionals, 'the address or range');
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const addresses = await forbidAddress(app, { merchantId, environment }, address);
    return { text: addresses.join('\n'), json: { environment, addresses } };
  },
};
