import { removeDomain } from '#account/domain.ts';
import { chooseMerchant } from './choose-account.ts';
import { type Command, onePositional } from './command.ts';

export const merchantDomainRemove: Command = {
  name: 'merchant domain remove',
  summary: 'take the claim of a domain back',
  usage: 'HOST [--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const text = onePositional(positionals, 'the host');
    const app = await context.openApp();
    const host = await removeDomain(app, await chooseMerchant(app, values), text);
    const kept = 'Links that were handed out work for as long as its DNS leads here.';
    return { text: `${host} is removed. ${kept}`, json: { host, removed: true } };
  },
};
