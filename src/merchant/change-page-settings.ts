import { Refusal } from '#base/refusal.ts';
import type { Db, Reader } from '#db/db.ts';
import { type OwnPageSettings, type PageSettings, withPageDefaults } from './page-settings.ts';
import { lockPageSettings, selectPageSettings, storePageSettings } from './page-settings-store.ts';

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
    if (row === undefined) throw unknownMerchant(merchantId);
    const { name: _, ...own } = row;
    const changed = { ...own, ...change };
    storePageSettings(tx, merchantId, changed);
    return withPageDefaults(changed);
  });
}

/** @throws Refusal `missing` for an unknown merchant. */
export async function findPageSettings(reader: Reader, merchantId: string): Promise<PageSettings> {
  const row = await selectPageSettings(reader, merchantId);
  if (row === undefined) throw unknownMerchant(merchantId);
  const { name: _, ...own } = row;
  return withPageDefaults(own);
}

function unknownMerchant(merchantId: string): Refusal {
  return new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
}
