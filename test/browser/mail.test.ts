// Mails as a mail program with a real browser inside draws them, on a phone: every mail in every
// language fits, axe finds nothing, and nothing is fetched from anywhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DashboardLanguageCode,
  isDashboardLanguageCode,
  type LanguageCode,
} from '#catalog/language.ts';
import type { Letter } from '#mail/letter.ts';
import {
  changedSecurityLetter,
  invitationLetter,
  newSignInLetter,
  signInLinkLetter,
  testLetter,
  writeLetter,
} from '#mail/letters.ts';
import { BILL_MAILS, CHECKOUT_MAILS } from '#merchant/customer-mails.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { sampleBillMail, sampleMail, sampleStaffMail } from '#pages/letters/sample-mail.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import { STAFF_MAILS } from '#staff/role.ts';
import { TELLING_LANGUAGES } from '#test/support/telling-languages.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';
import { findLayoutFaults } from './layout-facts.ts';

const publicUrl = 'https://checkout-of-a-shop-with-a-long-name.shop.example';
const at = Temporal.Instant.from('2026-03-01T12:00:00Z');
const token = 'a'.repeat(43);
const link = `${publicUrl}/dashboard/invitation/${token}`;

/** A light colour and a long name: the hardest for a button and a heading. */
const seller = {
  name: 'Papierwarenhandlung Fern & Folio am Marktplatz',
  page: { ...DEFAULT_PAGE_SETTINGS, primaryColor: '#ffe94a', contact: 'hi@fern.example' },
};

const lettersToCustomers = (language: LanguageCode): Letter[] => [
  ...BILL_MAILS.map((kind) => billLetter(sampleBillMail(kind, language, { seller, publicUrl }))),
  ...CHECKOUT_MAILS.map((kind) =>
    customerLetter(sampleMail(kind, language, { seller, publicUrl })),
  ),
];

const lettersToPeople = (language: DashboardLanguageCode): Letter[] => [
  invitationLetter(language, { publicUrl, link, until: at }),
  signInLinkLetter(language, { publicUrl, link, until: at }),
  newSignInLetter(language, { publicUrl, at, address: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff' }),
  changedSecurityLetter(language, { publicUrl, at, change: 'recovery-codes' }),
  ...STAFF_MAILS.map((kind) => staffLetter(sampleStaffMail(kind, language, { seller, publicUrl }))),
];

const HOSTILE = '<img src="https://evil.test/a.png" onerror="document.title=1">"\'&';

test('every mail fits a phone of 390 pixels in every language, and axe finds nothing', async () => {
  const { page, context } = await openBrowserPage({ width: 390, height: 800 });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const customers = TELLING_LANGUAGES.map(({ languageCode }) => languageCode);
  const people = customers.filter(isDashboardLanguageCode);
  const letters = [...customers.flatMap(lettersToCustomers), ...people.flatMap(lettersToPeople)];
  assert.equal(letters.length, customers.length * 10 + people.length * 7);
  for (const letter of [testLetter(publicUrl), ...letters]) {
    await page.setContent(letter.html);
    // A link is no word: it breaks where it has to.
    const isOfLink = (fault: string) => fault.startsWith(`broken: ${token} `);
    const faults = (await findLayoutFaults(page)).filter((fault) => !isOfLink(fault));
    assert.deepEqual(faults, [], letter.subject);
    assert.deepEqual(await findAxeFaults(page), [], letter.subject);
    assert.equal(await page.title(), letter.subject);
    const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
    const shown = words(await page.innerText('body'));
    for (const line of letter.text.split('\n\n')) assert.ok(shown.includes(words(line)), line);
  }
  assert.deepEqual(asked, []);
  await context.close();
});

test('what strangers wrote is text in a mail, and no element', async () => {
  const { page, context } = await openBrowserPage({ width: 390, height: 800 });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const letter = writeLetter({
    language: 'en',
    subject: HOSTILE,
    title: HOSTILE,
    paragraphs: [HOSTILE],
    link: { label: HOSTILE, href: `https://shop.example/?${HOSTILE}` },
  });
  await page.setContent(letter.html);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.title(), HOSTILE);
  assert.equal(await page.innerText('h1'), HOSTILE);
  assert.deepEqual(asked, []);
  await context.close();
});
