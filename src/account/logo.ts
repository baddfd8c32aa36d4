// The logo of a merchant, in two sizes, and the SQL of its table.
import { Refusal } from '#base/refusal.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { bytes, type Column, defineTable, insertOnly, integer, type Row, text } from '#db/table.ts';

/** For screens with one, and with two pixels where a page counts one. */
export type LogoScale = 1 | 2;

/**
 * What can be seen: `dark` or `light` around transparent parts, which vanishes on a ground of the
 * same kind; `mixed` can be seen on any.
 */
export type LogoInk = 'dark' | 'light' | 'mixed';

export const MERCHANT_LOGO = defineTable('merchant_logo', {
  merchantId: insertOnly(text()),
  scale: integer as Column<LogoScale>,
  /** Of the content: 32 hexadecimal digits. */
  hash: text(),
  ink: text<LogoInk>(),
  width: integer,
  height: integer,
  content: bytes,
});
/** A picture that we drew ourselves, in WebP. */
export type LogoDrawing = Row<typeof MERCHANT_LOGO>;

/** What a page needs to show it. Sizes are those of the plain drawing. */
export type Logo = {
  readonly hash: string;
  readonly fineHash: string;
  readonly ink: LogoInk;
  readonly width: number;
  readonly height: number;
};

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
    tx.send(sql`delete from merchant_logo where merchant_id = ${merchantId}`);
    tx.send(MERCHANT_LOGO.insert(drawings.map((drawing) => ({ ...drawing, merchantId }))));
  });
}

/** The picture with this hash of this merchant, or of any; undefined when there is none. */
export async function findLogoContent(
  reader: Reader,
  hash: string,
  merchantId?: string,
): Promise<Uint8Array | undefined> {
  const its = merchantId === undefined ? sql`` : sql`and merchant_id = ${merchantId}`;
  const row = await MERCHANT_LOGO.find(reader, sql`where hash = ${hash} ${its} limit 1`);
  return row?.content;
}

/** Nobody else changes its logo until the transaction ends. False for an unknown merchant. */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from merchant where id = ${merchantId} for no key update`);
  return rows.length > 0;
}
