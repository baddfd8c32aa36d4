import { doNoted } from '#audit/act.ts';
import {
  addDomain,
  domainOrigin,
  getDomain,
  listDomains,
  type MerchantDomain,
  proofName,
  removeDomain,
} from '#merchant/domain.ts';
import { textRecordsBy, verifyDomain } from '#merchant/verify-domain.ts';
import { BY_OPTION, BY_USAGE, type Command, onePositional, type Values, whoOf } from './command.ts';
import { chooseMerchant } from './merchant.ts';

/** What is noted of a host of a merchant, and who says so. */
function actOn(host: string, merchantId: string, values: Values) {
  return { actor: whoOf(values), subject: `domain:${host.trim().toLowerCase()}`, merchantId };
}

export const merchantDomainAdd: Command = {
  name: 'merchant domain add',
  summary: 'claim a domain for the hosted pages of a merchant',
  usage: `HOST [--merchant ID] ${BY_USAGE}`,
  options: { ...BY_OPTION, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const text = onePositional(positionals, 'the host');
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const act = { ...actOn(text, merchantId, values), verb: 'domain-add' };
    const domain = await doNoted(app, act, (within) => addDomain(within, merchantId, text));
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

export const merchantDomainVerify: Command = {
  name: 'merchant domain verify',
  summary: 'look for the proof of a claimed domain and serve pages under it',
  usage: `HOST [--merchant ID] ${BY_USAGE}`,
  options: { ...BY_OPTION, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const text = onePositional(positionals, 'the host');
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const { host } = await getDomain(app.db, merchantId, text);
    // Name servers are asked before the transaction, not in it.
    const records = await textRecordsBy({ servers: app.config.dnsServers })(proofName(host));
    const act = { ...actOn(host, merchantId, values), verb: 'domain-verify' };
    const domain = await doNoted(app, act, (within) =>
      verifyDomain(within, async () => records, merchantId, text),
    );
    const origin = domainOrigin(domain.host);
    return {
      text: `${domain.host} is verified. Checkouts created from now on have their pages at ${origin}.`,
      json: { domain: domainJson(domain) },
    };
  },
};

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

export const merchantDomainRemove: Command = {
  name: 'merchant domain remove',
  summary: 'take the claim of a domain back',
  usage: `HOST [--merchant ID] ${BY_USAGE}`,
  options: { ...BY_OPTION, merchant: { type: 'string' } },
  async run(context, { positionals, values }) {
    const text = onePositional(positionals, 'the host');
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const act = { ...actOn(text, merchantId, values), verb: 'domain-remove' };
    const host = await doNoted(app, act, (within) => removeDomain(within, merchantId, text));
    const kept = 'Links that were handed out work for as long as its DNS leads here.';
    return { text: `${host} is removed. ${kept}`, json: { host, removed: true } };
  },
};

/** A domain as programs read it. */
function domainJson(domain: MerchantDomain): object {
  const { merchantId, host, proofToken, addedAt, verifiedAt, lastCheckedAt } = domain;
  return {
    merchantId,
    host,
    record: { type: 'TXT', name: proofName(host), value: proofToken },
    addedAt: addedAt.toString(),
    verifiedAt: verifiedAt?.toString() ?? null,
    lastCheckedAt: lastCheckedAt?.toString() ?? null,
  };
}

/** One line for people. */
function domainLine({ host, verifiedAt, lastCheckedAt }: MerchantDomain): string {
  const day = (at: Temporal.Instant) => at.toString({ smallestUnit: 'minute' });
  const state =
    verifiedAt === undefined
      ? 'not verified'
      : `verified ${day(verifiedAt)}, checked ${day(lastCheckedAt ?? verifiedAt)}`;
  return `${host}  ${state}`;
}
