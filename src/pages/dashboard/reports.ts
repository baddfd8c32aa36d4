// Reports of a shop: for which days, and which file. Each kind of file has a form of its own, which
// asks for nothing that it does not need.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { listWallets } from '#ledger/account.ts';
import { type Html, html } from '#pages/html.ts';
import type { DashboardTexts } from '#pages/languages/dashboard/en.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { COST_METHODS } from '#report/report.ts';
import { REPORTS, VALUED_REPORTS } from '#report/reports.ts';
import { isBankMoney } from '#report/write-books.ts';
import { button, faultNote, selectField, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { sendCharts } from './report-charts.ts';
import {
  DATEV_ACCOUNTS,
  isDatevMoney,
  JOURNALS,
  REPORT_CURRENCIES,
  type ReportFormat,
  STATEMENTS,
  sendReportFile,
  TABLE_FORMATS,
} from './report-files.ts';
import { type Chosen, chosenPeriod, periodCard, reportTabs } from './report-parts.ts';
import { dashboardPage, roomPath } from './shell.ts';

const PATH = '/shop/:merchantId/:environment/reports';
const CHARTS_OF_ACCOUNTS = ['SKR03', 'SKR04'] as const;

export function reportsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'report', (visit) => sendReports(app, context, visit)),
  );
  routes.get(`${PATH}/charts`, (context) =>
    withShop(app, context, 'report', (visit) => sendCharts(app, context, visit)),
  );
  routes.get(`${PATH}/file`, (context) =>
    withShop(app, context, 'report', async (visit) => {
      try {
        return await sendReportFile(app, context, visit);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return sendReports(app, context, visit, error);
      }
    }),
  );
  return routes;
}

/** What a form asks for, and what was given. */
type Forms = {
  readonly visit: ShopVisit;
  readonly days: Chosen['period'];
  given(name: string, initial?: string): string;
};

/** Last month, unless something else was asked for. */
async function sendReports(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
  refusal?: Refusal,
): Promise<Response> {
  const { place, language } = visit;
  const { texts } = language;
  const chosen = chosenPeriod(app, context);
  const wallets = await listWallets(app.db, place);
  const accounts = wallets.map(({ assetId }) => assetId).filter(isBankMoney);
  const forms: Forms = {
    visit,
    days: chosen.period,
    given: (name, initial = '') => context.req.query(name) ?? initial,
  };
  const fault = refusal ?? chosen.refusal;
  const body = html`${faultNote(fault && faultText(texts, fault))}${reportTabs(visit, 'files')}
${periodCard(visit, chosen, '/reports')}
${tableCard(forms)}${journalCard(forms)}${statementCard(forms, accounts)}
${datevCard(forms, accounts.filter(isDatevMoney))}`;
  const status = fault && STATUS_OF_REFUSAL[fault.kind];
  const { title } = texts.reports;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'reports' }));
}

/** A card with a form that downloads something of the chosen days. */
function fileCard(
  { visit, days }: Forms,
  { id, title, hint, body }: Readonly<Record<'id' | 'title' | 'hint', string>> & { body: Html },
): Html {
  const { place, language } = visit;
  return html`<section class="card" id="${id}"><h2>${title}</h2><p class="hint">${hint}</p>
<form method="get" action="${roomPath(place, '/reports/file')}" class="stack">
<input type="hidden" name="from" value="${`${days.from}`}">
<input type="hidden" name="to" value="${`${days.to}`}">
${body}${button(language.texts.reports.download, `download-${id}`)}</form></section>`;
}

function formatField(forms: Forms, id: string, formats: readonly ReportFormat[]): Html {
  const { reports } = forms.visit.language.texts;
  return selectField({
    name: 'format',
    id: `${id}-format`,
    label: reports.format,
    value: forms.given('format'),
    options: formats.map((format) => [format, reports.formats[format]]),
  });
}

function ofLedger(): Html {
  return html`<input type="hidden" name="report" value="ledger">`;
}

function tableCard(forms: Forms): Html {
  const { reports } = forms.visit.language.texts;
  const names = [...REPORTS, ...VALUED_REPORTS].map(({ name }) => name);
  const body = html`${selectField({
    name: 'report',
    label: reports.report,
    value: forms.given('report', 'taxes'),
    options: names.map((name) => [name, reports.names[name]]),
  })}${formatField(forms, 'table', TABLE_FORMATS)}
<details${['gains', 'conversions'].includes(forms.given('report')) && html` open`}><summary>${
    reports.valued
  }</summary><div class="stack">${selectField({
    name: 'currency',
    label: reports.currency,
    value: forms.given('currency', 'EUR'),
    options: REPORT_CURRENCIES.map((code) => [code, code]),
  })}${selectField({
    name: 'method',
    label: reports.method,
    value: forms.given('method', 'fifo'),
    options: COST_METHODS.map((method) => [method, reports.methods[method]]),
  })}</div></details>`;
  return fileCard(forms, { id: 'table', title: reports.table, hint: reports.tableHint, body });
}

function journalCard(forms: Forms): Html {
  const { reports } = forms.visit.language.texts;
  const body = html`${ofLedger()}${formatField(forms, 'journal', JOURNALS)}`;
  const { journal: title, journalHint: hint } = reports;
  return fileCard(forms, { id: 'journal', title, hint, body });
}

/** Of one account in money of banks: without one there is nothing to tell. */
function statementCard(forms: Forms, accounts: readonly string[]): Html {
  const { statement: title, statementHint: hint, noAccount } = forms.visit.language.texts.reports;
  if (accounts.length === 0) {
    return html`<section class="card" id="statement"><h2>${title}</h2><p>${noAccount}</p></section>`;
  }
  const body = html`${ofLedger()}${accountField(forms, 'statement', accounts)}
${formatField(forms, 'statement', STATEMENTS)}`;
  return fileCard(forms, { id: 'statement', title, hint, body });
}

function accountField(forms: Forms, id: string, accounts: readonly string[]): Html {
  return selectField({
    name: 'asset',
    id: `${id}-asset`,
    label: forms.visit.language.texts.reports.account,
    value: forms.given('asset'),
    options: accounts.map((assetId) => [assetId, getAsset(assetId).assetCode]),
  });
}

function datevCard(forms: Forms, accounts: readonly string[]): Html | undefined {
  if (accounts.length === 0) return undefined;
  const { reports } = forms.visit.language.texts;
  const { datev, formats } = reports;
  const number = (name: 'consultant' | 'client') =>
    textField({
      name,
      label: datev[name],
      value: forms.given(name),
      inputmode: 'numeric',
      maxLength: 7,
    });
  const own = DATEV_ACCOUNTS.map((name) =>
    textField({
      name,
      label: datev.accounts[name],
      value: forms.given(name),
      inputmode: 'numeric',
      maxLength: 8,
      isRequired: false,
    }),
  );
  const isOwn = DATEV_ACCOUNTS.some((name) => forms.given(name) !== '');
  const body = html`${ofLedger()}<input type="hidden" name="format" value="datev">
${accountField(forms, 'datev', accounts)}${number('consultant')}${number('client')}
${selectField({
  name: 'chart',
  label: datev.chart,
  value: forms.given('chart'),
  options: CHARTS_OF_ACCOUNTS.map((chart) => [chart, chart]),
})}<p class="field"><label class="label" for="fiscalYear">${datev.fiscalYear}</label>
<input id="fiscalYear" name="fiscalYear" type="date" value="${forms.given(
    'fiscalYear',
    `${forms.days.from.with({ month: 1, day: 1 })}`,
  )}" required></p>
<details${isOwn && html` open`}><summary>${datev.own}</summary><div class="stack"><p
 class="hint">${datev.ownHint}</p>${own}</div></details>`;
  return fileCard(forms, { id: 'datev', title: formats.datev, hint: datev.hint, body });
}

/** Of a batch for DATEV every fault has its sentence, by what it begins with. */
function faultText(texts: DashboardTexts, refusal: Refusal): string {
  const { faults } = texts.reports;
  if (refusal.code === 'report_empty') return faults.empty;
  if (refusal.code === 'asset_required') return faults.account;
  if (refusal.code !== 'validation_failed') return refusalText(texts, refusal);
  const known: Readonly<Record<string, string>> = {
    consultant: faults.consultant,
    client: faults.client,
    chart: faults.chart,
    'fiscal-year': faults.fiscalYear,
    accounts: faults.accounts,
    from: faults.within,
    more: faults.tooMany,
    entry: faults.tooLarge,
  };
  const said = refusal.details.map((detail) => {
    const [, name = ''] = /^(?:--)?([a-z-]+)/.exec(detail) ?? [];
    return known[name] ?? texts.faults.gone;
  });
  return [...new Set(said)].join(' ');
}
