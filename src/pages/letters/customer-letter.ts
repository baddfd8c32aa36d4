// What a mail to a customer says: the words of his language, the name and colour of the shop, and
// links of his own; before and after them what the shop says in its own words, which are text and
// nothing else. Nothing in it is fetched from anywhere.

import { assert, unreachable } from '#base/assert.ts';
import { shownAsset } from '#catalog/asset.ts';
import { isStanding, paymentProgress } from '#checkout-settlement/payment-progress.ts';
import { colorText } from '#look/color.ts';
import { paletteOf } from '#look/palette.ts';
import type { Letter } from '#mail/letter.ts';
import { writeLetter } from '#mail/letters.ts';
import type { MailWords } from '#merchant/customer-mails.ts';
import type { Seller } from '#merchant/seller.ts';
import { shownCommitment } from '#pages/checkout/decide-page.ts';
import { orderSummary } from '#pages/checkout/order-summary.ts';
import { assetText, momentText, moneyText } from '#pages/display.ts';
import { visibleText } from '#pages/html.ts';
import { letterTexts } from '#pages/languages/letters/texts.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { CustomerMail } from '#status-mail/customer-mail.ts';

type Said = {
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly [string, ...string[]];
  readonly link: { readonly label: string; readonly href: string };
};

export function customerLetter(mail: CustomerMail): Letter {
  const { language, record, seller, links } = mail;
  const texts = letterTexts(language);
  const shop = shopNameOf(mail);
  const said = saidBy(mail, shop);
  const isTest = record.environment === 'test';
  const { contact } = seller.page;
  const own = ownParagraphs(mail.ownWords);
  const [first = '', ...others] = [...own.opening, ...said.paragraphs];
  const letter = writeLetter({
    language,
    subject: isTest ? `${texts.test}: ${said.subject}` : said.subject,
    title: said.title,
    paragraphs: [
      first,
      ...others,
      texts.reference(record.id),
      ...own.closing,
      ...(isTest ? [texts.testHint] : []),
      ...(contact === null ? [] : [texts.contact(visibleText(contact))]),
    ],
    link: said.link,
    brand: brandOf(seller, shop),
    foot: {
      text: mail.isAsked ? texts.whyAsked(shop) : texts.why(shop),
      link: { label: texts.leave, href: links.leave },
    },
  });
  const replyTo = contact?.includes('@') === true ? contact : undefined;
  return { ...letter, fromName: shop, replyTo, leaveUrl: links.leave };
}

/** Lines stay lines; an empty one begins a paragraph. */
export function ownParagraphs({ opening = '', closing = '' }: MailWords) {
  const paragraphs = (words: string) =>
    words
      .split(/\n{2,}/)
      .map((one) => one.split('\n').map(visibleText).filter(Boolean).join('\n'))
      .filter(Boolean);
  return { opening: paragraphs(opening), closing: paragraphs(closing) };
}

/** Its name on its colour, as its pages have it. */
export function brandOf({ page }: Pick<Seller, 'page'>, name: string) {
  const { fill, onFill, edge } = paletteOf(page, 'light');
  return { name, fill: colorText(fill), onFill: colorText(onFill), edge: colorText(edge) };
}

function shopNameOf({ record, seller }: CustomerMail): string {
  const name = visibleText(orderSummary(record, seller).shopName);
  return name === '' ? 'Quittance' : name;
}

function saidBy(mail: CustomerMail, shop: string): Said {
  const { kind, language, record, links } = mail;
  const texts = letterTexts(language);
  const page = { href: links.checkout };
  switch (kind) {
    case 'PAYMENT_SEEN': {
      const { subject, title, body, button } = texts.seen;
      const paragraphs = [body(amountsOf(mail).received)] as const;
      return { subject: subject(shop), title, paragraphs, link: { ...page, label: button } };
    }
    case 'PAID': {
      const { subject, title, body, button } = texts.paid;
      const total = moneyText(record.total, record.billingCurrency, language);
      const link = { label: button, href: links.receipt };
      return { subject: subject(shop), title, paragraphs: [body(shop, total)], link };
    }
    case 'UNDERPAID': {
      const { subject, title, body, todo, button } = texts.underpaid;
      const { received, remaining } = amountsOf(mail);
      const paragraphs = [body(received, remaining), todo] as const;
      return { subject: subject(shop), title, paragraphs, link: { ...page, label: button } };
    }
    case 'EXPIRED': {
      const { subject, title, money, button } = texts.expired;
      const { body, todo } = record.receipts.some(isStanding) ? money : texts.expired;
      const link = { ...page, label: button };
      return { subject: subject(shop), title, paragraphs: [body, todo], link };
    }
    case 'REFUND_CLAIM':
      return claimSaid(mail, shop);
    case 'REFUND_SENT':
      return sentSaid(mail, shop);
    default:
      return unreachable(kind);
  }
}

/** What came, and what is missing, by the way to pay that its page shows. */
function amountsOf({ record, language }: CustomerMail) {
  const commitment = shownCommitment(record, { network: undefined, asset: undefined });
  assert(commitment !== undefined, 'who has paid had chosen a way to pay');
  const { receivedUnits, remainingUnits } = paymentProgress(record, commitment);
  const { network, assetId } = commitment;
  const code = { code: language };
  return {
    received: assetText(network, assetId, receivedUnits, code),
    remaining: assetText(network, assetId, remainingUnits, code),
  };
}

function refundOf({ refund, language }: CustomerMail) {
  assert(refund !== undefined, 'a mail about a refund has one');
  const { network, assetId, units } = refund;
  return { refund, amount: assetText(network, assetId, units, { code: language }) };
}

function claimSaid(mail: CustomerMail, shop: string): Said {
  const { subject, title, body, until, button } = letterTexts(mail.language).claim;
  const { refund, amount } = refundOf(mail);
  const { claim } = mail.links;
  assert(claim !== undefined, 'a refund that is to be claimed has its link');
  return {
    subject: subject(shop),
    title,
    paragraphs: [body(shop, amount), until(momentText(refund.claimableUntil, mail.language))],
    link: { label: button, href: claim },
  };
}

function sentSaid(mail: CustomerMail, shop: string): Said {
  const { subject, title, body, transaction, button } = letterTexts(mail.language).sent;
  const { refund, amount } = refundOf(mail);
  const { texts } = pageLanguage(mail.language);
  const { assetCode } = shownAsset(refund.network, refund.assetId);
  return {
    subject: subject(shop),
    title,
    paragraphs: [
      body(amount, refund.account?.address ?? refund.address ?? ''),
      ...(refund.transaction === undefined ? [] : [transaction(refund.transaction)]),
      // It waits for its receiver on the network (CAP-23).
      ...(refund.claimable === undefined ? [] : [texts.refund.toClaim(assetCode)]),
    ],
    link: { label: button, href: mail.links.checkout },
  };
}
