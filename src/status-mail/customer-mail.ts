// A mail to a customer, before it is written: whom it goes to, what it is about, and the links that
// are his own. Guarantees: it goes to the customer whom the checkout itself names, of the same
// merchant and environment; each link opens what is his and nothing else; who has declined the
// mails of this merchant gets none.

import { FALLBACK_LANGUAGE, isLanguageCode, type LanguageCode } from '#catalog/language.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { type FindCheckoutApp, findAnyCheckout } from '#checkout/find-checkout.ts';
import {
  hostedCheckoutUrl,
  type PageTokenKeys,
  pageOrigin,
  pageToken,
} from '#checkout/page-token.ts';
import { isStanding, isWrongAsset } from '#checkout-settlement/payment-progress.ts';
import type { Reader } from '#db/db.ts';
import type { Happened } from '#event/event.ts';
import type { Keyring } from '#installation/keyring.ts';
import type { Letter } from '#mail/letter.ts';
import type { NewMail } from '#mail/mail.ts';
import { hasLeft, leaveToken, mailReader } from '#mail/mail-stop.ts';
import {
  type CheckoutMailKind,
  findMailWords,
  type MailWords,
  readCustomerMails,
} from '#merchant/customer-mails.ts';
import { getSeller, type Seller } from '#merchant/seller.ts';
import { findCustomer } from '#people/customer.ts';
import { findAnyRefund, isClaimable, type Refund, refundClaimUrl } from '#refund/refund.ts';
import { decideCustomerMail } from './decide-customer-mail.ts';

export type CustomerMail = {
  readonly kind: CheckoutMailKind;
  readonly language: LanguageCode;
  readonly record: CheckoutRecord;
  readonly seller: Seller;
  /** What the shop says beside what the mail does. */
  readonly ownWords: MailWords;
  /** Of mails about one. */
  readonly refund: Refund | undefined;
  /** He asked for it on the page of the payment. */
  readonly isAsked?: boolean | undefined;
  readonly links: {
    /** Where it is paid, or how it stands. */
    readonly checkout: string;
    readonly receipt: string;
    /** Where the payer says where a refund goes. */
    readonly claim: string | undefined;
    /** Where he declines further mails. */
    readonly leave: string;
  };
};

export type CustomerMailApp = FindCheckoutApp & {
  readonly publicUrl: string;
  readonly keyring: FindCheckoutApp['keyring'] & PageTokenKeys & Keyring;
  /** Draws it. */
  readonly writeCustomerLetter: (mail: CustomerMail) => Letter;
};

/** Of an event; none when nobody is mailed of it. */
export async function mailsOfEvent(app: CustomerMailApp, event: Happened): Promise<NewMail[]> {
  const { type, subjectId, causeKey } = event;
  const on = await readCustomerMails(app.db, event);
  if (on.length === 0) return [];
  const refund = type === 'REFUND_COMPLETED' ? await findAnyRefund(app.db, subjectId) : undefined;
  const record = await findAnyCheckout(app, refund?.checkoutId ?? subjectId);
  if (record === undefined) return [];
  const isSeen = record.receipts.some(
    (receipt) => isStanding(receipt) && !isWrongAsset(record, receipt),
  );
  const kind = decideCustomerMail(type, { ...record, isSeen, refundState: refund?.state });
  if (kind === undefined || !on.includes(kind)) return [];
  return mailAbout(app, { kind, record, refund }, causeKey);
}

/** Of a refund that waits for its payer; none as above. */
export async function mailsOfClaim(app: CustomerMailApp, refund: Refund): Promise<NewMail[]> {
  const on = await readCustomerMails(app.db, refund);
  if (!on.includes('REFUND_CLAIM') || !isClaimable(refund)) return [];
  const record = await findAnyCheckout(app, refund.checkoutId);
  if (record === undefined) return [];
  return mailAbout(app, { kind: 'REFUND_CLAIM', record, refund }, `refund:${refund.id}:claim`);
}

async function mailAbout(
  app: CustomerMailApp,
  about: Pick<CustomerMail, 'kind' | 'record' | 'refund'>,
  cause: string,
): Promise<NewMail[]> {
  const { record } = about;
  const { merchantId, customerId } = record;
  const customer =
    customerId === undefined ? undefined : await findCustomer(app, record, customerId);
  if (customer === undefined) return [];
  const reader = mailReader(app.keyring, merchantId, customer.email);
  const to = { reader, receiver: customer.email, causeKey: `customer:${cause}` };
  return mailTo(app, app.db, about, to);
}

/** None when he has declined. `language`: undefined: that of the checkout. */
export async function mailTo(
  app: Omit<CustomerMailApp, 'db'>,
  db: Reader,
  about: Pick<CustomerMail, 'kind' | 'record' | 'refund' | 'isAsked'>,
  to: Required<Pick<NewMail, 'reader' | 'receiver' | 'causeKey'>> & {
    readonly language?: LanguageCode;
  },
): Promise<NewMail[]> {
  const { record, refund, kind } = about;
  const { merchantId } = record;
  const { language: asked, ...mail } = to;
  const { reader = new Uint8Array() } = mail;
  if (await hasLeft(db, merchantId, reader)) return [];
  const seller = await getSeller(db, merchantId);
  const language = asked ?? languageOf(record, seller);
  const ownWords = await findMailWords(db, record, { kind, language });
  const token = pageToken(app.keyring, record.id);
  const checkout = hostedCheckoutUrl(pageOrigin(app, record), asked ?? record.language, token);
  const leave = `${app.publicUrl}/${language}/mails/${merchantId}/${leaveToken(app.keyring, merchantId, reader)}`;
  const claim = refund === undefined ? undefined : refundClaimUrl(app, refund);
  const links = { checkout, receipt: `${checkout}/receipt`, claim, leave };
  const letter = app.writeCustomerLetter({ ...about, language, seller, ownWords, links });
  return [{ ...mail, kind, merchantId, letter }];
}

/** That of its page; where that follows the browser, the one that the merchant chose. */
function languageOf({ language }: CheckoutRecord, seller: Seller): LanguageCode {
  if (isLanguageCode(language)) return language;
  return seller.page.defaultLanguage ?? FALLBACK_LANGUAGE;
}
