import type { Clock } from '#base/clock.ts';
import type { Db } from '#db/db.ts';
import type { BeneficiaryOwner } from './beneficiary.ts';
import { hideBeneficiary } from './beneficiary-store.ts';
import { beneficiaryMissing } from './find-beneficiary.ts';

/** Its label is free again. @throws Refusal missing `beneficiary_missing`. */
export async function deleteBeneficiary(
  app: { readonly db: Db; readonly clock: Clock },
  owner: BeneficiaryOwner,
  id: string,
): Promise<void> {
  const now = app.clock.now();
  const isHidden = await app.db.single((tx) => hideBeneficiary(tx, owner, id, now));
  if (!isHidden) throw beneficiaryMissing();
}
