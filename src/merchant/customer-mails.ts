// Which mails customers get of a merchant: none unless it switched them on, each kind by itself;
// and what it says in words of its own in them and on its pages, with the SQL of those tables.
// Guarantees: own words are plain text of a bounded length and number of lines, and stand in no
// header.

import { Refusal } from '#base/refusal.ts';
import { isStorable } from '#base/text.ts';
import type { LanguageCode } from '#catalog/language.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { defineTable, optional, type Row, text } from '#db/table.ts';
import {
  changeEnvironment,
  lockMerchant,
  MERCHANT_ENVIRONMENT,
  unknownMerchant,
} from './merchant.ts';

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

const PAYER_MAILS = MERCHANT_ENVIRONMENT.only('payerMails');

/** Whether payers may ask for mails on their page. @throws Refusal as above. */
export async function readPayerMails(reader: Reader, owner: Owner): Promise<boolean> {
  const row = await PAYER_MAILS.find(reader, sql`where ${ownedBy(owner)}`);
  if (row === undefined) throw unknownMerchant(owner.merchantId);
  return row.payerMails;
}

/** Off: no form is shown, and who has asked before is told no more. @throws Refusal as above. */
export async function changePayerMails(
  app: { readonly db: Db },
  owner: Owner,
  isOn: boolean,
): Promise<void> {
  await changeEnvironment(app, owner, sql`payer_mails = ${isOn}`);
}

const MAIL_WORDS = defineTable('merchant_mail_words', {
  merchantId: text(),
  environment: text<Owner['environment']>(),
  kind: text<CustomerMailKind>(),
  language: text<LanguageCode>(),
  opening: optional(text()),
  closing: optional(text()),
});
const WORDS_SHOWN = MAIL_WORDS.only('kind', 'language', 'opening', 'closing');

/** Before and after what a mail says by itself. */
export type MailWords = {
  readonly opening?: string | undefined;
  readonly closing?: string | undefined;
};
type WordsOf = Pick<Row<typeof MAIL_WORDS>, 'kind' | 'language'>;
export type OwnMailWords = Row<typeof WORDS_SHOWN>;

/** Of each text, in code points. */
export const MAIL_WORDS_MOST = 500;
const LINES_MOST = 20;

/** In the order of kinds and languages. */
export async function listMailWords(reader: Reader, owner: Owner): Promise<OwnMailWords[]> {
  const found = await WORDS_SHOWN.select(reader, sql`where ${ownedBy(owner)} order by language`);
  return CUSTOMER_MAILS.flatMap((kind) => found.filter((one) => one.kind === kind));
}

/** Empty where the merchant says nothing of its own. */
export async function findMailWords(
  reader: Reader,
  owner: Owner,
  { kind, language }: WordsOf,
): Promise<MailWords> {
  const found = await WORDS_SHOWN.find(
    reader,
    sql`where ${ownedBy(owner)} and kind = ${kind} and language = ${language}`,
  );
  return found ?? {};
}

/**
 * These are said from now on, in mails that are not written yet; an empty text is none. `all`:
 * nothing else is said any more. Answers them as they are kept.
 * @throws Refusal invalid `mail_words`
 */
export async function setMailWords(
  app: { readonly db: Db },
  { merchantId, environment }: Owner,
  words: readonly (WordsOf & MailWords)[],
  all: 'all' | 'these',
): Promise<readonly OwnMailWords[]> {
  const read = words.map((one, index) => {
    const { kind, language } = one;
    if (words.findIndex((of) => of.kind === kind && of.language === language) !== index) {
      throw new Refusal('invalid', 'mail_words', [`${kind} ${language}: stands twice`]);
    }
    return {
      kind,
      language,
      opening: readWords(one, 'opening'),
      closing: readWords(one, 'closing'),
    };
  });
  const said = read.filter(({ opening, closing }) => (opening ?? closing) !== undefined);
  const names = read.map(({ kind, language }) => `${kind} ${language}`);
  const these = all === 'all' ? sql`true` : sql`kind || ' ' || language = any(${names}::text[])`;
  await app.db.transact(async (tx) => {
    const owner = { merchantId, environment };
    tx.send(sql`delete from merchant_mail_words where ${ownedBy(owner)} and ${these}`);
    if (said.length > 0) tx.send(MAIL_WORDS.insert(said.map((one) => ({ ...one, ...owner }))));
  });
  return read;
}

/** Undefined: there are none. @throws Refusal invalid `mail_words` */
function readWords(words: WordsOf & MailWords, place: keyof MailWords): string | undefined {
  const most = { characters: MAIL_WORDS_MOST, lines: LINES_MOST };
  const written = plainWords(words[place] ?? '', most);
  if (written !== undefined) return written === '' ? undefined : written;
  throw new Refusal('invalid', 'mail_words', [
    `${words.kind} ${words.language}: ${place} must be ${wordsRule(most)}`,
  ]);
}

type WordsMost = { readonly characters: number; readonly lines: number };

/** As they are kept; undefined for what is not plain, or too long. */
function plainWords(typed: string, { characters, lines }: WordsMost): string | undefined {
  const written = typed
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/[^\S\n]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  const isPlain = !/[^\P{Cc}\n]/u.test(written) && written.split('\n').length <= lines;
  return isPlain && isStorable(written, characters) ? written : undefined;
}

function wordsRule({ characters, lines }: WordsMost): string {
  return `plain text of at most ${characters} characters and ${lines === 1 ? 'one line' : `${lines} lines`}`;
}

/** As the trail says them. */
export function mailWordsDetails(words: readonly (WordsOf & MailWords)[]) {
  return { customerMailWords: JSON.stringify(words) };
}

/** Above all else; under what is to be sent; after the payment; the terms of the shop. */
export const PAGE_WORDS_MOST = {
  HEADING: { characters: 120, lines: 1 },
  PAY_NOTE: { characters: 500, lines: 10 },
  PAID: { characters: 500, lines: 10 },
  TERMS: { characters: 500, lines: 20 },
} as const satisfies Record<string, WordsMost>;
export type PageWordsPlace = keyof typeof PAGE_WORDS_MOST;
export const PAGE_WORDS_PLACES = Object.keys(PAGE_WORDS_MOST) as readonly PageWordsPlace[];

const PAGE_WORDS = defineTable('merchant_page_words', {
  merchantId: text(),
  place: text<PageWordsPlace>(),
  language: text<LanguageCode>(),
  words: text(),
});
const PAGE_WORDS_SHOWN = PAGE_WORDS.only('place', 'language', 'words');
export type OwnPageWords = Row<typeof PAGE_WORDS_SHOWN>;

/** In the order of places and languages. */
export async function listPageWords(
  reader: Reader,
  merchantId: string,
): Promise<readonly OwnPageWords[]> {
  const found = await PAGE_WORDS_SHOWN.select(
    reader,
    sql`where merchant_id = ${merchantId} order by language`,
  );
  return PAGE_WORDS_PLACES.flatMap((place) => found.filter((one) => one.place === place));
}

/**
 * Pages say these from now on, open ones with their next change; an empty text is none. `all`:
 * nothing else is said any more. Answers them as they are kept.
 * @throws Refusal invalid `page_words`; missing for an unknown merchant
 */
export async function setPageWords(
  app: { readonly db: Db },
  merchantId: string,
  words: readonly OwnPageWords[],
  all: 'all' | 'these',
): Promise<readonly OwnPageWords[]> {
  const nameOf = ({ place, language }: Omit<OwnPageWords, 'words'>) => `${place} ${language}`;
  const names = words.map(nameOf);
  const faults: string[] = [];
  const read = words.map((one, index) => {
    const most = PAGE_WORDS_MOST[one.place];
    const written = plainWords(one.words, most);
    if (names.indexOf(nameOf(one)) !== index) faults.push(`${nameOf(one)}: stands twice`);
    if (written === undefined) faults.push(`${nameOf(one)}: must be ${wordsRule(most)}`);
    return { place: one.place, language: one.language, words: written ?? '' };
  });
  if (faults.length > 0) throw new Refusal('invalid', 'page_words', faults);
  const said = read.filter((one) => one.words !== '');
  const these = all === 'all' ? sql`true` : sql`place || ' ' || language = any(${names}::text[])`;
  await app.db.transact(async (tx) => {
    await lockMerchant(tx, merchantId);
    tx.send(sql`delete from merchant_page_words where merchant_id = ${merchantId} and ${these}`);
    if (said.length > 0) tx.send(PAGE_WORDS.insert(said.map((one) => ({ ...one, merchantId }))));
  });
  return read;
}

/** As the trail says them. */
export function pageWordsDetails(words: readonly OwnPageWords[]) {
  return { pageWords: JSON.stringify(words) };
}
