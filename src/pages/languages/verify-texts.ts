// What stands on a receipt and on an invoice so that it can be checked, and on the page that checks
// it, in every language.
import type { LanguageCode } from '#catalog/language.ts';
import { filledAll, type SomeOf } from './filled.ts';
import { arVerify } from './letters/ar.ts';
import { csVerify } from './letters/cs.ts';
import { deVerify } from './letters/de.ts';
import { enVerify, type VerifyTexts } from './letters/en.ts';
import { esVerify } from './letters/es.ts';
import { frVerify } from './letters/fr.ts';
import { heVerify } from './letters/he.ts';
import { hiVerify } from './letters/hi.ts';
import { itVerify } from './letters/it.ts';
import { jaVerify } from './letters/ja.ts';
import { koVerify } from './letters/ko.ts';
import { nlVerify } from './letters/nl.ts';
import { plVerify } from './letters/pl.ts';
import { ptVerify } from './letters/pt.ts';
import { ptBrVerify } from './letters/pt-BR.ts';
import { roVerify } from './letters/ro.ts';
import { ruVerify } from './letters/ru.ts';
import { trVerify } from './letters/tr.ts';
import { ukVerify } from './letters/uk.ts';
import { zhHansVerify } from './letters/zh-Hans.ts';

export type { VerifyTexts };

const OWN: Readonly<Record<LanguageCode, SomeOf<VerifyTexts>>> = {
  en: enVerify,
  de: deVerify,
  pt: ptVerify,
  es: esVerify,
  it: itVerify,
  tr: trVerify,
  pl: plVerify,
  fr: frVerify,
  nl: nlVerify,
  'pt-BR': ptBrVerify,
  ru: ruVerify,
  uk: ukVerify,
  cs: csVerify,
  ro: roVerify,
  'zh-Hans': zhHansVerify,
  ja: jaVerify,
  ko: koVerify,
  ar: arVerify,
  he: heVerify,
  hi: hiVerify,
};

const CATALOGUE = filledAll(enVerify, OWN);

export function verifyTexts(code: LanguageCode): VerifyTexts {
  return CATALOGUE[code];
}

/** What the language says itself. */
export function ownVerifyTexts(code: LanguageCode): SomeOf<VerifyTexts> {
  return OWN[code];
}
