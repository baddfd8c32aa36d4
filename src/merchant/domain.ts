// Hosts that merchants claim for their pages, and the SQL of their table.
//
// There is one spelling of each: ASCII (IDNA as in URL Standard 3.3), lower case,
// no dot at the end, no port. What is compared is that spelling, so that a look-alike is another
// host and another way to write a host is the same one.
//
// What the TXT records of a host say about who owns it: only the token of this one claim proves it,
// and only when no other claim of it stands beside: who moves a domain from one account to another
// takes the old record away first.

import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
import { defineTable, moment, optional, type Row, selectOnly, text } from '#db/table.ts';
import { createBatch } from '#runtime/batch.ts';
import { lockMerchant } from './merchant.ts';

/** With the label in front a name of DNS stays within 253 characters (RFC 1035, 2.3.4). */
const HOST_LENGTH_MAX = 230;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** No address: the last label of a name begins with a letter. */
const NAME = new RegExp(`^(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`);
const TOKEN = /^quittance-proof-[0-9a-f]{32}$/;
const TOKEN_BYTES = 16;
const PROOF_LABEL = '_quittance-challenge';

export const MERCHANT_DOMAIN = defineTable('merchant_domain', {
  merchantId: text(),
  /** As findDomainName spells it. */
  host: text(),
  proofToken: text(),
  addedAt: moment,
  /** Undefined: its pages are not served under it. */
  verifiedAt: selectOnly(optional(moment)),
  /** When name servers last answered. */
  lastCheckedAt: selectOnly(optional(moment)),
});
export type MerchantDomain = Row<typeof MERCHANT_DOMAIN>;

/** Whose pages, and nobody else's, are served under a host. */
export type OwnDomain = Row<typeof SERVED>;
const SERVED = MERCHANT_DOMAIN.only('host', 'merchantId');

const DOMAINS_MAX = 20;

/**
 * Claims a host; nothing is served under it before verifyDomain. Claimed before: the same claim.
 * @throws Refusal `invalid` for what is no host of a merchant's own, `missing` for an unknown
 * merchant, `conflict` for too many.
 */
export async function addDomain(
  app: {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly publicUrl: string;
  },
  merchantId: string,
  text: string,
): Promise<MerchantDomain> {
  const host = hostOf(text);
  if (host === findDomainName(new URL(app.publicUrl).hostname)) {
    throw new Refusal('invalid', 'domain_invalid', `${host} is where this service itself is`);
  }
  return app.db.transact(async (tx) => {
    await lockMerchant(tx, merchantId);
    const addedAt = app.clock.now();
    const claim = { merchantId, host, proofToken: newProofToken(app.random), addedAt };
    tx.send(MERCHANT_DOMAIN.insert([claim], sql`on conflict (merchant_id, host) do nothing`));
    const domains = await listDomains(tx, merchantId);
    if (domains.length > DOMAINS_MAX) {
      throw new Refusal('conflict', 'domains_full', `at most ${DOMAINS_MAX} domains`);
    }
    return ofHost(domains, host);
  });
}

/** Takes the claim back: the host is served as any other from then on. @throws Refusal */
export async function removeDomain(
  app: { readonly db: Db },
  merchantId: string,
  text: string,
): Promise<string> {
  const host = hostOf(text);
  const rows = await app.db.single((tx) =>
    tx.query(sql`
      delete from merchant_domain where merchant_id = ${merchantId} and host = ${host}
      returning host`),
  );
  if (rows.length === 0) throw unknownDomain(host);
  return host;
}

/** @throws Refusal */
export async function getDomain(
  reader: Reader,
  merchantId: string,
  text: string,
): Promise<MerchantDomain> {
  return ofHost(await listDomains(reader, merchantId), hostOf(text));
}

/** In the order they were added; those of every merchant when none is named. */
export function listDomains(reader: Reader, merchantId?: string): Promise<MerchantDomain[]> {
  const those = merchantId === undefined ? sql`` : sql`where merchant_id = ${merchantId}`;
  return MERCHANT_DOMAIN.select(reader, sql`${those} order by merchant_id, added_at, host`);
}

/** For a statement that reads what merchants have: the domain that one proved last, or null. */
export function latestHost(merchantId: Statement): Statement {
  return sql`
    (select d.host from merchant_domain d
      where d.merchant_id = ${merchantId} and d.verified_at is not null
      order by d.verified_at desc, d.host limit 1)`;
}

function hostOf(text: string): string {
  const parsed = parseDomainName(text);
  if ('host' in parsed) return parsed.host;
  throw new Refusal('invalid', 'domain_invalid', parsed.fault);
}

function ofHost(domains: readonly MerchantDomain[], host: string): MerchantDomain {
  const found = domains.find((domain) => domain.host === host);
  if (found !== undefined) return found;
  throw unknownDomain(host);
}

function unknownDomain(host: string): Refusal {
  const advice = `npx quittance merchant domain add ${host}`;
  return new Refusal(
    'missing',
    'domain_unknown',
    `${host} is no domain of this account: ${advice}`,
  );
}

type Domains = ReadonlyMap<string, OwnDomain>;

/**
 * Whose hosts are, as this process knows it, so that a request does not ask the database.
 * Guarantees as for keys (caller.ts), by the same notices: a domain that was removed or taken over
 * is served as any other some milliseconds later.
 */
export type DomainCache = {
  find(): Domains | undefined;
  /** What a look-up begun now may remember at its end. */
  begin(): (domains: Domains) => void;
  forgetAll(): void;
};

export function createDomainCache(isTrusted: () => boolean): DomainCache {
  let known: { domains: Domains | undefined } = { domains: undefined };
  return {
    find: () => (isTrusted() ? known.domains : undefined),
    begin() {
      const begunWith = known;
      return (domains) => {
        begunWith.domains = domains;
      };
    },
    forgetAll() {
      known = { domains: undefined };
    },
  };
}

/** By the hostname of a URL. @throws Outage without the database */
export function domainFinder(app: {
  readonly db: Reader;
  /** Absent: every look-up asks the database. */
  readonly domainCache?: DomainCache | undefined;
}): (hostname: string) => Promise<OwnDomain | undefined> {
  const readDomains = createBatch({
    most: 1_000,
    atOnce: 1,
    async run(asked: readonly undefined[]) {
      const remember = app.domainCache?.begin();
      const rows = await SERVED.select(app.db, sql`where verified_at is not null`);
      const domains = new Map(rows.map((row) => [row.host, row]));
      remember?.(domains);
      return asked.map(() => domains);
    },
  });
  return async (hostname) => {
    const host = findDomainName(hostname);
    if (host === undefined) return undefined;
    return (app.domainCache?.find() ?? (await readDomains(undefined))).get(host);
  };
}

/** As typed by a person: a bare host. Nothing is cut off, so that nobody is surprised. */
export function parseDomainName(
  text: string,
): { readonly host: string } | { readonly fault: string } {
  const wrong = (reason: string) => ({ fault: `${JSON.stringify(text)} ${reason}` });
  if (/[\s/\\?#@:*[\]%]/.test(text)) {
    return wrong('must be a host alone, such as pay.shop.example (no https://, port, path or *)');
  }
  const host = findDomainName(URL.parse(`https://${text}/`)?.hostname ?? '');
  if (host !== undefined) return { host };
  return wrong('is no host that can be proven to be yours, such as pay.shop.example');
}

/** Of the `hostname` of a URL; undefined for addresses, and names without a dot. */
export function findDomainName(hostname: string): string | undefined {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return host.length <= HOST_LENGTH_MAX && NAME.test(host) ? host : undefined;
}

/** Where the proof stands: a name nobody needs for anything else (RFC 8552). */
export function proofName(host: string): string {
  return `${PROOF_LABEL}.${host}`;
}

/** Pages of merchants' own domains are at the usual port of https. */
export function domainOrigin(host: string): string {
  return `https://${host}`;
}

export function newProofToken(random: Random): string {
  return `quittance-proof-${random.bytes(TOKEN_BYTES).toHex()}`;
}

export type DomainProof = 'proven' | 'missing' | 'wrong' | 'ambiguous';

/**
 * `records`: every TXT record of the name. A record that does not look like a token is not ours.
 */
export function decideDomainProof(records: readonly string[], token: string): DomainProof {
  const values = records.map((record) => record.trim());
  const tokens = new Set(values.filter((value) => TOKEN.test(value)));
  if (tokens.has(token)) return tokens.size === 1 ? 'proven' : 'ambiguous';
  return values.length === 0 ? 'missing' : 'wrong';
}
