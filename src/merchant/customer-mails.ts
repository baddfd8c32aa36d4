// Which mails customers get of a merchant: none unless it switched them on, each kind by itself;
// and what it says in them in words of its own, with the SQL of that table. Guarantees: own words
// are plain text of a bounded length and number of lines, and stand in no header.

import { Refusal } from '#base/refusal.ts';
import { isStorable } from '#base/text.ts';
import type { LanguageCode } from '#catalog/language.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { defineTable, optional, type Row, text } from '#db/table.ts';
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
  const written = (words[place] ?? '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/[^\S\n]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  const isPlain = !/[^\P{Cc}\n]/u.test(written) && written.split('\n').length <= LINES_MOST;
  if (isPlain && isStorable(written, MAIL_WORDS_MOST)) return written === '' ? undefined : written;
  const rule = `plain text of at most ${MAIL_WORDS_MOST} characters and ${LINES_MOST} lines`;
  throw new Refusal('invalid', 'mail_words', [
    `${words.kind} ${words.language}: ${place} must be ${rule}`,
  ]);
}

/** As the trail says them. */
export function mailWordsDetails(words: readonly (WordsOf & MailWords)[]) {
  return { customerMailWords: JSON.stringify(words) };
}
