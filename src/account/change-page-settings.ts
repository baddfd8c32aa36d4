import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import { ownPageSettings } from './find-seller.ts';
import { type OwnPageSettings, type PageSettings, withPageDefaults } from './page-settings.ts';
import { lockPageSettings, storePageSettings } from './page-settings-store.ts';

/**
 * Changes the settings that are given; null takes one back to its default. Open checkouts follow at
 * once, except in what their request said.
 * @throws Refusal `missing` for an unknown merchant.
 */
export async function changePageSettings(
  app: { readonly db: Db },
  merchantId: string,
  change: Partial<OwnPageSettings>,
): Promise<PageSettings> {
  return app.db.transact(async (tx) => {
    const row = await lockPageSettings(tx, merchantId);
    if (row === undefined) {
      throw new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
    }
    const changed = { ...ownPageSettings(row), ...change };
    storePageSettings(tx, merchantId, changed);
    return withPageDefaults(changed);
  });
}
