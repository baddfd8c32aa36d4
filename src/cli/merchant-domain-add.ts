import { addDomain } from '#account/domain.ts';
import { proofName } from '#account/domain-name.ts';
import { chooseMerchant } from './choose-account.ts';
import { type Command, onePositional } from './command.ts';
import { domainJson } from './domain-result.ts';

export const merchantDomainAdd: Command = {
  name: 'merchant domain add',
  summary: 'claim a domain for the hosted pages of a merchant',
  usage: 'HOST [--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const text = onePositional(positionals, 'the host');
    const app = await context.openApp();
    const domain = await addDomain(app, await chooseMerchant(app, values), text);
    const { host, proofToken } = domain;
    const server = new URL(app.publicUrl).hostname;
    const lines = [
      `${host} is claimed. Set these records in its DNS:`,
      '',
      `  ${proofName(host)}  TXT    ${proofToken}`,
      `  ${host}  CNAME  ${server}   (or A and AAAA: the addresses of the proxy in front)`,
      '',
      `Let the proxy serve ${host} with a certificate and pass its Host header on`,
      `(docs/operate/own-domain.md), then: npx quittance merchant domain verify ${host}`,
    ];
    return { text: lines.join('\n'), json: { domain: domainJson(domain) } };
  },
};
