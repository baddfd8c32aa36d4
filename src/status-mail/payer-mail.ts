// A mail to a payer who typed his address on the page of a payment. Guarantees: of each way that it
// can end there is one mail, whether he typed it before or while it ended; none where the shop has
// switched it off, where he has declined, or where its customer gets the same mail there anyway;
// nothing of it is a text of whoever typed the address.

import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { type CheckoutRecord, lockCheckoutRow, requireOwn } from '#checkout/checkout.ts';
import { findAnyCheckout, readRecords } from '#checkout/find-checkout.ts';
import { isStanding } from '#checkout-settlement/payment-progress.ts';
import type { Db, Reader } from '#db/db.ts';
import type { Happened } from '#event/event.ts';
import { enqueueMail, type NewMail } from '#mail/mail.ts';
import { mailReader } from '#mail/mail-stop.ts';
import { readCustomerMails, readPayerMails } from '#merchant/customer-mails.ts';
import { findCustomer } from '#people/customer.ts';
import {
  dropPayerAddresses,
  findPayerMail,
  keepPayerMail,
  type PayerMail,
  type PayerMailKind,
  payerMailCause,
} from '#people/payer-mail.ts';
import { type CustomerMailApp, mailTo } from './customer-mail.ts';
import { decidePayerMail } from './decide-customer-mail.ts';

/** Of an event; none when nobody asked. */
export async function payerMailsOfEvent(
  app: CustomerMailApp,
  { subjectId }: Happened,
): Promise<NewMail[]> {
  const asked = await findPayerMail(app, app.db, subjectId);
  const record = asked && (await findAnyCheckout(app, subjectId));
  return asked === undefined || record === undefined ? [] : mailsOf(app, app.db, record, asked);
}

type AskApp = CustomerMailApp & {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
};

/** Who types an address on the page of what was paid long ago waits for nothing. */
const JUST_PAID_MINUTES = 10;

/**
 * Keeps where he wants to be told. The checkout is locked: what ends it afterwards finds the
 * address, and when it was paid a moment before, he is told here.
 * @throws Refusal missing `checkout_missing`; invalid `email`
 */
export async function askPayerMail(
  app: AskApp,
  checkoutId: string,
  typed: { readonly address: string; readonly language: LanguageCode },
): Promise<void> {
  await app.db.transact(async (tx) => {
    const checkout = requireOwn(await lockCheckoutRow(tx, checkoutId), 'page');
    const { state, completedAt } = checkout;
    const freshSince = app.clock.now().subtract({ minutes: JUST_PAID_MINUTES });
    const isPaid = state === 'COMPLETED';
    const isOld = completedAt && Temporal.Instant.compare(completedAt, freshSince) < 0;
    if (isPaid && isOld) return;
    await keepPayerMail(app, tx, checkout, typed);
    if (!isPaid) return;
    const asked = await findPayerMail(app, tx, checkoutId);
    const [record] = await readRecords(app, tx, [checkoutId], Promise.resolve([checkout]));
    if (asked === undefined || record === undefined) return;
    for (const mail of await mailsOf(app, tx, record, asked)) enqueueMail(app, tx, mail);
    dropPayerAddresses(tx, [checkoutId]);
  });
}

async function mailsOf(
  app: CustomerMailApp,
  db: Reader,
  record: CheckoutRecord,
  { address, reader, language }: PayerMail,
): Promise<NewMail[]> {
  const kind = decidePayerMail({ ...record, hasMoney: record.receipts.some(isStanding) });
  if (kind === undefined || !(await readPayerMails(db, record))) return [];
  if (await isToldAnyway(app, db, record, { kind, reader })) return [];
  const causeKey = payerMailCause(record.id, kind);
  const about = { kind, record, refund: undefined, isAsked: true };
  return mailTo(app, db, about, { causeKey, reader, receiver: address, language });
}

/** As the customer of the checkout, at the same address. */
async function isToldAnyway(
  { keyring }: Pick<CustomerMailApp, 'keyring'>,
  db: Reader,
  record: CheckoutRecord,
  mail: { readonly kind: PayerMailKind; readonly reader: Uint8Array },
): Promise<boolean> {
  const { merchantId, customerId } = record;
  if (customerId === undefined) return false;
  const [on, customer] = await Promise.all([
    readCustomerMails(db, record),
    findCustomer({ db }, record, customerId),
  ]);
  if (customer === undefined || !on.includes(mail.kind)) return false;
  return Buffer.from(mailReader(keyring, merchantId, customer.email)).equals(mail.reader);
}
