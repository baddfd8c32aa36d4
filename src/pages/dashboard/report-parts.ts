// What the rooms of reports share: the links between them, and for which days they are.

import type { Context } from 'hono';
import { Refusal } from '#base/refusal.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { button } from './controls.ts';
import type { ShopVisit } from './guard.ts';
import {
  instantsOf,
  namedPeriods,
  quarterOf,
  type ReportPeriod,
  readDays,
  readNamedPeriod,
} from './report-period.ts';
import { roomPath } from './shell.ts';

const TABS = [
  ['files', '/reports'],
  ['charts', '/reports/charts'],
] as const;

export function reportTabs({ language, place }: ShopVisit, here: (typeof TABS)[number][0]): Html {
  const { reports } = language.texts;
  return html`<nav class="rooms" aria-label="${reports.title}"><ul class="tabs">${TABS.map(
    ([key, path]) =>
      html`<li><a href="${roomPath(place, path)}"${key === here && html` aria-current="page"`}>${reports.tabs[key]}</a></li>`,
  )}</ul></nav>`;
}

export type Chosen = {
  readonly period: ReportPeriod;
  readonly today: Temporal.PlainDate;
  /** Of what was asked for and is no period. */
  readonly refusal: Refusal | undefined;
};

/** Of the address; last month where nothing is asked for, or what is none. */
export function chosenPeriod({ clock }: Pick<PageApp, 'clock'>, context: Context): Chosen {
  const today = clock.now().toZonedDateTimeISO('UTC').toPlainDate();
  const [code, from, to] = ['period', 'from', 'to'].map((name) => context.req.query(name));
  const isAsked = code !== undefined || from !== undefined || to !== undefined;
  const read = code === undefined ? readDays(from ?? '', to ?? '') : readNamedPeriod(code);
  const begins = today.with({ day: 1 });
  const lastMonth = { from: begins.subtract({ months: 1 }), to: begins.subtract({ days: 1 }) };
  const refusal =
    isAsked && read === undefined
      ? new Refusal('invalid', 'period', 'from and to: days, the first not after the last')
      : undefined;
  return { period: read ?? lastMonth, today, refusal };
}

/** The days as they are read, in their zone. */
function daysText({ language: { code } }: ShopVisit, period: ReportPeriod): string {
  const { from, to } = instantsOf(period);
  const format = new Intl.DateTimeFormat(code, { dateStyle: 'long', timeZone: 'UTC' });
  const last = to.subtract({ milliseconds: 1 });
  return `${format.formatRange(from.epochMilliseconds, last.epochMilliseconds)}, UTC`;
}

/**
 * Which days, and how to have others. `more`: what else is chosen with them, and why; then only
 * those that have a name.
 */
export function periodCard(
  visit: ShopVisit,
  { period, today }: Chosen,
  path: string,
  more?: { readonly fields: Html; readonly hint: string },
): Html {
  const { place, language } = visit;
  const { reports } = language.texts;
  const action = roomPath(place, path);
  const named = namedPeriods(today);
  const groups = (['months', 'quarters', 'years'] as const).map(
    (group) =>
      html`<optgroup label="${reports[group]}">${named[group].map(
        ({ code, from, to }) =>
          html`<option value="${code}"${
            from.equals(period.from) && to.equals(period.to) && html` selected`
          }>${nameOf(visit, group, from)}</option>`,
      )}</optgroup>`,
  );
  const day = (name: 'from' | 'to') => html`<p class="field">
<label class="label" for="${name}">${reports[name]}</label>
<input id="${name}" name="${name}" type="date" value="${`${period[name]}`}" required></p>`;
  return html`<section class="card" id="period"><h2>${daysText(visit, period)}</h2>
<p class="hint">${more && `${more.hint} `}${reports.zone}</p>
<form method="get" action="${action}" class="stack"><p class="field">
<label class="label" for="named">${reports.period}</label>
<select id="named" name="period">${groups}</select></p>${more?.fields}${button(reports.show, 'show')}</form>
${
  more === undefined &&
  html`<details><summary>${reports.otherDays}</summary>
<form method="get" action="${action}" class="stack">${day('from')}${day('to')}
${button(reports.show, 'show-days')}</form></details>`
}</section>`;
}

function nameOf(
  { language: { code, texts } }: ShopVisit,
  group: 'months' | 'quarters' | 'years',
  from: Temporal.PlainDate,
): string {
  if (group === 'years') return String(from.year);
  if (group === 'quarters') return texts.reports.quarter(quarterOf(from), from.year);
  return from.toLocaleString(code, { month: 'long', year: 'numeric' });
}
