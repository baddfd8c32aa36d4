import type { LanguageCode } from '#catalog/language.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import type { LogoInk } from './logo.ts';
import type { OwnPageSettings } from './page-settings.ts';

export type PageSettingsRow = OwnPageSettings & {
  readonly name: string;
  /** Null without a logo. */
  readonly hash: string | null;
  readonly fineHash: string | null;
  readonly ink: LogoInk | null;
  readonly width: number | null;
  readonly height: number | null;
};

/** The settings of the page are null without a row of their own. */
export async function selectPageSettings(
  reader: Reader,
  merchantId: string,
): Promise<PageSettingsRow | undefined> {
  const [row] = await reader.query<PageSettingsRow>(sql`
    select m.name, m.shop_name as "shopName", m.seller_info as "sellerInfo",
      m.display_buyer_info as "displayBuyerInfo", m.display_seller_info as "displaySellerInfo",
      p.contact, p.primary_color as "primaryColor", p.background_color as "backgroundColor",
      p.default_language as "defaultLanguage",
      p.return_countdown_seconds as "returnCountdownSeconds",
      p.embed_origins as "embedOrigins", p.explorer_links as "explorerLinks",
      plain.hash, fine.hash as "fineHash", plain.ink, plain.width, plain.height
    from merchant m left join merchant_page p on p.merchant_id = m.id
    left join merchant_logo plain on plain.merchant_id = m.id and plain.scale = 1
    left join merchant_logo fine on fine.merchant_id = m.id and fine.scale = 2
    where m.id = ${merchantId}`);
  return row;
}

/**
 * As `selectPageSettings`; nobody else changes them until the transaction ends. The lock is a
 * statement of its own: one that joins would read the settings as they were before it waited.
 */
export async function lockPageSettings(
  tx: Tx,
  merchantId: string,
): Promise<PageSettingsRow | undefined> {
  await tx.query(sql`select id from merchant where id = ${merchantId} for no key update`);
  return selectPageSettings(tx, merchantId);
}

export function storePageSettings(tx: Tx, merchantId: string, own: OwnPageSettings): void {
  const language: LanguageCode | null = own.defaultLanguage;
  tx.send(sql`
    update merchant set shop_name = ${own.shopName}, seller_info = ${own.sellerInfo},
      display_buyer_info = ${own.displayBuyerInfo ?? false},
      display_seller_info = ${own.displaySellerInfo ?? false}
    where id = ${merchantId}`);
  tx.send(sql`
    insert into merchant_page (merchant_id, contact, primary_color, background_color,
      default_language, return_countdown_seconds, embed_origins, explorer_links)
    values (${merchantId}, ${own.contact}, ${own.primaryColor}, ${own.backgroundColor},
      ${language}, ${own.returnCountdownSeconds}, ${own.embedOrigins ?? []}::text[],
      ${own.explorerLinks})
    on conflict (merchant_id) do update set contact = excluded.contact,
      primary_color = excluded.primary_color, background_color = excluded.background_color,
      default_language = excluded.default_language,
      return_countdown_seconds = excluded.return_countdown_seconds,
      embed_origins = excluded.embed_origins, explorer_links = excluded.explorer_links`);
}
