// The languages of the dashboard: eight of those that customers are spoken to in. A language that
// misses a text, or has one too many, does not compile.
import type { DashboardLanguageCode } from '#catalog/language.ts';
import { deDashboard } from './de.ts';
import { type DashboardTexts, enDashboard } from './en.ts';
import { esDashboard } from './es.ts';
import { frDashboard } from './fr.ts';
import { itDashboard } from './it.ts';
import { plDashboard } from './pl.ts';
import { ptDashboard } from './pt.ts';
import { trDashboard } from './tr.ts';

const CATALOGUE: Readonly<Record<DashboardLanguageCode, DashboardTexts>> = {
  en: enDashboard,
  de: deDashboard,
  pt: ptDashboard,
  es: esDashboard,
  it: itDashboard,
  tr: trDashboard,
  pl: plDashboard,
  fr: frDashboard,
};

export type DashboardLanguage = {
  readonly code: DashboardLanguageCode;
  readonly texts: DashboardTexts;
};

export function dashboardLanguage(code: DashboardLanguageCode): DashboardLanguage {
  return { code, texts: CATALOGUE[code] };
}
