// What a merchant says in its own words in mails to its customers, for whoever has no browser: the
// same checks as there, and the same in the trail.

import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { isLanguageCode, LANGUAGES } from '#catalog/language.ts';
import {
  CUSTOMER_MAILS,
  findMailWords,
  listMailWords,
  MAIL_WORDS_MOST,
  mailWordsDetails,
  type OwnMailWords,
  setMailWords,
} from '#merchant/customer-mails.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  chooseEnvironment,
  textOption,
  type Values,
  whoOf,
} from './command.ts';
import { chooseMerchant } from './merchant.ts';

const CODES = LANGUAGES.map(({ languageCode }) => languageCode);

export const merchantMailWordsList: Command = {
  name: 'merchant mail-words list',
  summary: 'list what a merchant says in its own words in mails to its customers',
  usage: '--environment test|live [--merchant ID]',
  options: { merchant: { type: 'string' }, environment: { type: 'string' } },
  async run(context, { values }) {
    const environment = chooseEnvironment(values);
    const { db } = await context.openApp();
    const merchantId = await chooseMerchant({ db }, values);
    const words = await listMailWords(db, { merchantId, environment });
    const text = words.length === 0 ? 'no own words' : words.map(wordsText).join('\n');
    return { text, json: { merchantId, environment, words } };
  },
};

export const merchantMailWordsSet: Command = {
  name: 'merchant mail-words set',
  summary: 'say something before and after what a mail to customers says by itself',
  usage: [
    '--kind KIND --language CODE [--opening TEXT] [--closing TEXT]',
    `  --environment test|live [--merchant ID] ${BY_USAGE}`,
    `  kinds: ${CUSTOMER_MAILS.join(', ')}`,
    `  languages: ${CODES.join(', ')}`,
    `  plain text of up to ${MAIL_WORDS_MOST} characters; what is left out stays, "" is nothing`,
  ].join('\n'),
  options: {
    ...BY_OPTION,
    ...{ kind: { type: 'string' }, language: { type: 'string' } },
    ...{ opening: { type: 'string' }, closing: { type: 'string' } },
    ...{ merchant: { type: 'string' }, environment: { type: 'string' } },
  },
  async run(context, { positionals, values }) {
    const { kind, language } = mailOf(values);
    const [opening, closing] = [textOption(values, 'opening'), textOption(values, 'closing')];
    if (positionals.length > 0 || (opening ?? closing) === undefined) {
      throw new Refusal('invalid', 'usage', ['--opening TEXT or --closing TEXT is missing']);
    }
    const environment = chooseEnvironment(values);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const owner = { merchantId, environment };
    const before = await findMailWords(app.db, owner, { kind, language });
    const words = [
      { kind, language, opening: opening ?? before.opening, closing: closing ?? before.closing },
    ];
    const act = { actor: whoOf(values), verb: 'merchant-set', subject: `merchant:${merchantId}` };
    const noted = { ...act, ...owner, details: mailWordsDetails(words) };
    const said = await doNoted(app, noted, (within) => setMailWords(within, owner, words, 'these'));
    return { text: said.map(wordsText).join('\n'), json: { ...owner, words: said } };
  },
};

/** @throws Refusal */
function mailOf(values: Values): Pick<OwnMailWords, 'kind' | 'language'> {
  const kind = CUSTOMER_MAILS.find((one) => one === textOption(values, 'kind'));
  const language = textOption(values, 'language') ?? '';
  const faults = [
    ...(kind === undefined ? [`--kind: one of ${CUSTOMER_MAILS.join(', ')}`] : []),
    ...(isLanguageCode(language) ? [] : [`--language: one of ${CODES.join(', ')}`]),
  ];
  if (kind === undefined || !isLanguageCode(language)) {
    throw new Refusal('invalid', 'usage', faults);
  }
  return { kind, language };
}

function wordsText({ kind, language, opening, closing }: OwnMailWords): string {
  const indented = (text: string | undefined) => (text ?? '-').replaceAll('\n', '\n    ');
  return `${kind} ${language}\n  opening:\n    ${indented(opening)}\n  closing:\n    ${indented(closing)}`;
}
