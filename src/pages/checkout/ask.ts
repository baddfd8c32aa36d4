// What the shop asks before a way to pay is offered: its own fields, its terms, a tip. One plain
// form; what is wrong with it is said at each field.

import {
  ANSWER_MAX,
  type Ask,
  choicesOf,
  hasTerms,
  labelOf,
  offersTips,
  type PayerAsking,
} from '#ask/ask.ts';
import type { AnswerFault } from '#ask/decide-answers.ts';
import { listTips } from '#ask/tip.ts';
import { assert } from '#base/assert.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { PayerAnswers } from '#checkout/commit-checkout.ts';
import {
  createDecimal,
  type Decimal,
  decimalToText,
  subtract,
  tryParseDecimal,
} from '#money/decimal.ts';
import { readTypedAmount } from '#pages/amount-text.ts';
import { moneyText, numberText, percentText } from '#pages/display.ts';
import { foreignText, type Html, html, visibleText } from '#pages/html.ts';
import { type CheckoutPage, checkoutPath } from './checkout-page.ts';
import { cancelForm } from './pay.ts';

/** Of the form: a tip that is named, and none of those that are offered. */
const OWN = 'own';
const NO_OFFERED_TIP = createDecimal(-1n, 0);

export function askPage(page: CheckoutPage): Html {
  const { record, language } = page;
  const { asking } = record;
  assert(asking !== undefined, 'a page asks what its checkout does');
  const { ask } = language.texts.paying;
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${ask.title}</h1>
${page.askedAgain !== undefined && html`<p class="warning" role="alert">${ask.wrong}</p>`}
<form method="post" action="${checkoutPath(page, '/answer')}" class="stack asked">
${asking.asks.map((one) => askField(page, one))}
${offersTips(asking) && tipFields(page, asking)}
${hasTerms(asking) && termsField(page, asking)}
<button class="button" id="go">${ask.go}</button>
</form>
<div class="ways">${cancelForm(page)}</div>
</section>`;
}

/** To what was answered, as long as nothing was chosen that fixes it. */
export function answersLink(page: CheckoutPage): Html | undefined {
  const { asking, commitments } = page.record;
  if (asking === undefined || commitments.length > 0) return undefined;
  const path = checkoutPath(page, '', { ask: true });
  return html`<a class="quiet" id="answers" href="${path}">${page.language.texts.paying.ask.change}</a>`;
}

/** As a browser sends it; `given`: only keys that are asked for. */
export function readAnswerForm(
  { asking, billingCurrency }: CheckoutRecord,
  form: URLSearchParams,
): Pick<PayerAnswers, 'answers' | 'isTermsAccepted' | 'tip'> {
  const answers = (asking?.asks ?? []).map(({ key, kind }): [string, unknown] => {
    const typed = form.get(fieldName(key)) ?? undefined;
    if (kind === 'CHECKBOX') return [key, typed === 'yes'];
    return [key, kind === 'NUMBER' ? typed && plainNumber(typed) : typed];
  });
  const { decimals } = getCurrency(billingCurrency);
  const wanted = form.get('tip') ?? '';
  const isOwn = wanted === OWN || (wanted === '' && (form.get('tipOwn') ?? '') !== '');
  const chosen = isOwn
    ? readTypedAmount(form.get('tipOwn') ?? '', decimals)
    : tryParseDecimal(wanted === '' ? '0' : wanted);
  return {
    answers: new Map(answers),
    isTermsAccepted: form.get('terms') === 'yes',
    tip: chosen ?? NO_OFFERED_TIP,
  };
}

/** A comma before the fraction and zeros in front are how people write; a decimal has neither. */
function plainNumber(typed: string): string {
  const point = typed.trim().replace(/^([^.,]*),([^.,]*)$/, '$1.$2');
  return point.replace(/^(-?)0+(?=\d)/, '$1');
}

function fieldName(key: string): string {
  return `ask-${key}`;
}

function askField(page: CheckoutPage, ask: Ask): Html {
  const { texts, code } = page.language;
  const name = fieldName(ask.key);
  const outcome = page.askedAgain?.outcome;
  const fault = outcome?.faults.find(({ key }) => key === ask.key)?.fault;
  const said = fault && faultText(page, ask, fault);
  const label = html`${foreignText(labelOf(ask, code))}${
    !ask.isRequired &&
    ask.kind !== 'CHECKBOX' &&
    html` <span class="hint">(${texts.paying.ask.optional})</span>`
  }`;
  const needs = html`${ask.isRequired && html` required`}${faultAttributes(name, said)}`;
  if (ask.kind === 'CHECKBOX') {
    return tickField(name, shownValue(page, ask) === 'yes', label, needs, faultLine(name, said));
  }
  const input =
    ask.kind === 'CHOICE'
      ? choiceInput(page, ask, name, needs)
      : html`<input id="${name}" name="${name}" dir="auto"${inputKind(ask)} value="${shownValue(page, ask)}"
 maxlength="${maxLength(ask)}"${needs}>`;
  return html`<p class="field"><label class="label" for="${name}">${label}</label>
${input}${faultLine(name, said)}</p>`;
}

function tickField(
  name: string,
  isOn: boolean,
  label: Html,
  needs: Html,
  fault: Html | undefined,
): Html {
  return html`<p class="check"><input type="checkbox" id="${name}" name="${name}" value="yes"${
    isOn && html` checked`
  }${needs}><label for="${name}">${label}</label>${fault}</p>`;
}

function inputKind({ kind }: Ask): Html {
  if (kind === 'EMAIL') return html` type="email" autocomplete="email"`;
  return kind === 'NUMBER' ? html` inputmode="decimal" autocomplete="off"` : html``;
}

function maxLength({ kind, most }: Ask): number {
  if (kind === 'EMAIL') return 254;
  if (kind === 'NUMBER') return 40;
  return most === undefined ? ANSWER_MAX : Number(most);
}

function choiceInput(page: CheckoutPage, ask: Ask, name: string, needs: Html): Html {
  const known = shownValue(page, ask);
  const option = (value: string, shown: string) =>
    html`<option value="${value}"${value === known && html` selected`}>${shown}</option>`;
  const { texts, code } = page.language;
  return html`<select id="${name}" name="${name}"${needs}>
${option('', texts.paying.ask.pick)}${choicesOf(ask, code).map(([choice, shown]) =>
  option(choice, visibleText(shown)),
)}</select>`;
}

/** What was typed last, else what was answered before. */
function shownValue({ askedAgain, record }: CheckoutPage, { key }: Ask): string {
  if (askedAgain !== undefined) return askedAgain.form.get(fieldName(key)) ?? '';
  const known = record.answers?.[key];
  return typeof known === 'string' ? known : known === true ? 'yes' : '';
}

function faultAttributes(name: string, said: string | undefined): Html | undefined {
  if (said === undefined) return undefined;
  return html` aria-invalid="true" aria-describedby="${name}-fault"`;
}

function faultLine(name: string, said: string | undefined): Html | undefined {
  if (said === undefined) return undefined;
  return html`<span class="fault" id="${name}-fault">${said}</span>`;
}

function faultText(page: CheckoutPage, ask: Ask, fault: AnswerFault): string {
  const { texts, code } = page.language;
  const { faults } = texts.paying.ask;
  const bound = (text: string | undefined, usual = '') => {
    const number = text === undefined ? undefined : tryParseDecimal(text);
    return number === undefined ? usual : numberText(number, code);
  };
  switch (fault) {
    case 'required':
      return ask.kind === 'CHECKBOX' ? faults.tick : faults.required;
    case 'short':
      return faults.short(bound(ask.least));
    case 'long':
      return faults.long(bound(ask.kind === 'TEXT' ? ask.most : undefined, `${ANSWER_MAX}`));
    case 'low':
      return faults.low(bound(ask.least));
    case 'high':
      return faults.high(bound(ask.most));
    case 'email':
    case 'number':
    case 'choice':
      return faults[fault];
    default:
      return faults.plain;
  }
}

function tipFields(page: CheckoutPage, asking: PayerAsking): Html {
  const { record, language, askedAgain } = page;
  const { ask } = language.texts.paying;
  const { code } = language;
  const { decimals } = getCurrency(record.billingCurrency);
  const money = (amount: Decimal) => moneyText(amount, record.billingCurrency, code);
  const listed = listTips(asking, subtract(record.total, record.tip), decimals).map(
    ({ percent, amount }) => ({
      value: decimalToText(amount),
      name:
        percent === undefined
          ? html`${money(amount)}`
          : html`${percentText(percent, code)} <span class="hint">${money(amount)}</span>`,
    }),
  );
  const known = decimalToText(record.tip);
  const isListed = known === '0' || listed.some(({ value }) => value === known);
  const chosen = askedAgain?.form.get('tip') ?? (isListed ? known : OWN);
  const choices = [
    { value: '0', name: html`${ask.noTip}` },
    // Two that come to the same are one.
    ...listed.filter(
      ({ value }, index) => listed.findIndex((one) => one.value === value) === index,
    ),
    ...(asking.isTipOwn ? [{ value: OWN, name: html`${ask.otherTip}` }] : []),
  ];
  const isWrong = askedAgain?.outcome.isTipRefused === true;
  return html`<fieldset class="tips"><legend class="label">${ask.tip}</legend>
${choices.map(
  ({ value, name }, index) => html`<p class="check"><input type="radio" id="tip-${index}" name="tip"
 value="${value}"${value === chosen && html` checked`}><label for="tip-${index}">${name}</label></p>`,
)}
${asking.isTipOwn && ownTipField(page, isListed ? '' : known)}
${isWrong && html`<p class="fault">${ask.faults.tip}</p>`}</fieldset>`;
}

function ownTipField(page: CheckoutPage, known: string): Html {
  const { record, language, askedAgain } = page;
  const { ask } = language.texts.paying;
  return html`<p class="field own-tip"><label class="label" for="tip-own">${ask.ownTip(
    record.billingCurrency,
  )}</label>
<input id="tip-own" name="tipOwn" inputmode="decimal" autocomplete="off" maxlength="40"
 value="${askedAgain?.form.get('tipOwn') ?? known}"></p>`;
}

/** The address was checked when it was stored: http or https, without credentials. */
function termsField(page: CheckoutPage, { termsUrl, termsText }: PayerAsking): Html {
  const { record, language, askedAgain, summary } = page;
  const { ask } = language.texts.paying;
  const isOn =
    askedAgain === undefined
      ? record.termsAcceptedAt !== undefined
      : askedAgain.form.get('terms') === 'yes';
  const said = askedAgain?.outcome.mustAcceptTerms === true ? ask.faults.tick : undefined;
  const label = foreignText(termsText ?? ask.terms(visibleText(summary.shopName)));
  const needs = html` required${faultAttributes('terms', said)}`;
  return html`${tickField('terms', isOn, label, needs, faultLine('terms', said))}
${
  termsUrl !== undefined &&
  html`<p><a class="quiet" id="read-terms" href="${termsUrl}" target="_blank" rel="noopener noreferrer">${ask.readTerms}</a></p>`
}`;
}
