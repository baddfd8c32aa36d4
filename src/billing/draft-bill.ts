// A bill before it is issued: what the shop says of it, checked. Guarantees: what is drafted can be
// issued as soon as it is known who sends it; each line of it comes to whole units of its currency,
// so that the lines, the tax and the total add up to the cent wherever they are added.

import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { isEmail, isStorable } from '#base/text.ts';
import type { LanguageCode } from '#catalog/language.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Charge } from '#charge/charge.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { type PageTokenKeys, pageToken, pageTokenHash } from '#checkout/page-token.ts';
import { type Db, sql } from '#db/db.ts';
import { compare, isNegative, isZero, ZERO } from '#money/decimal.ts';
import { type ExactJson, stringifyExact } from '#money/exact-json.ts';
import { isCountry } from '#people/iban.ts';
import {
  BILL,
  type Bill,
  type BillParty,
  billTokenSubject,
  lockBill,
  storeSender,
  type TaxCategory,
} from './bill.ts';

export type BillRequest = {
  /** As in a request for a checkout. */
  readonly charge: ExactJson;
  readonly buyer: BillParty;
  readonly language: LanguageCode;
  readonly taxCategory: TaxCategory;
  /** Why no tax is charged. */
  readonly taxReason: string;
  readonly note: string;
  readonly dueDays: number;
  readonly prefix: string;
  /** A day as ISO 8601 writes it; an empty text: the date of the bill. */
  readonly deliveredOn: string;
};

type DraftApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: PageTokenKeys;
};

export const FIELD_MOST = 200;
export const NOTE_MOST = 1000;
const DUE_DAYS_MOST = 365;
/** It ends with no digit: `A1` with 1 and `A` with 10001 would be the same. */
const PREFIX = /^(?:[A-Za-z0-9/._-]{0,15}[A-Za-z/._-])?$/;

/** @throws Refusal invalid: one code for each part that cannot be taken. */
export async function draftBill(app: DraftApp, owner: Owner, request: BillRequest): Promise<Bill> {
  const { merchantId, environment } = owner;
  const { charge, payload } = readCharge(request.charge);
  checkTerms(request, charge);
  const buyer = readParty(request.buyer);
  if (request.taxCategory === 'AE' && buyer.vatId === '') throw fault('bill_buyer_vat');
  const id = newId(app.random);
  const row = {
    ...({ id, merchantId, environment, kind: 'INVOICE', state: 'DRAFT' } as const),
    pageTokenHash: pageTokenHash(pageToken(app.keyring, billTokenSubject(id))),
    ...{ language: request.language, payload, billingCurrency: charge.billingCurrency },
    ...{ total: charge.total, taxCategory: request.taxCategory, buyer },
    taxReason: request.taxCategory === 'S' ? undefined : filled(request.taxReason),
    note: filled(request.note),
    ...{ dueDays: request.dueDays, prefix: request.prefix, createdAt: app.clock.now() },
    ...{ seller: undefined, number: undefined, name: undefined, issuedOn: undefined },
    deliveredOn: filled(request.deliveredOn),
    ...{ dueOn: undefined, cancels: undefined, issuedAt: undefined, cancelledAt: undefined },
    ...{ hasCode: false, logoHash: undefined, accent: undefined },
  };
  await app.db.single((tx) => tx.query(BILL.insert([row])));
  return row;
}

/** It has no number yet: nothing is left out. @throws Refusal missing; conflict `bill_state` */
export async function discardBill(app: { readonly db: Db }, owner: Owner, id: string) {
  await app.db.transact(async (tx) => {
    const bill = await lockBill(tx, owner, id);
    if (bill.state !== 'DRAFT') throw new Refusal('conflict', 'bill_state', 'it is issued');
    await tx.query(sql`delete from bill where id = ${id}`);
  });
}

/** Who sends the bills from now on; those that are issued stay as they are. @throws Refusal */
export async function changeSender(
  app: { readonly db: Db },
  merchantId: string,
  given: BillParty,
): Promise<void> {
  const party = readParty(given);
  if (party.street === '' || party.city === '') throw fault('bill_address');
  if (party.vatId === '' && party.taxNumber === '') throw fault('bill_tax_number');
  await app.db.transact((tx) => storeSender(tx, merchantId, party));
}

function readCharge(charge: ExactJson): { charge: Charge; payload: string } {
  try {
    const request = parseCheckoutRequest({ charge });
    return { charge: request.charge, payload: stringifyExact({ charge }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal('invalid', 'bill_charge', error.details);
  }
}

/** What an invoice asks of a charge beyond what a checkout does. */
function checkTerms(
  { taxCategory, dueDays, prefix, note, taxReason, deliveredOn }: BillRequest,
  charge: Charge,
): void {
  const { lineItems, discountItems, shippingCostItems, taxItems, decimals } = charge;
  const amounts = [
    ...lineItems.map(({ amount }) => amount),
    ...discountItems.map(({ netAmount }) => netAmount),
    ...shippingCostItems.map(({ netAmount }) => netAmount),
  ];
  const isWhole = amounts.every(({ scale }) => scale <= decimals);
  const prices = lineItems.map(({ netAmount }) => netAmount);
  const isSold = lineItems.every(({ quantity }) => compare(quantity, ZERO) > 0);
  if (!isWhole || [...prices, ...amounts].some(isNegative) || !isSold) throw fault('bill_amounts');
  const isTaxed = taxItems.some(({ percent }) => !isZero(percent));
  if (taxItems.length > 1 || isTaxed !== (taxCategory === 'S')) throw fault('bill_tax');
  if (!isLine(taxReason) || (needsReason(taxCategory) && filled(taxReason) === undefined)) {
    throw fault('bill_tax_reason');
  }
  if (!Number.isInteger(dueDays) || dueDays < 0 || dueDays > DUE_DAYS_MOST) throw fault('bill_due');
  if (deliveredOn !== '' && !isDay(deliveredOn)) throw fault('bill_delivered');
  if (!PREFIX.test(prefix)) throw fault('bill_prefix');
  if (!isStorable(note, NOTE_MOST)) throw fault('bill_note');
}

/** EN 16931: BR-E-10, BR-AE-10, BR-G-10. */
function needsReason(category: TaxCategory): boolean {
  return category === 'E' || category === 'AE' || category === 'G';
}

function readParty(given: BillParty): BillParty {
  const texts = Object.entries(given).map(([name, value]) => [name, value.trim()] as const);
  const party = Object.fromEntries(texts) as BillParty;
  const { name, country, email } = party;
  if (name === '' || !texts.every(([, value]) => isLine(value))) throw fault('bill_name');
  if (!isCountry(country)) throw fault('bill_country');
  if (email !== '' && !isEmail(email)) throw fault('bill_email');
  const isVat =
    /^[A-Z]{2}[A-Za-z0-9+*.]{2,13}$/.test(party.vatId) && isVatCountry(party.vatId.slice(0, 2));
  if (party.vatId !== '' && !isVat) throw fault('bill_vat');
  return party;
}

/** EN 16931: BR-CO-09. Greece writes EL, Northern Ireland XI. */
function isVatCountry(code: string): boolean {
  return isCountry(code) || code === 'EL' || code === 'XI';
}

function isDay(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  try {
    return Temporal.PlainDate.from(value).toString() === value;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isLine(value: string): boolean {
  return isStorable(value, FIELD_MOST) && !/\p{Cc}/u.test(value);
}

function filled(value: string): string | undefined {
  return value.trim() === '' ? undefined : value.trim();
}

const FAULTS = {
  bill_amounts:
    'prices must not be below zero, and each line has to come to whole units of the currency',
  bill_tax: 'one tax above zero where tax is charged, and none where it is not',
  bill_tax_reason: 'a reason of up to 200 characters why no tax is charged',
  bill_due: 'due in 0 to 365 whole days',
  bill_delivered: 'a day such as 2026-01-31',
  bill_prefix: 'a range is up to 16 letters, digits, / . _ - and ends with no digit',
  bill_note: 'a note has up to 1000 characters',
  bill_name: 'a name, and each line of up to 200 characters',
  bill_country: 'the country as two letters (ISO 3166-1)',
  bill_email: 'no e-mail address',
  bill_vat: 'a VAT id begins with its country, such as DE123456789',
  bill_buyer_vat: 'reverse charge asks for the VAT id of the buyer',
  bill_address: 'street and city of whoever sends it',
  bill_tax_number: 'a VAT id, or a tax number',
} as const;

function fault(code: keyof typeof FAULTS): Refusal {
  return new Refusal('invalid', code, FAULTS[code]);
}
