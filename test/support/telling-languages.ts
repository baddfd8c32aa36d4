// Languages of pages and mails that differ in how they are laid out. A short run looks at these, a long
// one at all of them.
import { LANGUAGES, type LanguageCode } from '#catalog/language.ts';
import { byLength } from './run-length.ts';

/** Ours, one with long words, one from right to left, and one without spaces between words. */
const TELLING: readonly LanguageCode[] = ['en', 'de', 'ar', 'ja'];

export const TELLING_LANGUAGES = byLength<readonly { readonly languageCode: LanguageCode }[]>({
  short: LANGUAGES.filter(({ languageCode }) => TELLING.includes(languageCode)),
  long: LANGUAGES,
});
