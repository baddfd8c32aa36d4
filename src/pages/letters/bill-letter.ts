// What a mail about an invoice says: in the language of the invoice, with the name and colour of
// the shop. Nothing in it is fetched from anywhere, and nothing is attached: the page has the PDF.

import type { Letter } from '#mail/letter.ts';
import { writeLetter } from '#mail/letters.ts';
import { sellerName } from '#merchant/seller.ts';
import { dayText, moneyText } from '#pages/display.ts';
import { visibleText } from '#pages/html.ts';
import { letterTexts } from '#pages/languages/letters/texts.ts';
import type { BillMail } from '#status-mail/bill-mail.ts';
import { brandOf, ownParagraphs } from './customer-letter.ts';

export function billLetter(mail: BillMail): Letter {
  const { bill, seller, links } = mail;
  const { language } = bill;
  const texts = letterTexts(language);
  const shownName = visibleText(sellerName(seller));
  const shop = shownName === '' ? visibleText(bill.seller.name) : shownName;
  const { subject, title, paragraphs } = saidBy(mail, shop);
  const isTest = bill.environment === 'test';
  const { contact } = seller.page;
  const own = ownParagraphs(mail.ownWords);
  const [first = '', ...others] = [...own.opening, ...paragraphs];
  const letter = writeLetter({
    language,
    subject: isTest ? `${texts.test}: ${subject}` : subject,
    title,
    paragraphs: [
      first,
      ...others,
      texts.bill.hint,
      texts.bill.number(bill.name),
      ...own.closing,
      ...(isTest ? [texts.testHint] : []),
      ...(contact === null ? [] : [texts.contact(visibleText(contact))]),
    ],
    link: { label: texts.bill.button, href: links.bill },
    brand: brandOf(seller, shop),
    foot: { text: texts.why(shop), link: { label: texts.leave, href: links.leave } },
  });
  const replyTo = contact?.includes('@') === true ? contact : undefined;
  return { ...letter, fromName: shop, replyTo, leaveUrl: links.leave };
}

type Said = {
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly [string, ...string[]];
};

function saidBy({ words, bill }: BillMail, shop: string): Said {
  const { language, name } = bill;
  const texts = letterTexts(language).bill;
  const total = moneyText(bill.total, bill.billingCurrency, language);
  const day = dayText(bill.dueOn, language);
  if (words === 'sent') {
    const { subject, title, body, due } = texts.sent;
    return { subject: subject(shop, name), title, paragraphs: [body(shop, total), due(day)] };
  }
  const { subject, title, body } = texts[words];
  return { subject: subject(shop, name), title, paragraphs: [body(total, day)] };
}
