import { listDomains } from '#account/domain.ts';
import { chooseMerchant } from './choose-account.ts';
import type { Command } from './command.ts';
import { domainJson, domainLine } from './domain-result.ts';

export const merchantDomainList: Command = {
  name: 'merchant domain list',
  summary: 'list the domains of a merchant',
  usage: '[--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { values }) {
    const app = await context.openApp();
    const domains = await listDomains(app.db, await chooseMerchant(app, values));
    return {
      text: domains.length === 0 ? 'no domains' : domains.map(domainLine).join('\n'),
      json: { domains: domains.map(domainJson) },
    };
  },
};
