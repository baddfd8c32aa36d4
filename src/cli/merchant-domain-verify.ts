import { domainOrigin } from '#account/domain-name.ts';
import { textRecordsBy } from '#account/find-text-records.ts';
import { verifyDomain } from '#account/verify-domain.ts';
import { chooseMerchant } from './choose-account.ts';
import { type Command, onePositional } from './command.ts';
import { domainJson } from './domain-result.ts';

export const merchantDomainVerify: Command = {
  name: 'merchant domain verify',
  summary: 'look for the proof of a claimed domain and serve pages under it',
  usage: 'HOST [--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const text = onePositional(positionals, 'the host');
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const findTextRecords = textRecordsBy({ servers: app.config.dnsServers });
    const domain = await verifyDomain(app, findTextRecords, merchantId, text);
    const origin = domainOrigin(domain.host);
    return {
      text: `${domain.host} is verified. Checkouts created from now on have their pages at ${origin}.`,
      json: { domain: domainJson(domain) },
    };
  },
};
