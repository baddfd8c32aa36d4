// A year of a shop by month: what came in, what it cost, what was gained by exchanging. Sums are
// those of the reports; worth is told by prices that were stored then. What would take long to sum
// is not drawn: of a large shop there are the files.

import type { Context } from 'hono';
import { getCurrency } from '#catalog/currency.ts';
import { type Decimal, decimalFromUnits, decimalToText, isZero, ZERO } from '#money/decimal.ts';
import { moneyText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { COST_METHODS } from '#report/report.ts';
import { readFeeDays, readGainMonths } from '#report/reports.ts';
import { listMonthlyWorth, sumWorth, type WorthOfMonth } from '#takings/list-valued.ts';
import { columnChart } from './charts.ts';
import { faultNote, selectField } from './controls.ts';
import type { ShopVisit } from './guard.ts';
import { refusalText } from './invitation.ts';
import { REPORT_CURRENCIES } from './report-files.ts';
import { chosenPeriod, periodCard, reportTabs } from './report-parts.ts';
import { instantsOf, startOf } from './report-period.ts';
import { dashboardPage } from './shell.ts';

const MONTHS = 12;

/** A month, as one column of a chart. */
type Sum = {
  readonly month: Temporal.PlainYearMonth;
  readonly worth: Decimal;
  readonly count: number;
  /** Of how many the worth is not known. */
  readonly unvalued: number;
};

/** Twelve months, of which the last one is that in which the chosen days end. */
export async function sendCharts(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
): Promise<Response> {
  const { place, language } = visit;
  const { merchantId, environment } = place;
  const { reports, ...texts } = language.texts;
  const chosen = chosenPeriod(app, context);
  const wanted = REPORT_CURRENCIES.find((code) => code === context.req.query('currency'));
  const method = COST_METHODS.find((one) => one === context.req.query('method')) ?? COST_METHODS[0];
  const last = chosen.period.to.toPlainYearMonth();
  const months = Array.from({ length: MONTHS }, (_, index) =>
    last.subtract({ months: MONTHS - 1 - index }),
  );
  const first = (months[0] ?? last).toPlainDate({ day: 1 });
  const until = last.toPlainDate({ day: last.daysInMonth });
  const owner = { merchantId, environment };
  const asked = { ...owner, ...instantsOf({ from: first, to: until }) };
  const now = app.clock.now();
  const { currency, months: income } = await listMonthlyWorth(app.db, owner, {
    ...{ since: startOf(first), until: startOf(until), now, currency: wanted },
  });
  const [feeDays, gains] = await Promise.all([
    readFeeDays(app.db, asked),
    readGainMonths(app.db, { ...asked, currency, method }),
  ]);
  const fees = feeDays && (await sumWorth(app.db, owner, feeDays, { currency, now }));
  const { decimals } = getCurrency(currency);
  const gained = gains?.map(({ month, gain, count, unknown }) => {
    return { month, worth: decimalFromUnits(gain, decimals), count, unvalued: unknown };
  });
  const draw = { visit, months, currency };
  const choice = html`${selectField({
    name: 'currency',
    label: reports.currency,
    value: currency,
    options: REPORT_CURRENCIES.map((code) => [code, code]),
  })}${selectField({
    name: 'method',
    label: reports.method,
    value: method,
    options: COST_METHODS.map((one) => [one, reports.methods[one]]),
  })}`;
  const fault = chosen.refusal && refusalText(language.texts, chosen.refusal);
  const body = html`${faultNote(fault)}${reportTabs(visit, 'charts')}
${periodCard(visit, chosen, '/reports/charts', { fields: choice, hint: reports.chartsHint })}
${chart(draw, 'income', { amount: texts.today.worth, count: texts.today.payments }, sumsOf(income))}
${chart(draw, 'fees', { amount: reports.names.fees, count: reports.count }, fees && sumsOf(fees))}
${chart(draw, 'gains', { amount: reports.gain, count: reports.count }, gained)}`;
  const status = chosen.refusal && 400;
  const { title } = reports;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'reports' }));
}

function sumsOf(months: readonly WorthOfMonth[]): Sum[] {
  return months.map(({ month, payments, worth, unvalued }) => {
    return { month, worth, count: payments, unvalued };
  });
}

type Drawn = {
  readonly visit: ShopVisit;
  readonly months: readonly Temporal.PlainYearMonth[];
  readonly currency: string;
};

/** `sums` undefined: there is too much to sum while somebody waits. */
function chart(
  { visit, months, currency }: Drawn,
  what: 'income' | 'fees' | 'gains',
  heads: { readonly amount: string; readonly count: string },
  sums: readonly Sum[] | undefined,
): Html {
  const { code, texts } = visit.language;
  const { reports, today } = texts;
  const { title, none } = reports.charts[what];
  const digits = new Intl.NumberFormat(code);
  const unvalued = sums?.reduce((sum, one) => sum + one.unvalued, 0) ?? 0;
  const note = unvalued > 0 ? `${today.withoutPrice}: ${digits.format(unvalued)}` : undefined;
  if (sums === undefined || sums.every(({ worth }) => isZero(worth))) {
    const said = sums === undefined ? reports.chartTooLarge : (note ?? none);
    return html`<section class="card" id="${what}"><h2>${title}</h2><p>${said}</p></section>`;
  }
  const names = new Intl.DateTimeFormat(code, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const rows = months.map((month) => {
    const found = sums.find((one) => one.month.equals(month));
    const { worth = ZERO, count = 0 } = found ?? {};
    return {
      name: names.format(startOf(month.toPlainDate({ day: 1 })).epochMilliseconds),
      length: Number(decimalToText(worth)),
      cells: [digits.format(count), moneyText(worth, currency, code)],
    };
  });
  const ticks = new Intl.NumberFormat(code, { notation: 'compact' });
  const named = {
    ...{ id: what, title: `${title} (${currency})`, rows, asTable: today.asTable, note },
    heads: [reports.month, heads.count, heads.amount],
  };
  return columnChart(named, (value) => ticks.format(value));
}
