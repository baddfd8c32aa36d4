// What the payer of a checkout was asked before he chose how to pay, and what he answered.

import { type Ask, choicesOf, hasTerms, labelOf, offersTips } from '#ask/ask.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { isZero } from '#money/decimal.ts';
import { momentTime, moneyText } from '#pages/display.ts';
import { foreignText, type Html, html, visibleText } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { ShopVisit } from './guard.ts';

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
</dl></section>`;
}

/** Of a choice what it is called in the language of whoever looks. */
function answerOf({ language }: ShopVisit, { answers = {} }: CheckoutRecord, ask: Ask): Html {
  const answer = answers[ask.key];
  if (typeof answer !== 'string') return html`${answer === true ? '✓' : '–'}`;
  const chosen = choicesOf(ask, language.code).find(([choice]) => choice.trim() === answer);
  return foreignText(chosen?.[1] ?? answer);
}
