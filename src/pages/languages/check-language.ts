// Whether a language says all that English says to customers, and says it well as far as a program
// can see; and both beside each other, for whoever reads the language.
import { isLanguageCode, type LanguageCode } from '#catalog/language.ts';
import { html, trustedMarkup } from '#pages/html.ts';
import { en, type Texts } from './en.ts';
import type { SomeOf } from './filled.ts';
import { type CustomerLetterTexts, enLetters, enVerify, type VerifyTexts } from './letters/en.ts';
import { ownLetterTexts } from './letters/texts.ts';
import { ownTexts } from './texts.ts';
import { ownVerifyTexts } from './verify-texts.ts';

/** What a language says to customers; a part that is absent is not looked at. */
export type LanguageParts = {
  readonly pages?: SomeOf<Texts>;
  readonly letters?: SomeOf<CustomerLetterTexts>;
  readonly verify?: SomeOf<VerifyTexts>;
};

/** A text by its place in the files; `own` is what the language says. */
type Said = {
  readonly key: string;
  readonly english: string;
  readonly own: string | undefined;
  /** What is put into it. */
  readonly given: readonly string[];
};

type LanguageFault = { readonly key: string; readonly fault: string };

export function partsOf(code: LanguageCode): LanguageParts {
  return { pages: ownTexts(code), letters: ownLetterTexts(code), verify: ownVerifyTexts(code) };
}

/** Every text of the parts, in the order of English. */
export function textsBeside(parts: LanguageParts): Said[] {
  const { staff: _, ...letters } = enLetters;
  const whole = { pages: en, letters, verify: enVerify };
  const named = Object.entries(whole).filter(([part]) => part in parts);
  return beside(Object.fromEntries(named), parts, '');
}

/** Their functions take numbers; shown with several, since a language has forms by number. */
const COUNTED: readonly string[] = ['pages.paying.choose.networks', 'pages.seen.confirmations'];
const NUMBERS = [1, 2, 3, 5, 11, 23, 100];

function beside(english: object, own: object, path: string): Said[] {
  const said: Readonly<Record<string, unknown>> = { ...own };
  return Object.entries(english).flatMap(([name, model]: [string, unknown]): Said[] => {
    const key = path + name;
    if (typeof model === 'object' && model !== null) {
      return beside(model, (said[name] ?? {}) as object, `${key}.`);
    }
    const { text, given } = shown(key, model, model);
    const mine = said[name] === undefined ? undefined : shown(key, said[name], model).text;
    return [{ key, english: text, own: mine, given }];
  });
}

/** A text with the names of its parameters in their places. */
function shown(key: string, text: unknown, model: unknown): Pick<Said, 'given'> & { text: string } {
  if (typeof text !== 'function' || typeof model !== 'function') {
    return { text: String(text), given: [] };
  }
  if (COUNTED.includes(key)) {
    const lines = NUMBERS.map((number) => String(text(number, number)));
    return { text: lines.join(' / '), given: [] };
  }
  const [, names = ''] = /^\(([^)]*)\)/.exec(String(model)) ?? [];
  const given = names.split(',').map((name) => `{${name.replace(/:.*/, '').trim()}}`);
  return { text: String(text(...given)), given };
}

/** Signs and names alone, the same in all languages. */
const SAME: readonly string[] = ['pages.summary.quantity'];
const WORD_MOST = 24;
const PAIRS = ['()', '[]', '{}', '«»', '（）', '「」', '『』', '《》', '“”'];

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  uk: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
};

export function languageFaults(code: string, said: readonly Said[]): LanguageFault[] {
  const { language } = new Intl.Locale(code);
  return said.flatMap(({ key, english, own, given }) => {
    if (own === undefined) return [{ key, fault: 'is missing: customers read English' }];
    if (language === 'en') return [];
    const faults = [
      ...wordingFaults(language, key, english, own),
      ...given.filter((one) => !own.includes(one)).map((one) => `does not use ${one}`),
      ...settingFaults(language, own),
    ];
    return faults.map((fault) => ({ key, fault }));
  });
}

function wordingFaults(language: string, key: string, english: string, own: string): string[] {
  // Names of parameters are of English: they are no words of the language.
  const words = own.replaceAll(/\{\w+\}/g, '');
  const isSame = own === english && !SAME.includes(key);
  const script = SCRIPTS[language];
  const isOtherScript = script !== undefined && !SAME.includes(key) && !script.test(words);
  return [
    ...(isSame ? ['is what English says'] : []),
    ...(isOtherScript ? ['has no letter of its language'] : []),
    ...(own.length > english.length * 1.7 + 22
      ? [`has ${own.length} characters, English ${english.length}`]
      : []),
  ];
}

/** Written in a line, words of these end where the line ends. */
const WITHOUT_SPACES: readonly string[] = ['zh', 'ja'];

function settingFaults(language: string, own: string): string[] {
  const longest = Math.max(...own.split(/[\s\u00ad-]/).map((word) => word.length));
  const isLong = longest > WORD_MOST && !WITHOUT_SPACES.includes(language);
  const unbalanced = PAIRS.filter(([open = '', close = '']) => {
    // German and Czech close with the sign that English opens with.
    if (open === '“' && /[„”]/.test(own) && !own.includes('”')) return false;
    return own.split(open).length !== own.split(close).length;
  });
  return [
    ...(own !== own.trim() || / {2}/.test(own) ? ['has spaces too many'] : []),
    ...(/['"`]/.test(own) ? ['has typewriter quotes'] : []),
    ...(/undefined|NaN|\[object/.test(own) ? ['does not say what is put in'] : []),
    ...(isLong ? [`has a word of ${longest} characters, which is wider than a phone`] : []),
    ...(language === 'fr' && /(?<!\u00a0)[:;?!]/.test(own) ? ['lacks a no-break space'] : []),
    ...unbalanced.map((pair) => `has ${pair[0]} and ${pair[1]} not in pairs`),
  ];
}

/** @throws where it is no language tag. */
export function languageName(code: string): string {
  const english = new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  return isLanguageCode(code) ? english : `${english}, which is not offered yet`;
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse;width:100%}' +
  'th,td{border:1px solid #999;padding:.4rem;text-align:start;vertical-align:top}' +
  'tr.wrong td{background:#fff3cd;color:#000}';

/** Both languages beside each other, to be sent to a reader. */
export function languageDocument(
  code: string,
  said: readonly Said[],
  faults: readonly LanguageFault[],
): string {
  const title = `${languageName(code)} (${code}): ${said.length} texts, ${faults.length} faults`;
  const wrong = new Map(faults.map(({ key, fault }) => [key, fault]));
  const { direction = 'ltr' } = new Intl.Locale(code).getTextInfo();
  const rows = said.map(
    ({
      key,
      english,
      own,
    }) => html`<tr${wrong.has(key) && html` class="wrong"`}><td><code>${key}</code>${
      wrong.has(key) && html`<br>${wrong.get(key)}`
    }</td><td lang="en">${english}</td><td lang="${code}" dir="${direction}">${own}</td></tr>
`,
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>${trustedMarkup(STYLE)}</style></head>
<body><h1>${title}</h1>
<table><thead><tr><th>Where</th><th>English</th><th>${languageName(code)}</th></tr></thead>
<tbody>
${rows}</tbody></table></body></html>`.markup;
}
