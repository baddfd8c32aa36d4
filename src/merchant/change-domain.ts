import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db, Reader } from '#db/db.ts';
import type { MerchantDomain } from './domain.ts';
import { findDomainName, parseDomainName } from './domain-name.ts';
import { newProofToken } from './domain-proof.ts';
import { deleteDomain, insertDomain, selectDomains } from './domain-store.ts';
import { lockMerchant } from './logo-store.ts';

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
    await insertDomain(tx, { merchantId, host, proofToken: newProofToken(app.random), addedAt });
    const domains = await selectDomains(tx, merchantId);
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
  if (await app.db.single((tx) => deleteDomain(tx, merchantId, host))) return host;
  throw unknownDomain(host);
}

/** @throws Refusal */
export async function getDomain(
  reader: Reader,
  merchantId: string,
  text: string,
): Promise<MerchantDomain> {
  return ofHost(await selectDomains(reader, merchantId), hostOf(text));
}

/** In the order they were added; those of every merchant when none is named. */
export function listDomains(reader: Reader, merchantId?: string): Promise<MerchantDomain[]> {
  return selectDomains(reader, merchantId ?? null);
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
