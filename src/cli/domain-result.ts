import type { MerchantDomain } from '#account/domain.ts';
import { proofName } from '#account/domain-name.ts';

/** A domain as programs read it. */
export function domainJson(domain: MerchantDomain): object {
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
export function domainLine({ host, verifiedAt, lastCheckedAt }: MerchantDomain): string {
  const day = (at: Temporal.Instant) => at.toString({ smallestUnit: 'minute' });
  const state =
    verifiedAt === undefined
      ? 'not verified'
      : `verified ${day(verifiedAt)}, checked ${day(lastCheckedAt ?? verifiedAt)}`;
  return `${host}  ${state}`;
}
