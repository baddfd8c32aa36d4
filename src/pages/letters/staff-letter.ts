// What a mail to somebody of a shop says: what is paid, what needs him, what a day brought. No text
// of a customer is in it.

import { unreachable } from '#base/assert.ts';
import type { Letter } from '#mail/letter.ts';
import { writeLetter } from '#mail/letters.ts';
import { sellerName } from '#merchant/seller.ts';
import { moneyText } from '#pages/display.ts';
import { visibleText } from '#pages/html.ts';
import { letterTexts, staffLetterTexts } from '#pages/languages/letters/texts.ts';
import type { StaffMail } from '#status-mail/staff-mail.ts';
import { brandOf } from './customer-letter.ts';

export function staffLetter(mail: StaffMail): Letter {
  const { language, seller, environment, link, wishes } = mail;
  const { test, testHint } = letterTexts(language);
  const staff = staffLetterTexts(language);
  const shop = visibleText(sellerName(seller));
  const { subject, title, paragraphs, button } = saidBy(mail, shop);
  const isTest = environment === 'test';
  const [first, ...others] = paragraphs;
  return writeLetter({
    language,
    subject: isTest ? `${test}: ${subject}` : subject,
    title,
    paragraphs: [first, ...others, ...(isTest ? [testHint] : [])],
    link: { label: button, href: link },
    brand: brandOf(seller, shop),
    foot: { text: staff.why(shop), link: { label: staff.choose, href: wishes } },
  });
}

function saidBy({ language, fact }: StaffMail, shop: string) {
  const { reference } = letterTexts(language);
  const staff = staffLetterTexts(language);
  switch (fact.kind) {
    case 'PAID': {
      const { subject, title, body, button } = staff.paid;
      const total = moneyText(fact.total, fact.currency, language);
      const paragraphs = [body(total), reference(fact.id)] as const;
      return { subject: subject(shop, total), title, paragraphs, button };
    }
    case 'NEEDS_PERSON': {
      const { subject, title, reasons, button } = staff.needs;
      const paragraphs = [reasons[fact.reason], reference(fact.id)] as const;
      return { subject: subject(shop), title, paragraphs, button };
    }
    case 'DAILY_SUMMARY': {
      const { subject, title, paid, total, needs, button } = staff.summary;
      const day = fact.at.toLocaleString(language, { dateStyle: 'long', timeZone: 'UTC' });
      const sums = fact.totals.map((sum) => moneyText(sum.total, sum.currency, language));
      const paragraphs = [
        paid(String(fact.paid)),
        ...(sums.length > 0 ? [total(sums.join(', '))] : []),
        ...(fact.needs > 0 ? [needs(String(fact.needs))] : []),
      ] as const;
      return { subject: subject(shop, day), title: title(day), paragraphs, button };
    }
    default:
      return unreachable(fact);
  }
}
