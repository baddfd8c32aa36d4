// Hosts that merchants claim for their pages, and the SQL of their table.
import { createBatch } from '#base/batch.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { defineTable, moment, optional, type Row, selectOnly, text } from '#db/table.ts';
import { findDomainName, newProofToken, parseDomainName } from './domain-name.ts';
import { lockMerchant } from './merchant.ts';

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
