// The catalogue of languages. English says which texts there are: a language that misses one, or
// has one too many, does not compile; so does a language of LANGUAGES that is not here.
import {
  FALLBACK_LANGUAGE,
  isLanguageCode,
  LANGUAGES,
  type LanguageCode,
} from '#catalog/language.ts';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { tr } from './tr.ts';

const CATALOGUE: Readonly<Record<LanguageCode, Texts>> = { en, de, pt, es, it, tr, pl, fr };

export type PageLanguage = {
  readonly code: LanguageCode;
  readonly texts: Texts;
  /** Nobody asked for it: the browser wants none that there is. */
  readonly isFallback?: boolean;
};

/** Languages that can be read, in the order of the catalogue of the specification. */
export function listPageLanguages(): readonly PageLanguage[] {
  return LANGUAGES.map(({ languageCode }) => pageLanguage(languageCode));
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
  return isLanguageCode(named) ? pageLanguage(named) : undefined;
}

/** RFC 9110, 12.4.2: anything else is no weight. */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

export function preferredLanguage(acceptLanguage: string | undefined): PageLanguage {
  const wishes = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((wish) => {
      const [range = '', ...parameters] = wish
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { code: range.split('-')[0] ?? '', weight: WEIGHT.test(weight) ? Number(weight) : 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  const [best] = wishes.map(({ code }) => code).filter(isLanguageCode);
  return best === undefined
    ? { ...pageLanguage(FALLBACK_LANGUAGE), isFallback: true }
    : pageLanguage(best);
}

/** A language that nobody asked for is the merchant's choice. */
export function withFallback(wished: PageLanguage, fallback: LanguageCode): PageLanguage {
  return wished.isFallback ? pageLanguage(fallback) : wished;
}
