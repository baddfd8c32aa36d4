import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { parseAllowedRange } from './ip-allow-list.ts';
import type { MerchantSettings } from './merchant.ts';
import { updateAllowedAddresses, updateMerchant } from './merchant-store.ts';

/**
 * Changes the settings that are given. The database refuses what is out of range
 * (ConstraintViolation): a fee above 50 %, a tolerance above 2 %.
 */
export async function changeMerchant(
  app: { readonly db: Db },
  merchantId: string,
  settings: Partial<MerchantSettings>,
): Promise<void> {
  const isKnown = await app.db.single((tx) => updateMerchant(tx, merchantId, settings));
  if (!isKnown) throw unknownMerchant(merchantId);
}

/**
 * Replaces the IP allow-list: addresses and CIDR ranges, kept in canonical form.
 * @throws Refusal `invalid` that names every entry that is neither.
 */
export async function changeAllowedAddresses(
  app: { readonly db: Db },
  owner: { readonly merchantId: string; readonly environment: Environment },
  addresses: readonly string[],
): Promise<void> {
  const ranges = addresses.map((text) => parseAllowedRange(text));
  const wrong = addresses.filter((_, index) => ranges[index] === undefined);
  if (wrong.length > 0) {
    const faults = wrong.map(
      (text) => `${JSON.stringify(text)} is neither an address nor a range.`,
    );
    throw new Refusal('invalid', 'allowed_addresses', faults);
  }
  const list = [...new Set(ranges.filter((range) => range !== undefined))];
  const isKnown = await app.db.single((tx) => updateAllowedAddresses(tx, owner, list));
  if (!isKnown) throw unknownMerchant(owner.merchantId);
}

function unknownMerchant(merchantId: string): Refusal {
  return new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
}
