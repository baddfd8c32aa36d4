// Hosts that merchants claim for their pages, and the SQL of their table.
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, selectOnly, text } from '#db/table.ts';
import { findDomainName, parseDomainName } from './domain-name.ts';
import { newProofToken } from './domain-proof.ts';
import { lockMerchant } from './logo.ts';

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
export type OwnDomain = { readonly host: string; readonly merchantId: string };

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
    if (!(await lockMerchant(tx, merchantId))) {
      throw new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
    }
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

/** Every claim of the host; nobody else changes them until the transaction ends. */
export function lockClaims(tx: Tx, host: string): Promise<MerchantDomain[]> {
  return MERCHANT_DOMAIN.select(tx, sql`where host = ${host} order by merchant_id for update`);
}

export function endOtherClaims(tx: Tx, { merchantId, host }: MerchantDomain): void {
  tx.send(sql`
    update merchant_domain set verified_at = null
    where host = ${host} and merchant_id <> ${merchantId} and verified_at is not null`);
}

export function markVerified(
  tx: Tx,
  { merchantId, host }: MerchantDomain,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update merchant_domain
    set verified_at = coalesce(verified_at, ${now}::timestamptz), last_checked_at = ${now}
    where host = ${host} and merchant_id = ${merchantId}`);
}

export async function markChecked(
  tx: Tx,
  { merchantId, host }: MerchantDomain,
  now: Temporal.Instant,
): Promise<void> {
  await tx.query(sql`
    update merchant_domain set last_checked_at = ${now}
    where host = ${host} and merchant_id = ${merchantId}`);
}

export function listVerifiedHosts(reader: Reader): Promise<OwnDomain[]> {
  return reader.query<OwnDomain>(sql`
    select host, merchant_id as "merchantId" from merchant_domain where verified_at is not null`);
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
