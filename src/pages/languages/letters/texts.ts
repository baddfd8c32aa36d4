// The languages of mails to customers: the same eight as of their pages. A language that misses a
// text, or has one too many, does not compile.
import type { LanguageCode } from '#catalog/language.ts';
import { deLetters } from './de.ts';
import { enLetters, type LetterTexts } from './en.ts';
import { esLetters } from './es.ts';
import { frLetters } from './fr.ts';
import { itLetters } from './it.ts';
import { plLetters } from './pl.ts';
import { ptLetters } from './pt.ts';
import { trLetters } from './tr.ts';

const CATALOGUE: Readonly<Record<LanguageCode, LetterTexts>> = {
  en: enLetters,
  de: deLetters,
  pt: ptLetters,
  es: esLetters,
  it: itLetters,
  tr: trLetters,
  pl: plLetters,
  fr: frLetters,
};

export function letterTexts(code: LanguageCode): LetterTexts {
  return CATALOGUE[code];
}
