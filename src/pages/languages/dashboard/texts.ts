// The languages of the dashboard: the same eight as of the pages for customers. A language that
// misses a text, or has one too many, does not compile.
import type { LanguageCode } from '#catalog/language.ts';
import { deDashboard } from './de.ts';
import { type DashboardTexts, enDashboard } from './en.ts';
import { esDashboard } from './es.ts';
import { frDashboard } from './fr.ts';
import { itDashboard } from './it.ts';
import { plDashboard } from './pl.ts';
import { ptDashboard } from './pt.ts';
import { trDashboard } from './tr.ts';

const CATALOGUE: Readonly<Record<LanguageCode, DashboardTexts>> = {
  en: enDashboard,
  de: deDashboard,
  pt: ptDashboard,
  es: esDashboard,
  it: itDashboard,
  tr: trDashboard,
  pl: plDashboard,
  fr: frDashboard,
};

export type DashboardLanguage = { readonly code: LanguageCode; readonly texts: DashboardTexts };

export function dashboardLanguage(code: LanguageCode): DashboardLanguage {
  return { code, texts: CATALOGUE[code] };
}
