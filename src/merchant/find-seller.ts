import type { Reader } from '#db/db.ts';
import { type PageSettings, withPageDefaults } from './page-settings.ts';
import { selectPageSettings } from './page-settings-store.ts';

/** What a customer may know about the merchant that is paid, and how its pages are. */
export type Seller = {
  readonly name: string;
  readonly page: PageSettings;
};

export async function findSeller(reader: Reader, merchantId: string): Promise<Seller | undefined> {
  const row = await selectPageSettings(reader, merchantId);
  if (row === undefined) return undefined;
  const { name, ...own } = row;
  return { name, page: withPageDefaults(own) };
}
