import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import type { MerchantSettings } from './merchant.ts';
import { updateMerchant } from './merchant-store.ts';

/**
 * Changes the settings that are given. The database refuses what is out of range
 * (ConstraintViolation): a fee above 50 %, a tolerance above 2 %, a floor for
 * late money below 50 %.
 */
export async function changeMerchant(
  app: { readonly db: Db },
  merchantId: string,
  settings: Partial<MerchantSettings>,
): Promise<void> {
  const isKnown = await app.db.single((tx) => updateMerchant(tx, merchantId, settings));
  if (!isKnown) throw unknownMerchant(merchantId);
}

function unknownMerchant(merchantId: string): Refusal {
  return new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
}
