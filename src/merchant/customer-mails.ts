// Which mails customers get of a merchant: none unless it switched them on, each kind by itself.

import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { changeEnvironment, MERCHANT_ENVIRONMENT, unknownMerchant } from './merchant.ts';

/** Of a checkout or a refund of it. */
export const CHECKOUT_MAILS = [
  'PAYMENT_SEEN',
  'PAID',
  'UNDERPAID',
  'EXPIRED',
  'REFUND_CLAIM',
  'REFUND_SENT',
] as const;
export type CheckoutMailKind = (typeof CHECKOUT_MAILS)[number];
/** Of an invoice that the shop sends. */
export const BILL_MAILS = ['BILL_SENT', 'BILL_DUE_SOON', 'BILL_DUE', 'BILL_OVERDUE'] as const;
export const CUSTOMER_MAILS = [...CHECKOUT_MAILS, ...BILL_MAILS] as const;
export type CustomerMailKind = (typeof CUSTOMER_MAILS)[number];

const SWITCHED = MERCHANT_ENVIRONMENT.only('customerMails');

/** In the order of the list above. @throws Refusal `missing` for an unknown merchant. */
export async function readCustomerMails(
  reader: Reader,
  owner: Owner,
): Promise<readonly CustomerMailKind[]> {
  const row = await SWITCHED.find(reader, sql`where ${ownedBy(owner)}`);
  if (row === undefined) throw unknownMerchant(owner.merchantId);
  return CUSTOMER_MAILS.filter((kind) => row.customerMails.includes(kind));
}

/**
 * These are on, all others are off. Answers what is on then. What happened before stays untold.
 * @throws Refusal `missing` for an unknown merchant.
 */
export async function changeCustomerMails(
  app: { readonly db: Db },
  owner: Owner,
  asked: readonly CustomerMailKind[],
): Promise<readonly CustomerMailKind[]> {
  const on = CUSTOMER_MAILS.filter((kind) => asked.includes(kind));
  await changeEnvironment(app, owner, sql`customer_mails = ${on}::text[]`);
  return on;
}
