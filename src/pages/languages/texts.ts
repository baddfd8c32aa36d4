// The catalogue of languages. English says which texts there are: a language that misses one, or
// has one too many, does not compile. A language of LANGUAGES that is not here yet reads English.
import { FALLBACK_LANGUAGE, isLanguageCode, type LanguageCode } from '#catalog/language.ts';
import { de } from './de.ts';
import { en } from './en.ts';

type Widened<Text> = Text extends string
  ? string
  : Text extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Key in keyof Text]: Widened<Text[Key]> };

export type Texts = Widened<typeof en>;

const catalogue: Readonly<Partial<Record<LanguageCode, Texts>>> = { en, de };

export type PageLanguage = { readonly code: LanguageCode; readonly texts: Texts };

/** Languages that can be read, in the order of the catalogue of the specification. */
export function listPageLanguages(): readonly PageLanguage[] {
  return Object.entries(catalogue).flatMap(([code, texts]) =>
    isLanguageCode(code) ? [{ code, texts }] : [],
  );
}

export function pageLanguage(code: LanguageCode): PageLanguage {
  const texts = catalogue[code];
  return texts === undefined ? { code: FALLBACK_LANGUAGE, texts: en } : { code, texts };
}

/** `auto` follows Accept-Language (RFC 9110, 12.5.4). Undefined: not a language of an address. */
export function findPageLanguage(
  named: string,
  acceptLanguage: string | undefined,
): PageLanguage | undefined {
  if (named === 'auto') return preferredLanguage(acceptLanguage);
  return isLanguageCode(named) ? pageLanguage(named) : undefined;
}

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
      return { code: range.split('-')[0] ?? '', weight: Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  const match = wishes.find(({ code }) => isLanguageCode(code) && catalogue[code] !== undefined);
  return pageLanguage(
    match !== undefined && isLanguageCode(match.code) ? match.code : FALLBACK_LANGUAGE,
  );
}
