import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import type { Logo } from './logo.ts';
import { type OwnPageSettings, type PageSettings, withPageDefaults } from './page-settings.ts';
import { type PageSettingsRow, selectPageSettings } from './page-settings-store.ts';

/** What a customer may know about the merchant that is paid, and how its pages are. */
export type Seller = {
  readonly name: string;
  readonly page: PageSettings;
  readonly logo?: Logo | undefined;
};

/** As customers know it, where a request gave no other name. */
export function sellerName({ name, page }: Pick<Seller, 'name' | 'page'>): string {
  return page.shopName ?? name;
}

export async function findSeller(reader: Reader, merchantId: string): Promise<Seller | undefined> {
  const row = await selectPageSettings(reader, merchantId);
  if (row === undefined) return undefined;
  return { name: row.name, page: withPageDefaults(ownPageSettings(row)), logo: logoOf(row) };
}

/** @throws Refusal `missing` for an unknown merchant. */
export async function getSeller(reader: Reader, merchantId: string): Promise<Seller> {
  const seller = await findSeller(reader, merchantId);
  if (seller !== undefined) return seller;
  throw new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
}

export function ownPageSettings(row: PageSettingsRow): OwnPageSettings {
  const { name, hash, fineHash, ink, width, height, ...own } = row;
  return own;
}

function logoOf({ hash, fineHash, ink, width, height }: PageSettingsRow): Logo | undefined {
  if (hash === null || ink === null || width === null || height === null) return undefined;
  return { hash, fineHash: fineHash ?? hash, ink, width, height };
}
