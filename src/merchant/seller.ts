// What a customer may know about the merchant that is paid: its name, logo and pages, and the SQL
// of their two tables.
import type { ReturnMethod } from '#ask/ask.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import {
  bytes,
  type Column,
  defineTable,
  flag,
  insertOnly,
  integer,
  nullable,
  propertiesOf,
  type Row,
  text,
  texts,
} from '#db/table.ts';
import type { FontName } from '#look/page-font.ts';
import type { OwnColor } from '#look/palette.ts';
import type { FontFile } from '#look/read-font.ts';
import type { OwnPageWords } from './customer-mails.ts';
import { lockMerchant, MERCHANT, type MERCHANT_ENVIRONMENT, unknownMerchant } from './merchant.ts';
import {
  checkTogether,
  type OwnPageSettings,
  type PageBlock,
  type PageSettings,
  withPageDefaults,
} from './page-settings.ts';

/** Null: not set, as the default says. */
const PAGE = {
  contact: nullable(text()),
  primaryColor: nullable(text()),
  backgroundColor: nullable(text()),
  colors: nullable(texts<OwnColor>()),
  font: nullable(text<FontName>()),
  cornerRadius: nullable(integer),
  languages: nullable(texts<LanguageCode>()),
  defaultLanguage: nullable(text<LanguageCode>()),
  returnCountdownSeconds: nullable(integer),
  embedOrigins: texts(),
  explorerLinks: nullable(flag),
  blocks: nullable(texts<PageBlock>()),
  returnMethod: nullable(text<ReturnMethod>()),
};
const PAGE_NAMES = propertiesOf(PAGE);
export const MERCHANT_PAGE = defineTable('merchant_page', {
  merchantId: insertOnly(text()),
  ...PAGE,
});

/** Settings of the page that stand in the row of the merchant. */
const SHOWN_SETTINGS = [
  ...(['shopName', 'sellerInfo', 'displayBuyerInfo', 'displaySellerInfo'] as const),
  'asking',
] as const;
const SHOWN_MERCHANT = MERCHANT.only('name', ...SHOWN_SETTINGS);

/** For screens with one, and with two pixels where a page counts one. */
export type LogoScale = 1 | 2;

/**
 * What can be seen: `dark` or `light` around transparent parts, which vanishes on a ground of the
 * same kind; `mixed` can be seen on any.
 */
export type LogoInk = 'dark' | 'light' | 'mixed';

const DRAWING = {
  merchantId: insertOnly(text()),
  scale: integer as Column<LogoScale>,
  /** Of the content: 32 hexadecimal digits. */
  hash: text(),
  ink: text<LogoInk>(),
  width: integer,
  height: integer,
  content: bytes,
};
export const MERCHANT_LOGO = defineTable('merchant_logo', DRAWING);
/** In dark mode, where the merchant brought another for it. */
export const MERCHANT_DARK_LOGO = defineTable('merchant_dark_logo', DRAWING);
/** A picture that we drew ourselves, in WebP. */
export type LogoDrawing = Row<typeof MERCHANT_LOGO>;

export const FONT_WEIGHTS = ['regular', 'bold'] as const;
export type FontWeight = (typeof FONT_WEIGHTS)[number];
const MERCHANT_FONT = defineTable('merchant_font', {
  merchantId: insertOnly(text()),
  weight: text<FontWeight>(),
  /** Of the content: 32 hexadecimal digits. */
  hash: text(),
  /** It has every weight in itself. */
  isVariable: flag,
  content: bytes,
});
/** A file of its own font, as pages name it. */
type OwnFont = Pick<Row<typeof MERCHANT_FONT>, 'weight' | 'hash' | 'isVariable'> & {
  readonly bytes: number;
};
/** How its pages are, with the files that it brought. */
export type ShownPage = PageSettings & { readonly ownFonts?: readonly OwnFont[] | undefined };

/** What a page needs to show it. Sizes are those of the plain drawing. */
export type LogoPicture = Pick<LogoDrawing, 'hash' | 'ink' | 'width' | 'height'> & {
  readonly fineHash: string;
};
export type Logo = LogoPicture & {
  /** In dark mode; undefined: the same. */
  readonly dark?: LogoPicture | undefined;
};

/** By network, where the merchant asks for more than the server. */
type AskedConfirmations = Row<typeof MERCHANT_ENVIRONMENT>['confirmations'];
type ByEnvironment<Value> = Partial<Readonly<Record<Environment, Value>>> | undefined;

export type Seller = {
  readonly name: string;
  /** How deep payments have to be, by environment; undefined: as the server says. */
  readonly confirmations?: ByEnvironment<AskedConfirmations>;
  /** Ways to pay that it recommends, as `wayName` writes them, by environment. */
  readonly recommended?: ByEnvironment<readonly string[]>;
  /** Where its payers may not ask for mails on their page. */
  readonly withoutPayerMails?: ByEnvironment<true>;
  /** How its pages are. */
  readonly page: ShownPage;
  readonly logo?: Logo | undefined;
  /** What it says on them in its own words. */
  readonly pageWords?: readonly OwnPageWords[] | undefined;
};

/** As customers know it, where a request gave no other name. */
export function sellerName({ name, page }: Pick<Seller, 'name' | 'page'>): string {
  return page.shopName ?? name;
}

export async function findSeller(reader: Reader, merchantId: string): Promise<Seller | undefined> {
  const row = await findSellerRow(reader, merchantId);
  if (row === undefined) return undefined;
  return {
    name: row.name,
    page: {
      ...withPageDefaults(ownPageSettings(row)),
      ...(row.ownFonts !== null && { ownFonts: JSON.parse(row.ownFonts) }),
    },
    logo: logoOf(row),
    confirmations: parsed<AskedConfirmations>(row.confirmations),
    recommended: parsed<readonly string[]>(row.recommended),
    withoutPayerMails: parsed<true>(row.withoutPayerMails),
    pageWords: row.pageWords === null ? undefined : JSON.parse(row.pageWords),
  };
}

/** @throws Refusal `missing` for an unknown merchant. */
export async function getSeller(reader: Reader, merchantId: string): Promise<Seller> {
  const seller = await findSeller(reader, merchantId);
  if (seller === undefined) throw unknownMerchant(merchantId);
  return seller;
}

/**
 * Changes the settings that are given; null takes one back to its default. Open checkouts follow at
 * once, except in what their request said.
 * @throws Refusal `missing` for an unknown merchant; `invalid` `page_languages`, `page_colors`
 */
export async function changePageSettings(
  app: { readonly db: Db },
  merchantId: string,
  change: Partial<OwnPageSettings>,
): Promise<PageSettings> {
  return app.db.transact(async (tx) => {
    // A statement of its own: one that joins would read the settings as they were before it waited.
    await lockMerchant(tx, merchantId);
    const row = await findSellerRow(tx, merchantId);
    if (row === undefined) throw unknownMerchant(merchantId);
    const own = { ...ownPageSettings(row), ...change };
    checkTogether(own);
    const shown = {
      ...own,
      asking: own.asking ?? null,
      displayBuyerInfo: own.displayBuyerInfo ?? false,
      displaySellerInfo: own.displaySellerInfo ?? false,
    };
    tx.send(sql`
      update merchant set ${MERCHANT.changed(SHOWN_SETTINGS, shown)} where id = ${merchantId}`);
    tx.send(
      MERCHANT_PAGE.insert(
        [{ ...own, merchantId, embedOrigins: own.embedOrigins ?? [] }],
        sql`on conflict (merchant_id) do update set ${MERCHANT_PAGE.excluded(PAGE_NAMES)}`,
      ),
    );
    return withPageDefaults(own);
  });
}

/**
 * Replaces the logo of the merchant; no drawings: there is none afterwards, nor one for dark pages.
 * @throws Refusal `missing` for an unknown merchant.
 */
export async function changeLogo(
  app: { readonly db: Db },
  merchantId: string,
  drawings: readonly LogoDrawing[],
): Promise<void> {
  await app.db.transact(async (tx) => {
    await lockMerchant(tx, merchantId);
    tx.send(sql`delete from merchant_logo where merchant_id = ${merchantId}`);
    if (drawings.length > 0) {
      tx.send(MERCHANT_LOGO.insert(drawings.map((drawing) => ({ ...drawing, merchantId }))));
    } else tx.send(sql`delete from merchant_dark_logo where merchant_id = ${merchantId}`);
  });
}

/**
 * The same of the logo for dark mode, which stands in the place of the other one.
 * @throws Refusal `missing` for an unknown merchant; `invalid` `logo` where there is no other.
 */
export async function changeDarkLogo(
  app: { readonly db: Db },
  merchantId: string,
  drawings: readonly LogoDrawing[],
): Promise<void> {
  await app.db.transact(async (tx) => {
    await lockMerchant(tx, merchantId);
    const { logo } = await getSeller(tx, merchantId);
    if (logo === undefined && drawings.length > 0) {
      throw new Refusal('invalid', 'logo', ['logo: bring the one for light pages first']);
    }
    tx.send(sql`delete from merchant_dark_logo where merchant_id = ${merchantId}`);
    if (drawings.length === 0) return;
    tx.send(MERCHANT_DARK_LOGO.insert(drawings.map((drawing) => ({ ...drawing, merchantId }))));
  });
}

/**
 * Replaces a file of the font of the merchant; undefined: there is none of this weight afterwards.
 * @throws Refusal `missing` for an unknown merchant.
 */
export async function changeFont(
  app: { readonly db: Db },
  merchantId: string,
  weight: FontWeight,
  file: FontFile | undefined,
): Promise<void> {
  await app.db.transact(async (tx) => {
    await lockMerchant(tx, merchantId);
    tx.send(sql`
      delete from merchant_font where merchant_id = ${merchantId} and weight = ${weight}`);
    if (file !== undefined) tx.send(MERCHANT_FONT.insert([{ ...file, merchantId, weight }]));
  });
}

/** The font with this hash, as a picture below. */
export async function findFontContent(
  reader: Reader,
  hash: string,
  merchantId?: string,
): Promise<Uint8Array | undefined> {
  const its = merchantId === undefined ? sql`` : sql`and merchant_id = ${merchantId}`;
  return (await MERCHANT_FONT.find(reader, sql`where hash = ${hash} ${its} limit 1`))?.content;
}

/** The picture with this hash of this merchant, or of any; undefined when there is none. */
export async function findLogoContent(
  reader: Reader,
  hash: string,
  merchantId?: string,
): Promise<Uint8Array | undefined> {
  const its = merchantId === undefined ? sql`` : sql`and merchant_id = ${merchantId}`;
  const condition = sql`where hash = ${hash} ${its} limit 1`;
  const row =
    (await MERCHANT_LOGO.find(reader, condition)) ??
    (await MERCHANT_DARK_LOGO.find(reader, condition));
  return row?.content;
}

/** The settings of the page are null without a row of their own, the logo without a drawing. */
type SellerRow = {
  readonly name: string;
  /** JSON text; null where it asks for nothing. */
  readonly confirmations: string | null;
  /** The same where it recommends nothing. */
  readonly recommended: string | null;
  /** The same where payers may ask for mails everywhere. */
  readonly withoutPayerMails: string | null;
  /** JSON text; null where it brought no font. */
  readonly ownFonts: string | null;
  /** JSON text; null where it says nothing of its own. */
  readonly pageWords: string | null;
} & OwnPageSettings & {
    readonly [Field in keyof LogoPicture]: LogoPicture[Field] | null;
  } & {
    /** JSON text: the pictures for dark mode, the plain one first; null without them. */
    readonly darkLogo: string | null;
  };

async function findSellerRow(reader: Reader, merchantId: string): Promise<SellerRow | undefined> {
  const [row] = await reader.query<SellerRow>(sql`
    select ${SHOWN_MERCHANT.columnsOf('m')}, ${MERCHANT_PAGE.columnsOf('p')},
      plain.hash, fine.hash as "fineHash", plain.ink, plain.width, plain.height,
      (select jsonb_agg(jsonb_build_object('hash', d.hash, 'ink', d.ink, 'width', d.width,
        'height', d.height) order by d.scale)::text from merchant_dark_logo d
        where d.merchant_id = m.id) as "darkLogo",
      (select jsonb_object_agg(e.environment, e.confirmations::jsonb) from merchant_environment e
        where e.merchant_id = m.id and e.confirmations <> '{}') as confirmations,
      (select jsonb_object_agg(e.environment, e.methods_recommended) from merchant_environment e
        where e.merchant_id = m.id and e.methods_recommended <> '{}') as recommended,
      (select jsonb_object_agg(e.environment, true)::text from merchant_environment e
        where e.merchant_id = m.id and not e.payer_mails) as "withoutPayerMails",
      (select jsonb_agg(jsonb_build_object('place', w.place, 'language', w.language,
        'words', w.words))::text from merchant_page_words w where w.merchant_id = m.id) as "pageWords",
      (select jsonb_agg(jsonb_build_object('weight', f.weight, 'hash', f.hash,
        'isVariable', f.is_variable, 'bytes', length(f.content)) order by f.weight desc)::text
        from merchant_font f where f.merchant_id = m.id) as "ownFonts"
    from merchant m left join merchant_page p on p.merchant_id = m.id
    left join merchant_logo plain on plain.merchant_id = m.id and plain.scale = 1
    left join merchant_logo fine on fine.merchant_id = m.id and fine.scale = 2
    where m.id = ${merchantId}`);
  return row && SHOWN_MERCHANT.parse(row);
}

function parsed<Value>(json: string | null): ByEnvironment<Value> {
  return json === null ? undefined : JSON.parse(json);
}

function ownPageSettings(row: SellerRow): OwnPageSettings {
  const {
    name,
    confirmations,
    recommended,
    withoutPayerMails,
    pageWords,
    ownFonts,
    darkLogo,
    ...rest
  } = row;
  const { hash, fineHash, ink, width, height, ...own } = rest;
  return own;
}

function logoOf({ hash, fineHash, ink, width, height, darkLogo }: SellerRow): Logo | undefined {
  if (hash === null || ink === null || width === null || height === null) return undefined;
  const logo = { hash, fineHash: fineHash ?? hash, ink, width, height };
  const pictures: readonly Omit<LogoPicture, 'fineHash'>[] =
    darkLogo === null ? [] : JSON.parse(darkLogo);
  const [plain, fine] = pictures;
  return plain && fine ? { ...logo, dark: { ...plain, fineHash: fine.hash } } : logo;
}

/** Below our own address, or a domain of the merchant. */
export function fontPath(hash: string): string {
  return `/brand/${hash}.woff2`;
}

/** The same of a picture. */
export function logoPath(hash: string): string {
  return `/brand/${hash}.webp`;
}
