// The catalogue of languages. English says which texts there are: a language of the dashboard that
// misses one does not compile, nor does any that has one too many, nor a language of LANGUAGES that
// is not here.
import {
  type DashboardLanguageCode,
  FALLBACK_LANGUAGE,
  isDashboardLanguageCode,
  isLanguageCode,
  LANGUAGES,
  type LanguageCode,
} from '#catalog/language.ts';
import type { PageSettings } from '#merchant/page-settings.ts';
import { ar } from './ar.ts';
import { cs } from './cs.ts';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';
import { filledAll, type SomeOf } from './filled.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ptBr } from './pt-BR.ts';
import { ro } from './ro.ts';
import { ru } from './ru.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { zhHans } from './zh-Hans.ts';

const OWN: Readonly<Record<LanguageCode, SomeOf<Texts>>> = {
  en,
  de,
  pt,
  es,
  it,
  tr,
  pl,
  fr,
  nl,
  'pt-BR': ptBr,
  ru,
  uk,
  cs,
  ro,
  'zh-Hans': zhHans,
  ja,
  ko,
  ar,
  he,
  hi,
};

const CATALOGUE = filledAll(en, OWN);

export type PageLanguage = {
  readonly code: LanguageCode;
  readonly texts: Texts;
  /** What whoever reads wants of those that there are, the most wanted first. */
  readonly wishes?: readonly LanguageCode[];
  /** Of the pages of one merchant; undefined: all. */
  readonly offered?: readonly LanguageCode[];
};

/** Languages that can be read, in the order of the catalogue of the specification. */
export function listPageLanguages(): readonly PageLanguage[] {
  return LANGUAGES.map(({ languageCode }) => pageLanguage(languageCode));
}

/** What the language says itself. */
export function ownTexts(code: LanguageCode): SomeOf<Texts> {
  return OWN[code];
}

export function pageLanguage(code: LanguageCode): PageLanguage {
  return { code, texts: CATALOGUE[code] };
}

/** `auto` follows Accept-Language (RFC 9110, 12.5.4). Undefined: not a language of an address. */
export function findPageLanguage(
  named: string,
  acceptLanguage: string | undefined,
): PageLanguage | undefined {
  if (named === 'auto') return preferredLanguage(acceptLanguage);
  if (!isLanguageCode(named)) return undefined;
  return { ...pageLanguage(named), wishes: [...readableBy(named), ...wishesOf(acceptLanguage)] };
}

/** RFC 9110, 12.4.2: anything else is no weight. */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

export function preferredLanguage(acceptLanguage: string | undefined): PageLanguage {
  const wishes = wishesOf(acceptLanguage);
  return { ...pageLanguage(wishes[0] ?? FALLBACK_LANGUAGE), wishes };
}

function wishesOf(acceptLanguage: string | undefined): LanguageCode[] {
  const wishes = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((wish) => {
      const [range = '', ...parameters] = wish
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { range, weight: WEIGHT.test(weight) ? Number(weight) : 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return wishes.flatMap(({ range }) => readableBy(range));
}

/** Language and script, which a tag may leave out: `zh-TW` is not read in the script of `zh`. */
function scriptOf(locale: Intl.Locale): string {
  const { language, script } = locale.maximize();
  return `${language}-${script}`;
}

const SCRIPTS = LANGUAGES.map(({ languageCode }) => ({
  code: languageCode,
  script: scriptOf(new Intl.Locale(languageCode)),
}));

/** Ours that whoever wants this language tag (BCP 47) reads: its own, then those beside it. */
function readableBy(range: string): LanguageCode[] {
  const locale = localeOf(range);
  if (locale === undefined) return [];
  const script = scriptOf(locale);
  const codes = SCRIPTS.filter((one) => one.script === script).map(({ code }) => code);
  const own = codes.filter((code) => code === locale.baseName);
  return [...own, ...codes.filter((code) => code !== locale.baseName)];
}

function localeOf(range: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(range);
  } catch {
    return undefined;
  }
}

/** For whoever works here, in one of the languages of the dashboard. */
export function preferredDashboardLanguage(
  acceptLanguage: string | undefined,
): DashboardLanguageCode {
  return wishesOf(acceptLanguage).find(isDashboardLanguageCode) ?? FALLBACK_LANGUAGE;
}

/**
 * What is wished most of what the merchant offers; where it offers none of that, its own choice.
 * `asked`: what it asked for itself when it made this page, a code or `auto`; that it offers too.
 */
export function offeredLanguage(
  wished: PageLanguage,
  { languages, defaultLanguage }: Pick<PageSettings, 'languages' | 'defaultLanguage'>,
  asked = 'auto',
): PageLanguage {
  const isMore = isLanguageCode(asked) && !languages.includes(asked);
  const offered = isMore ? [...languages, asked] : languages;
  const code = (wished.wishes ?? [wished.code]).find((one) => offered.includes(one));
  return { ...pageLanguage(code ?? defaultLanguage), offered };
}
