// Where money goes, sealed. Guarantees: an account, label, network or cool-down that was changed in
// the database is not used, because the key of the seal lies outside it (D3, D15). Not guaranteed:
// anything about a row that was taken away, or put back as it once was.

import { timingSafeEqual } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Db } from '#db/db.ts';
import type { BeneficiaryOwner } from './beneficiary.ts';
import { listUnsealedRows, setSeal, setSealedAt } from './beneficiary-seal-store.ts';

/** The narrow part of the keyring that seals need. */
export type SealKeys = { mac(purpose: 'beneficiary', bytes: Uint8Array): Uint8Array };

/** As it stands in the row. */
export type SealedFields = BeneficiaryOwner & {
  readonly id: string;
  readonly label: string;
  readonly network: string;
  /** JSON text. */
  readonly account: string;
  readonly usableAt: Temporal.Instant;
};

export function sealOfBeneficiary(keyring: SealKeys, fields: SealedFields): Uint8Array {
  const parts = [
    'beneficiary/v1',
    fields.id,
    fields.merchantId,
    fields.environment,
    fields.label,
    fields.network,
    fields.account,
    fields.usableAt.epochMilliseconds,
  ];
  return keyring.mac('beneficiary', new TextEncoder().encode(JSON.stringify(parts)));
}

export function isBeneficiarySealed(
  keyring: SealKeys,
  fields: SealedFields,
  seal: Uint8Array | null,
): boolean {
  const expected = sealOfBeneficiary(keyring, fields);
  return seal?.length === expected.length && timingSafeEqual(seal, expected);
}

/** @throws AssertionFailure when the row is not the one that was written. */
export function verifyBeneficiary(
  keyring: SealKeys,
  fields: SealedFields,
  seal: Uint8Array | null,
): void {
  const isSealed = isBeneficiarySealed(keyring, fields, seal);
  assert(isSealed, `beneficiary ${fields.id} was changed in the database`);
}

/** Rows from before seals, once for each installation: later ones without a seal are forged. */
export async function sealOldBeneficiaries(app: {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: SealKeys;
}): Promise<void> {
  await app.db.transact(async (tx) => {
    if (!(await setSealedAt(tx, app.clock.now()))) return;
    for (const row of await listUnsealedRows(tx)) {
      setSeal(tx, row.id, sealOfBeneficiary(app.keyring, row));
    }
  });
}
