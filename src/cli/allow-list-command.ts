import type { allowAddress } from '#merchant/change-allow-list.ts';
import { chooseEnvironment, chooseMerchant } from './choose-account.ts';
import { type Command, onePositional } from './command.ts';

/** A verb that changes the list of who may call by one address, and shows what is on it then. */
export function allowListCommand(
  name: string,
  summary: string,
  change: typeof allowAddress,
): Command {
  return {
    name,
    summary,
    usage: 'ADDRESS --environment test|live [--merchant ID]',
    options: { environment: { type: 'string' }, merchant: { type: 'string' } },
    async run(context, { positionals, values }) {
      const address = onePositional(positionals, 'the address or range');
      const environment = chooseEnvironment(values);
      const app = await context.openApp();
      const merchantId = await chooseMerchant(app, values);
      const addresses = await change(app, { merchantId, environment }, address);
      return { text: addresses.join('\n'), json: { environment, addresses } };
    },
  };
}
