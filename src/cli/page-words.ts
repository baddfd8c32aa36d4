// What a merchant says on its pages in its own words, for whoever has no browser: the same checks
// as there, and the same in the trail.

import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { isLanguageCode, LANGUAGES } from '#catalog/language.ts';
import {
  listPageWords,
  type OwnPageWords,
  PAGE_WORDS_MOST,
  PAGE_WORDS_PLACES,
  pageWordsDetails,
  setPageWords,
} from '#merchant/customer-mails.ts';
import { BY_OPTION, BY_USAGE, type Command, textOption, type Values, whoOf } from './command.ts';
import { chooseMerchant } from './merchant.ts';

const CODES = LANGUAGES.map(({ languageCode }) => languageCode);

export const merchantPageWordsList: Command = {
  name: 'merchant page-words list',
  summary: 'list what a merchant says on its pages in its own words',
  usage: '[--merchant ID]',
  options: { merchant: { type: 'string' } },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const merchantId = await chooseMerchant({ db }, values);
    const words = await listPageWords(db, merchantId);
    const text = words.length === 0 ? 'no own words' : words.map(wordsText).join('\n');
    return { text, json: { merchantId, words } };
  },
};

export const merchantPageWordsSet: Command = {
  name: 'merchant page-words set',
  summary: 'say something on the pages of a merchant in its own words',
  usage: [
    `--place PLACE --language CODE --words TEXT [--merchant ID] ${BY_USAGE}`,
    `  places: ${PAGE_WORDS_PLACES.map((place) => `${place} (${PAGE_WORDS_MOST[place].characters})`).join(', ')}`,
    `  languages: ${CODES.join(', ')}`,
    '  plain text of up to so many characters; "" is nothing',
  ].join('\n'),
  options: {
    ...BY_OPTION,
    ...{ place: { type: 'string' }, language: { type: 'string' } },
    ...{ words: { type: 'string' }, merchant: { type: 'string' } },
  },
  async run(context, { positionals, values }) {
    const one = readOptions(values);
    if (positionals.length > 0) throw new Refusal('invalid', 'usage', ['--words TEXT is missing']);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const act = { actor: whoOf(values), merchantId, verb: 'merchant-page-set' };
    const noted = { ...act, subject: `merchant:${merchantId}`, details: pageWordsDetails([one]) };
    const said = await doNoted(app, noted, (within) =>
      setPageWords(within, merchantId, [one], 'these'),
    );
    return { text: said.map(wordsText).join('\n'), json: { merchantId, words: said } };
  },
};

/** @throws Refusal */
function readOptions(values: Values): OwnPageWords {
  const place = PAGE_WORDS_PLACES.find((one) => one === textOption(values, 'place'));
  const language = textOption(values, 'language') ?? '';
  const words = textOption(values, 'words');
  const faults = [
    ...(place === undefined ? [`--place: one of ${PAGE_WORDS_PLACES.join(', ')}`] : []),
    ...(isLanguageCode(language) ? [] : [`--language: one of ${CODES.join(', ')}`]),
    ...(words === undefined ? ['--words TEXT is missing'] : []),
  ];
  if (place === undefined || !isLanguageCode(language) || words === undefined) {
    throw new Refusal('invalid', 'usage', faults);
  }
  return { place, language, words };
}

function wordsText({ place, language, words }: OwnPageWords): string {
  return `${place} ${language}\n    ${(words === '' ? '-' : words).replaceAll('\n', '\n    ')}`;
}
