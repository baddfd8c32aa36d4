// The languages there are, each named in itself. Customers are spoken to in all of them; whoever
// works in the dashboard, and the mails to these people, in the eight of the specification. A code
// is a language tag (BCP 47), and is what `lang` of a page says.

/** service.md, `checkoutLanguage`. */
export const DASHBOARD_LANGUAGES = [
  { languageCode: 'en', name: 'English' },
  { languageCode: 'de', name: 'Deutsch' },
  { languageCode: 'pt', name: 'Português' },
  { languageCode: 'es', name: 'Español' },
  { languageCode: 'it', name: 'Italiano' },
  { languageCode: 'tr', name: 'Türkçe' },
  { languageCode: 'pl', name: 'Polski' },
  { languageCode: 'fr', name: 'Français' },
] as const;

/** Of pages for customers and of mails to them. */
export const LANGUAGES = [
  ...DASHBOARD_LANGUAGES,
  { languageCode: 'nl', name: 'Nederlands' },
  { languageCode: 'pt-BR', name: 'Português (Brasil)' },
  { languageCode: 'ru', name: 'Русский' },
  { languageCode: 'uk', name: 'Українська' },
  { languageCode: 'cs', name: 'Čeština' },
  { languageCode: 'ro', name: 'Română' },
  { languageCode: 'zh-Hans', name: '简体中文' },
  { languageCode: 'ja', name: '日本語' },
  { languageCode: 'ko', name: '한국어' },
  { languageCode: 'ar', name: 'العربية' },
  { languageCode: 'he', name: 'עברית' },
  { languageCode: 'hi', name: 'हिन्दी' },
] as const;

export type LanguageCode = (typeof LANGUAGES)[number]['languageCode'];

export type DashboardLanguageCode = (typeof DASHBOARD_LANGUAGES)[number]['languageCode'];

export const FALLBACK_LANGUAGE: DashboardLanguageCode = 'en';

export function isLanguageCode(text: string): text is LanguageCode {
  return LANGUAGES.some(({ languageCode }) => languageCode === text);
}

export function isDashboardLanguageCode(text: string): text is DashboardLanguageCode {
  return DASHBOARD_LANGUAGES.some(({ languageCode }) => languageCode === text);
}

/** Which of the dashboard's stands nearest to it: Portuguese to that of Brazil, else English. */
export function nearestDashboardLanguage(code: LanguageCode): DashboardLanguageCode {
  const [family = ''] = code.split('-');
  return isDashboardLanguageCode(family) ? family : FALLBACK_LANGUAGE;
}
