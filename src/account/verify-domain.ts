// Proof that a merchant owns a host. Guarantees: pages are served under a host only for the
// merchant whose token was the only one in its TXT records; a host has one such merchant at a time,
// the one that proved it last. Not guaranteed: that name servers tell the truth; those of the
// machine are believed.
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import {
  endOtherClaims,
  getDomain,
  lockClaims,
  type MerchantDomain,
  markChecked,
  markVerified,
} from './domain.ts';
import { proofName } from './domain-name.ts';
import { type DomainProof, decideDomainProof } from './domain-proof.ts';
import type { FindTextRecords } from './find-text-records.ts';

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
  return app.db.transact(async (tx) => {
    const claims = await lockClaims(tx, domain.host);
    const claim = claims.find((one) => one.merchantId === merchantId);
    // Taken back, or added anew with another token, since we read it.
    if (claim?.proofToken !== domain.proofToken) {
      throw new Refusal('conflict', 'domain_changed', `${domain.host} was changed meanwhile`);
    }
    endOtherClaims(tx, claim);
    markVerified(tx, claim, now);
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
  await app.db.single((tx) => markChecked(tx, domain, app.clock.now()));
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
