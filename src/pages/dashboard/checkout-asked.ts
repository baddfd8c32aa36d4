// What the payer of a checkout was asked before he chose how to pay, and what he answered.

import { type Context, Hono } from 'hono';
import { type Ask, choicesOf, hasTerms, labelOf, offersTips } from '#ask/ask.ts';
import { doNoted } from '#audit/act.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { eraseAnswers } from '#checkout/create-checkout.ts';
import { isZero } from '#money/decimal.ts';
import { momentTime, moneyText } from '#pages/display.ts';
import { foreignText, type Html, html, visibleText } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendSeeOther } from '#pages/send-page.ts';
import { mayAct } from '#staff/role.ts';
import { formOf } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/checkouts/:id/answers';

export function checkoutAskedRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.post(PATH, (context) =>
    withShop(app, context, 'erase', (visit) => erase(app, context, visit)),
  );
  return routes;
}

/** For good, also in the texts of events (src/event/told-answers.ts). */
async function erase(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const id = context.req.param('id') ?? '';
  await readVisitForm(app, context, visit);
  const about = { subject: `checkout:${id}`, verb: 'checkout-answers-erase' };
  await doNoted(app, { actor, merchantId, environment, ...about }, (within) =>
    eraseAnswers(within, place, id),
  );
  return sendSeeOther(`${roomPath(place, `/checkouts/${id}`)}#asked`);
}

export function askedCard(visit: ShopVisit, record: CheckoutRecord): Html | undefined {
  const { asking, answeredAt, termsAcceptedAt, tip, billingCurrency } = record;
  if (asking === undefined) return undefined;
  const { code, texts } = visit.language;
  const { settings } = texts;
  const { ask } = pageLanguage(code).texts.paying;
  const line = (label: Html, value: Html) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  // What he accepted, in the words that he has seen or by its address.
  const terms = visibleText(asking.termsText ?? asking.termsUrl ?? '');
  const accepted = termsAcceptedAt === undefined ? '–' : `✓ ${momentTime(termsAcceptedAt, code)}`;
  const tipped = isZero(tip) ? ask.noTip : moneyText(tip, billingCurrency, code);
  return html`<section class="card" id="asked"><h2>${settings.asking.asked}</h2>
${answeredAt === undefined && html`<p>${settings.asking.unanswered}</p>`}
<dl class="lines" id="answers">
${asking.asks.map((one) => line(foreignText(labelOf(one, code)), answerOf(visit, record, one)))}
${hasTerms(asking) && line(html`${settings.asking.terms}`, html`${foreignText(terms)} ${accepted}`)}
${offersTips(asking) && line(html`${ask.tipLine}`, html`${tipped}`)}
</dl>${record.answers !== undefined && eraseForm(visit, record)}</section>`;
}

function eraseForm(visit: ShopVisit, { id }: CheckoutRecord): Html | undefined {
  const { place, language } = visit;
  const { asking } = language.texts.settings;
  if (!mayAct(place.role, 'erase')) return undefined;
  return formOf(
    visit,
    roomPath(place, `/checkouts/${id}/answers`),
    html`<p class="hint">${asking.eraseHint}</p><button class="quiet" id="erase-answers">${asking.erase}</button>`,
  );
}

/** Of a choice what it is called in the language of whoever looks. */
function answerOf({ language }: ShopVisit, { answers = {} }: CheckoutRecord, ask: Ask): Html {
  const answer = answers[ask.key];
  if (typeof answer !== 'string') return html`${answer === true ? '✓' : '–'}`;
  const chosen = choicesOf(ask, language.code).find(([choice]) => choice.trim() === answer);
  return foreignText(chosen?.[1] ?? answer);
}
