/** Languages of hosted pages (service.md, `checkoutLanguage`), each named in itself. */
export const LANGUAGES = [
  { languageCode: 'en', name: 'English' },
  { languageCode: 'de', name: 'Deutsch' },
  { languageCode: 'pt', name: 'Português' },
  { languageCode: 'es', name: 'Español' },
  { languageCode: 'it', name: 'Italiano' },
  { languageCode: 'tr', name: 'Türkçe' },
  { languageCode: 'pl', name: 'Polski' },
  { languageCode: 'fr', name: 'Français' },
] as const;

export type LanguageCode = (typeof LANGUAGES)[number]['languageCode'];

export const FALLBACK_LANGUAGE: LanguageCode = 'en';

export function isLanguageCode(text: string): text is LanguageCode {
  return LANGUAGES.some(({ languageCode }) => languageCode === text);
}
