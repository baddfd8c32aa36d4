// A link that may be paid again and again: whoever opens its address gets a checkout of his own.
// And the SQL of its table. Its token is derived from its id under the key file, as that of a page
// of a checkout is, so that a copy of the database opens nothing, and the address can always be
// shown.

import { askingColumn, type PayerAsking } from '#ask/ask.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { isStorable } from '#base/text.ts';
import { findAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { findCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import { type PageTokenKeys, pageOrigin, pageToken, pageTokenHash } from '#checkout/page-token.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import {
  bytes,
  coded,
  defineTable,
  flag,
  fractional,
  insertOnly,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import { compare, decimalToText, parseDecimal, ZERO } from '#money/decimal.ts';

const amount = coded(fractional, {
  decode: (stored) => parseDecimal(String(stored)),
  encode: decimalToText,
});

export const PAYMENT_LINK = defineTable('payment_link', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  tokenHash: insertOnly(bytes),
  /** What is paid for, as the customer reads it. */
  title: text(),
  description: optional(text()),
  currency: text(),
  /** Undefined: the customer chooses. */
  amount: optional(amount),
  /** What he may choose. */
  leastAmount: optional(amount),
  mostAmount: optional(amount),
  /** An asset id, or ORIGIN. */
  settlementAsset: text(),
  /** How many of its checkouts may be open or paid at once; undefined: any number. */
  stock: optional(integer),
  endsAt: optional(moment),
  /** What its checkouts ask payers; undefined: as the account does. */
  asking: optional(askingColumn),
  isOn: selectOnly(flag),
  createdAt: moment,
});
export type PaymentLink = Row<typeof PAYMENT_LINK>;

type NewPaymentLink = Omit<
  PaymentLink,
  'id' | 'merchantId' | 'environment' | 'isOn' | 'createdAt' | 'asking'
> & { readonly asking?: PayerAsking | undefined };

export const LINK_TITLE_MAX = 200;
export const LINK_TEXT_MAX = 1_000;
const STOCK_MOST = 1_000_000;
const LINKS_MOST = 500;
const ORIGIN = 'ORIGIN';

type App = { readonly db: Db; readonly clock: Clock };

/**
 * @throws Refusal invalid `link_title`, `link_amount`, `link_stock`, `link_end`, `link_settlement`;
 * conflict `links_too_many`
 */
export async function createPaymentLink(
  app: App & { readonly random: Random; readonly keyring: PageTokenKeys },
  { merchantId, environment }: Owner,
  given: NewPaymentLink,
): Promise<PaymentLink> {
  const now = app.clock.now();
  requireWhole(given, now);
  const id = newId(app.random);
  const tokenHash = pageTokenHash(paymentLinkToken(app.keyring, id));
  const link = { asking: undefined, ...given, id, merchantId, environment, createdAt: now };
  await app.db.transact(async (tx) => {
    // Whoever makes another one waits until this one is counted.
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`links ${merchantId}`}, 0))`,
    );
    const [row] = await tx.query<{ readonly count: number }>(sql`
      select count(*)::int as count from payment_link where merchant_id = ${merchantId}`);
    if ((row?.count ?? 0) >= LINKS_MOST) {
      throw new Refusal('conflict', 'links_too_many', `an account has ${LINKS_MOST} links at most`);
    }
    await tx.query(PAYMENT_LINK.insert([{ ...link, tokenHash }]));
  });
  return { ...link, isOn: true };
}

function requireWhole(given: NewPaymentLink, now: Temporal.Instant): void {
  const { title, description = '', stock, endsAt, settlementAsset } = given;
  const isText = isStorable(title, LINK_TITLE_MAX) && isStorable(description, LINK_TEXT_MAX);
  if (title === '' || !isText) {
    throw new Refusal('invalid', 'link_title', 'title: a text of up to 200 characters');
  }
  requireAmounts(given);
  const isStock = stock === undefined || (Number.isInteger(stock) && stock > 0);
  if (!isStock || (stock ?? 0) > STOCK_MOST) {
    throw new Refusal('invalid', 'link_stock', `stock: from 1 to ${STOCK_MOST}`);
  }
  if (endsAt !== undefined && Temporal.Instant.compare(endsAt, now) <= 0) {
    throw new Refusal('invalid', 'link_end', 'endsAt: a time to come');
  }
  if (settlementAsset !== ORIGIN && findAsset(settlementAsset)?.settlement !== true) {
    throw new Refusal('invalid', 'link_settlement', 'settlementAsset: can be settled in');
  }
}

function requireAmounts({ currency, amount: fixed, leastAmount, mostAmount }: NewPaymentLink) {
  const all = [fixed, leastAmount, mostAmount].filter((one) => one !== undefined);
  const isBilled = findCurrency(currency)?.billing === true;
  const areAbove = all.every((one) => compare(one, ZERO) > 0);
  const isOneKind = fixed === undefined || all.length === 1;
  const isRange =
    leastAmount === undefined || mostAmount === undefined || compare(leastAmount, mostAmount) <= 0;
  if (isBilled && areAbove && isOneKind && isRange) return;
  throw new Refusal('invalid', 'link_amount', 'amount: one above zero, or a range of them');
}

/** Newest first. */
export async function listPaymentLinks(
  reader: Reader,
  owner: Owner,
  { cursor, limit }: { readonly cursor: PagePlace | undefined; readonly limit: number },
): Promise<{ readonly links: readonly PaymentLink[]; readonly nextCursor: string | null }> {
  const { at, id } = placeNewestFirst(cursor);
  const rows = await PAYMENT_LINK.select(
    reader,
    sql`where ${ownedBy(owner)} and (created_at, id) < (${at}, ${id})
      order by created_at desc, id desc limit ${limit + 1}`,
  );
  const { shown, nextCursor } = cutPage(rows, limit, (one) => ({ at: one.createdAt, id: one.id }));
  return { links: shown, nextCursor };
}

/** Undefined also for one of another merchant or environment (E9). */
export function findPaymentLink(
  reader: Reader,
  owner: Owner,
  id: string,
): Promise<PaymentLink | undefined> {
  return PAYMENT_LINK.find(reader, sql`where id = ${id} and ${ownedBy(owner)}`);
}

/** For whoever has its address. */
export function findPaymentLinkByToken(
  reader: Reader,
  token: string,
): Promise<PaymentLink | undefined> {
  return PAYMENT_LINK.find(reader, sql`where token_hash = ${pageTokenHash(token)}`);
}

/** Held until the transaction ends: nobody else counts what is left of it meanwhile. */
export function lockPaymentLink(tx: Tx, id: string): Promise<PaymentLink | undefined> {
  return PAYMENT_LINK.find(tx, sql`where id = ${id} for no key update`);
}

/** @throws Refusal missing `link_missing` */
export async function switchPaymentLink(
  app: { readonly db: Db },
  owner: Owner,
  id: string,
  isOn: boolean,
): Promise<void> {
  const rows = await app.db.single((tx) =>
    tx.query(sql`
      update payment_link set is_on = ${isOn} where id = ${id} and ${ownedBy(owner)} returning id`),
  );
  if (rows.length === 0) throw new Refusal('missing', 'link_missing', 'no such payment link');
}

/**
 * Of checkouts that are opened from now on. Undefined: what the account asks.
 * @throws Refusal missing `link_missing`
 */
export async function changeLinkAsking(
  app: { readonly db: Db },
  owner: Owner,
  id: string,
  asking: PayerAsking | undefined,
): Promise<void> {
  const rows = await app.db.single((tx) =>
    tx.query(sql`
      update payment_link set asking = ${asking === undefined ? null : JSON.stringify(asking)}
      where id = ${id} and ${ownedBy(owner)} returning id`),
  );
  if (rows.length === 0) throw new Refusal('missing', 'link_missing', 'no such payment link');
}

/** Never an id of a checkout: those have no space. */
function paymentLinkToken(keyring: PageTokenKeys, id: string): string {
  return pageToken(keyring, `payment-link ${id}`);
}

/** `merchant`: where its pages are. */
export function paymentLinkUrl(
  app: { readonly keyring: PageTokenKeys; readonly publicUrl: string },
  merchant: { readonly pageOrigin: string | undefined },
  { id }: Pick<PaymentLink, 'id'>,
): string {
  return `${pageOrigin(app, merchant)}/pay/${paymentLinkToken(app.keyring, id)}`;
}
