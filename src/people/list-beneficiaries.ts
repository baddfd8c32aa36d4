import type { Reader } from '#db/db.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import type { Beneficiary, BeneficiaryOwner } from './beneficiary.ts';
import { listBeneficiaryRows } from './beneficiary-store.ts';
import type { SealKeys } from './seal-beneficiary.ts';

export type BeneficiaryPage = {
  readonly beneficiaries: readonly Beneficiary[];
  readonly nextCursor: string | null;
};

/** Newest first, without those deleted. */
export async function listBeneficiaries(
  app: { readonly db: Reader; readonly keyring: SealKeys },
  owner: BeneficiaryOwner,
  { limit, cursor }: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<BeneficiaryPage> {
  const rows = await listBeneficiaryRows(app.db, app.keyring, owner, {
    most: limit + 1,
    place: cursor,
  });
  const { shown, nextCursor } = cutPage(rows, limit, ({ createdAt, id }) => ({
    at: createdAt,
    id,
  }));
  return { beneficiaries: shown, nextCursor };
}
