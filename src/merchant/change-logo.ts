import { Refusal } from '#base/refusal.ts';
import type { Db, Reader } from '#db/db.ts';
import type { LogoDrawing } from './logo.ts';
import { deleteLogo, insertLogoDrawing, lockMerchant, selectLogoContent } from './logo-store.ts';

/**
 * Replaces the logo of the merchant; no drawings: there is none afterwards.
 * @throws Refusal `missing` for an unknown merchant.
 */
export async function changeLogo(
  app: { readonly db: Db },
  merchantId: string,
  drawings: readonly LogoDrawing[],
): Promise<void> {
  await app.db.transact(async (tx) => {
    if (!(await lockMerchant(tx, merchantId))) {
      throw new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
    }
    deleteLogo(tx, merchantId);
    for (const drawing of drawings) insertLogoDrawing(tx, merchantId, drawing);
  });
}

/** The picture with this hash of this merchant, or of any; undefined when there is none. */
export function findLogoContent(
  reader: Reader,
  hash: string,
  merchantId?: string,
): Promise<Uint8Array | undefined> {
  return selectLogoContent(reader, hash, merchantId ?? null);
}
