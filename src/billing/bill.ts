// An invoice that a shop sends, or the document that cancels one, and the SQL of its tables. Called
// a bill in code: `invoice` is a request for one payment over Lightning (docs/words.md).
//
// Guarantees: what was issued stays as it was issued (a trigger refuses the rest); its number is
// the next one of its range, given in the transaction that issues it, so that none is given twice
// and none is left out. Whether it is paid is no column: its checkouts say so, now.

import { hash } from 'node:crypto';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { LanguageCode } from '#catalog/language.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Charge } from '#charge/charge.ts';
import { readPayload } from '#charge/checkout-request.ts';
import { pageTokenHash } from '#checkout/page-token.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
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
  json,
  moment,
  optional,
  type Row,
  text,
} from '#db/table.ts';
import { decimalToText, parseDecimal } from '#money/decimal.ts';

/**
 * Why tax is charged or not, for all lines (UNCL5305): S taxed, Z at zero, E exempt, AE reverse
 * charge, G export.
 */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'G'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

/** Who sends a bill or gets it, as it stands on it. An empty text: nothing is known. */
export type BillParty = {
  readonly name: string;
  readonly street: string;
  readonly zip: string;
  readonly city: string;
  /** ISO 3166-1. */
  readonly country: string;
  readonly email: string;
  readonly vatId: string;
  /** Of whoever sends it, where there is no VAT id. */
  readonly taxNumber: string;
};

export const BILL = defineTable('bill', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  kind: text<'INVOICE' | 'CANCELLATION'>(),
  state: text<'DRAFT' | 'ISSUED' | 'CANCELLED'>(),
  pageTokenHash: insertOnly(bytes),
  language: text<LanguageCode>(),
  /** JSON text of `{ charge }`, as a request for a checkout has it. */
  payload: text(),
  billingCurrency: text(),
  total: coded(fractional, {
    decode: (stored) => parseDecimal(String(stored)),
    encode: decimalToText,
  }),
  taxCategory: text<TaxCategory>(),
  taxReason: optional(text()),
  note: optional(text()),
  buyer: json<BillParty>(),
  /** As it was when it was issued. */
  seller: optional(json<BillParty>()),
  dueDays: integer,
  prefix: text(),
  number: optional(integer),
  /** Prefix and number, as it stands on it. */
  name: optional(text()),
  /** A day of UTC, as ISO 8601 writes it; so are the next two. */
  issuedOn: optional(text()),
  dueOn: optional(text()),
  /** Undefined of a draft: on its date. */
  deliveredOn: optional(text()),
  cancels: optional(text()),
  /** Its verification code stands on it. */
  hasCode: flag,
  /** Undefined: it was issued without one. */
  logoHash: optional(text()),
  /** Colour of its titles, `#rrggbb`; undefined: as it is without a brand. */
  accent: optional(text()),
  createdAt: moment,
  issuedAt: optional(moment),
  cancelledAt: optional(moment),
});
export type Bill = Row<typeof BILL>;

/** One that has its number. */
export type IssuedBill = Bill & {
  readonly seller: BillParty;
  readonly name: string;
  readonly issuedOn: string;
  readonly dueOn: string;
  readonly deliveredOn: string;
  readonly issuedAt: Temporal.Instant;
};

const BILL_LOGO = defineTable('bill_logo', {
  hash: text(),
  /** In pixels of a page; the picture may have more. */
  width: integer,
  height: integer,
  content: bytes,
});
/** An opaque PNG that we drew ourselves. */
type BillLogo = Omit<Row<typeof BILL_LOGO>, 'hash'>;

/** How the shop looks at the moment in which it issues a bill. */
export type BillLook = {
  readonly logo?: BillLogo | undefined;
  readonly accent?: string | undefined;
};

const BILL_SENDER = defineTable('bill_sender', {
  merchantId: text(),
  party: json<BillParty>(),
});

const BILL_RANGE = defineTable('bill_range', {
  merchantId: text(),
  environment: text<Environment>(),
  prefix: text(),
  last: integer,
});

const BILL_CHECKOUT = defineTable('bill_checkout', {
  billId: text(),
  checkoutId: text(),
  openedAt: moment,
});

/** Shorter ones get zeros before them. */
const NUMBER_DIGITS = 4;

/** What the token of its page is made from: never the same as that of a checkout. */
export function billTokenSubject(billId: string): string {
  return `bill:${billId}`;
}

/** Undefined also for one of another merchant or environment (E9). */
export function findBill(reader: Reader, owner: Owner, id: string): Promise<Bill | undefined> {
  return BILL.find(reader, sql`where id = ${id} and ${ownedBy(owner)}`);
}

/** For whoever has its code. */
export function findBillById(reader: Reader, id: string): Promise<Bill | undefined> {
  return BILL.find(reader, sql`where id = ${id}`);
}

/** For its page, which is opened by the token alone. */
export function findBillByToken(reader: Reader, token: string): Promise<Bill | undefined> {
  return BILL.find(reader, sql`where page_token_hash = ${pageTokenHash(token)}`);
}

/** The one that cancels this one. */
export function findCancellation(reader: Reader, billId: string): Promise<Bill | undefined> {
  return BILL.find(reader, sql`where cancels = ${billId}`);
}

/** The one that this one cancels. */
export async function findCancelled(reader: Reader, bill: Bill): Promise<IssuedBill | undefined> {
  if (bill.cancels === undefined) return undefined;
  const found = await BILL.find(reader, sql`where id = ${bill.cancels}`);
  return found && isIssued(found) ? found : undefined;
}

/** Newest first. */
export async function listBills(
  reader: Reader,
  owner: Owner,
  { limit, cursor }: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<{ readonly bills: readonly Bill[]; readonly nextCursor: string | null }> {
  const place = placeNewestFirst(cursor);
  const rows = await BILL.select(
    reader,
    sql`where ${ownedBy(owner)} and (created_at, id) < (${place.at}, ${place.id})
      order by created_at desc, id desc limit ${limit + 1}`,
  );
  const placeOf = ({ createdAt, id }: Bill) => ({ at: createdAt, id });
  const { shown, nextCursor } = cutPage(rows, limit, placeOf);
  return { bills: shown, nextCursor };
}

/** The one that this checkout was opened for. */
export function findBillOfCheckout(reader: Reader, checkoutId: string): Promise<Bill | undefined> {
  return BILL.find(
    reader,
    sql`where id = (select bill_id from bill_checkout where checkout_id = ${checkoutId})`,
  );
}

/** The ones that any of these was opened for. */
export function listBillsOfCheckouts(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<Bill[]> {
  if (checkoutIds.length === 0) return Promise.resolve([]);
  return BILL.select(
    reader,
    sql`where id in (
      select bill_id from bill_checkout where checkout_id = any(${checkoutIds}::text[]))`,
  );
}

/** As it stands, held until the transaction ends. @throws Refusal missing `bill_missing` */
export async function lockBill(tx: Tx, owner: Owner, id: string): Promise<Bill> {
  return known(await BILL.find(tx, sql`where id = ${id} and ${ownedBy(owner)} for update`));
}

/** As it stands, held by nobody. @throws Refusal missing `bill_missing` */
export async function requireBill(reader: Reader, owner: Owner, id: string): Promise<Bill> {
  return known(await findBill(reader, owner, id));
}

function known(found: Bill | undefined): Bill {
  if (found === undefined) throw new Refusal('missing', 'bill_missing', 'no such invoice');
  return found;
}

export function isIssued(bill: Bill): bill is IssuedBill {
  return bill.name !== undefined;
}

/** Undefined where what is stored cannot be read any more; the total is known all the same. */
export function chargeOf({ payload }: Pick<Bill, 'payload'>): Charge | undefined {
  return readPayload(payload).charge;
}

/**
 * The next number of a range. Whoever asks for one in the same range waits until this transaction
 * ends, and gets the same number when it fails: none is left out.
 */
export async function takeNumber(
  tx: Tx,
  { merchantId, environment }: Owner,
  prefix: string,
): Promise<{ readonly number: number; readonly name: string }> {
  const [row] = await tx.query<{ last: number }>(
    BILL_RANGE.insert(
      [{ merchantId, environment, prefix, last: 1 }],
      sql`on conflict (merchant_id, environment, prefix)
        do update set last = bill_range.last + 1 returning last`,
    ),
  );
  const number = row?.last ?? 1;
  return { number, name: `${prefix}${String(number).padStart(NUMBER_DIGITS, '0')}` };
}

/** Kept once, for as long as there are bills. Answers what a bill names it by. */
export function keepLogo(tx: Tx, logo: BillLogo): string {
  const { width, height, content } = logo;
  const id = hash('sha256', Buffer.concat([Buffer.from(`${width}x${height}:`), content]));
  tx.send(BILL_LOGO.insert([{ ...logo, hash: id }], sql`on conflict (hash) do nothing`));
  return id;
}

/** As it was issued. */
export async function readLook(reader: Reader, { logoHash, accent }: Bill): Promise<BillLook> {
  const logo =
    logoHash === undefined
      ? undefined
      : await BILL_LOGO.find(reader, sql`where hash = ${logoHash}`);
  return { logo, accent };
}

/** Who sends the bills of a merchant; undefined until it has said so. */
export async function findSender(
  reader: Reader,
  merchantId: string,
): Promise<BillParty | undefined> {
  const row = await BILL_SENDER.find(reader, sql`where merchant_id = ${merchantId}`);
  return row?.party;
}

export async function storeSender(tx: Tx, merchantId: string, party: BillParty): Promise<void> {
  await tx.query(
    BILL_SENDER.insert(
      [{ merchantId, party }],
      sql`on conflict (merchant_id) do update set ${BILL_SENDER.excluded(['party'])}`,
    ),
  );
}

export async function noteBillCheckout(
  tx: Tx,
  row: {
    readonly billId: string;
    readonly checkoutId: string;
    readonly openedAt: Temporal.Instant;
  },
): Promise<void> {
  await tx.query(BILL_CHECKOUT.insert([row]));
}

/** The checkouts that were opened for these bills, the oldest first. */
export function listBillCheckouts(
  reader: Reader,
  billIds: readonly string[],
): Promise<Row<typeof BILL_CHECKOUT>[]> {
  return BILL_CHECKOUT.select(
    reader,
    sql`where bill_id = any(${billIds}::text[]) order by opened_at, checkout_id`,
  );
}
