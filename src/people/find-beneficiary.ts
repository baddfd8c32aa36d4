import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import type { Beneficiary, BeneficiaryOwner } from './beneficiary.ts';
import { findBeneficiaryRow } from './beneficiary-store.ts';
import type { SealKeys } from './seal-beneficiary.ts';

/**
 * @throws Refusal missing `beneficiary_missing`, also for a deleted one and for one of another
 * merchant or environment (E9).
 */
export async function getBeneficiary(
  app: { readonly db: Reader; readonly keyring: SealKeys },
  owner: BeneficiaryOwner,
  id: string,
): Promise<Beneficiary> {
  const found = await findBeneficiaryRow(app.db, app.keyring, owner, id);
  if (found === undefined) throw beneficiaryMissing();
  return found;
}

export function beneficiaryMissing(): Refusal {
  return new Refusal('missing', 'beneficiary_missing', 'no such beneficiary');
}
