// Proof that a merchant owns a host. Guarantees: pages are served under a host only for the
// merchant whose token was the only one in its TXT records; a host has one such merchant at a time,
// the one that proved it last. Not guaranteed: that name servers tell the truth; those of the
// machine are believed.
import { Resolver } from 'node:dns/promises';
import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import {
  type DomainProof,
  decideDomainProof,
  getDomain,
  MERCHANT_DOMAIN,
  type MerchantDomain,
  proofName,
} from './domain.ts';

type VerifyDomainApp = { readonly db: Db; readonly clock: Clock };

/**
 * @throws Refusal that says what is wrong with the proof, or `missing` for a host that was not
 * added; Outage when no name server answers. Nothing is changed then.
 */
export async function verifyDomain(
  app: VerifyDomainApp,
  findTextRecords: FindTextRecords,
  merchantId: string,
  text: string,
): Promise<MerchantDomain> {
  const domain = await getDomain(app.db, merchantId, text);
  const proof = decideDomainProof(await findTextRecords(proofName(domain.host)), domain.proofToken);
  if (proof !== 'proven') {
    throw new Refusal('conflict', `domain_proof_${proof}`, proofFault(domain, proof));
  }
  const now = app.clock.now();
  const { host } = domain;
  return app.db.transact(async (tx) => {
    // Nobody else changes claims of the host until the transaction ends.
    const claims = await MERCHANT_DOMAIN.select(
      tx,
      sql`where host = ${host} order by merchant_id for update`,
    );
    const claim = claims.find((one) => one.merchantId === merchantId);
    // The claim was taken back, or added anew with another token, since we read it.
    if (claim?.proofToken !== domain.proofToken) {
      throw new Refusal('conflict', 'domain_changed', `${host} was changed meanwhile`);
    }
    tx.send(sql`
      update merchant_domain set verified_at = null
      where host = ${host} and merchant_id <> ${merchantId} and verified_at is not null`);
    tx.send(sql`
      update merchant_domain
      set verified_at = coalesce(verified_at, ${now}::timestamptz), last_checked_at = ${now}
      where host = ${host} and merchant_id = ${merchantId}`);
    return { ...claim, verifiedAt: claim.verifiedAt ?? now, lastCheckedAt: now };
  });
}

/**
 * Whether the proof of a domain still stands, and that it was looked for. Nothing is switched off:
 * records vanish by mistake, and customers are paying. @throws Outage
 */
export async function checkDomain(
  app: VerifyDomainApp,
  findTextRecords: FindTextRecords,
  domain: MerchantDomain,
): Promise<DomainProof> {
  const records = await findTextRecords(proofName(domain.host));
  await app.db.single((tx) =>
    tx.query(sql`
      update merchant_domain set last_checked_at = ${app.clock.now()}
      where host = ${domain.host} and merchant_id = ${domain.merchantId}`),
  );
  return decideDomainProof(records, domain.proofToken);
}

/** In one sentence, with what to do. */
export function proofFault(
  { host, proofToken }: MerchantDomain,
  proof: Exclude<DomainProof, 'proven'>,
): string {
  const name = proofName(host);
  switch (proof) {
    case 'missing':
      return `${name} has no TXT record: set it to ${proofToken}; new records may take an hour to be seen`;
    case 'wrong':
      return `${name} has a TXT record that is not ${proofToken}`;
    case 'ambiguous':
      return `${name} has the proof of another account too: remove every TXT record but ${proofToken}`;
  }
}

/** Every TXT record of the name; none when there is no such name. @throws Outage */
export type FindTextRecords = (name: string) => Promise<readonly string[]>;

type TextRecordOptions = {
  /** `address` or `address:port`; empty: those of the machine. */
  readonly servers: readonly string[];
  readonly timeoutMs?: number;
  readonly wholeMs?: number;
};

const TIMEOUT_MS = 2_000;
const WHOLE_MS = 10_000;
const TRIES = 2;
const RECORDS_MAX = 100;
const NO_RECORDS = ['ENODATA', 'ENOTFOUND'];

/** By the name servers of the machine, or by those the operator names. */
export function textRecordsBy(options: TextRecordOptions): FindTextRecords {
  const { servers, timeoutMs = TIMEOUT_MS, wholeMs = WHOLE_MS } = options;
  return async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
    if (servers.length > 0) resolver.setServers([...servers]);
    // However many name servers there are.
    const timer = setTimeout(() => resolver.cancel(), wholeMs);
    try {
      const records = await resolver.resolveTxt(name);
      return records.slice(0, RECORDS_MAX).map((parts) => parts.join(''));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (NO_RECORDS.includes(String(code))) return [];
      throw new Outage('name server', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}
