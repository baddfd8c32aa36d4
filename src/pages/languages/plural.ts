// Numbers with their nouns: which form of the noun belongs to a number is a rule of the language
// (CLDR), not "one or many": Polish has three forms, Arabic six.
import type { LanguageCode } from '#catalog/language.ts';

/** By category of the plural; what a language does not have apart is `other`. */
export type NounForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};

/** `number` as the language writes it, and its noun. */
export function countedText(language: LanguageCode, number: number, forms: NounForms): string {
  return `${new Intl.NumberFormat(language).format(number)} ${nounFor(language, number, forms)}`;
}

/** The form of the noun alone. */
export function nounFor(language: LanguageCode, number: number, forms: NounForms): string {
  return forms[new Intl.PluralRules(language).select(number)] ?? forms.other;
}
