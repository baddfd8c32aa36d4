import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import type { ExactJson } from '#money/exact-json.ts';
import type { AccountValidator } from './account-validator.ts';
import type { Beneficiary, BeneficiaryOwner } from './beneficiary.ts';
import { parseBeneficiary } from './beneficiary-request.ts';
import { insertBeneficiary } from './beneficiary-store.ts';
import type { SealKeys } from './seal-beneficiary.ts';

export type CreateBeneficiaryApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly accounts: AccountValidator;
  readonly keyring: SealKeys;
};

/** @throws Refusal `validation_failed`, or conflict `label_taken`. */
export async function createBeneficiary(
  app: CreateBeneficiaryApp,
  owner: BeneficiaryOwner,
  body: ExactJson,
): Promise<Beneficiary> {
  // As exactly as the database keeps it: the end of the cool-down is sealed.
  const now = app.clock.now().round('millisecond');
  const given = parseBeneficiary(app, owner.environment, body, now);
  const beneficiary = { ...given, id: newId(app.random), createdAt: now };
  if (!(await app.db.single((tx) => insertBeneficiary(tx, app.keyring, owner, beneficiary)))) {
    const message = 'beneficiary.label: another beneficiary has this label';
    throw new Refusal('conflict', 'label_taken', message);
  }
  return beneficiary;
}
