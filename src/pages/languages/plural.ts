// Numbers with their nouns: which form of the noun belongs to a number is a rule of the language
// (CLDR), not "one or many": Polish has three forms.
import type { LanguageCode } from '#catalog/language.ts';

export type NounForms = {
  readonly one: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
};

/** `number` as the language writes it, and its noun. */
export function countedText(language: LanguageCode, number: number, forms: NounForms): string {
  return `${new Intl.NumberFormat(language).format(number)} ${nounFor(language, number, forms)}`;
}

/** The form of the noun alone. */
export function nounFor(language: LanguageCode, number: number, forms: NounForms): string {
  const category = new Intl.PluralRules(language).select(number);
  const named = category === 'zero' || category === 'two' ? undefined : forms[category];
  return named ?? forms.other;
}
