// The languages of mails: to customers in all of them, to the staff of a shop in those of the
// dashboard. A language of the dashboard that misses a text, or has one too many, does not compile.
import type { DashboardLanguageCode, LanguageCode } from '#catalog/language.ts';
import { filledAll, type SomeOf } from '#pages/languages/filled.ts';
import { arLetters } from './ar.ts';
import { csLetters } from './cs.ts';
import { deLetters } from './de.ts';
import { type CustomerLetterTexts, enLetters, type LetterTexts } from './en.ts';
import { esLetters } from './es.ts';
import { frLetters } from './fr.ts';
import { heLetters } from './he.ts';
import { hiLetters } from './hi.ts';
import { itLetters } from './it.ts';
import { jaLetters } from './ja.ts';
import { koLetters } from './ko.ts';
import { nlLetters } from './nl.ts';
import { plLetters } from './pl.ts';
import { ptLetters } from './pt.ts';
import { ptBrLetters } from './pt-BR.ts';
import { roLetters } from './ro.ts';
import { ruLetters } from './ru.ts';
import { trLetters } from './tr.ts';
import { ukLetters } from './uk.ts';
import { zhHansLetters } from './zh-Hans.ts';

const DASHBOARD: Readonly<Record<DashboardLanguageCode, LetterTexts>> = {
  en: enLetters,
  de: deLetters,
  pt: ptLetters,
  es: esLetters,
  it: itLetters,
  tr: trLetters,
  pl: plLetters,
  fr: frLetters,
};

const { staff: _, ...english } = enLetters;

const OWN: Readonly<Record<LanguageCode, SomeOf<CustomerLetterTexts>>> = {
  en: enLetters,
  de: deLetters,
  pt: ptLetters,
  es: esLetters,
  it: itLetters,
  tr: trLetters,
  pl: plLetters,
  fr: frLetters,
  nl: nlLetters,
  'pt-BR': ptBrLetters,
  ru: ruLetters,
  uk: ukLetters,
  cs: csLetters,
  ro: roLetters,
  'zh-Hans': zhHansLetters,
  ja: jaLetters,
  ko: koLetters,
  ar: arLetters,
  he: heLetters,
  hi: hiLetters,
};

const CATALOGUE = filledAll(english, OWN);

export function letterTexts(code: LanguageCode): CustomerLetterTexts {
  return CATALOGUE[code];
}

export function staffLetterTexts(code: DashboardLanguageCode): LetterTexts['staff'] {
  return DASHBOARD[code].staff;
}

/** What the language says itself to customers. */
export function ownLetterTexts(code: LanguageCode): SomeOf<CustomerLetterTexts> {
  return OWN[code];
}
