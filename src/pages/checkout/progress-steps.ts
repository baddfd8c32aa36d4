// How far a payment is, as steps in order of time: sent, seen, confirmed, and told to the shop. A
// step is done, under way, or to come; the one under way says how far it is and how long it takes.

import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { qrCode } from './copy-field.ts';
import { requiredOf } from './payment-list.ts';

type StepState = 'done' | 'now' | 'next';
type Steps = Readonly<Record<'seen' | 'confirmed' | 'told', StepState>> & {
  /** Of the payment that is furthest behind. */
  readonly have: number;
  readonly need: number;
};

type Progress = {
  readonly payments: readonly {
    readonly have: number;
    readonly need: number;
    readonly isFinal: boolean;
  }[];
  readonly isPaid: boolean;
};

/** Pure. Nothing is confirmed before the last payment is. */
export function decideSteps({ payments, isPaid }: Progress): Steps {
  const open = payments.filter(({ isFinal }) => !isFinal);
  const missing = ({ have, need }: (typeof open)[number]) => need - have;
  const [last = { have: 0, need: 0 }] = open.toSorted(
    (one, other) => missing(other) - missing(one),
  );
  const isConfirmed = isPaid || (payments.length > 0 && open.length === 0);
  return {
    seen: 'done',
    confirmed: isConfirmed ? 'done' : 'now',
    told: isPaid ? 'done' : isConfirmed ? 'now' : 'next',
    have: Math.min(last.have, last.need),
    need: last.need,
  };
}

/** `range`: how long the confirmations usually take. */
export function progressSteps(page: CheckoutPage, range?: string): Html | undefined {
  const { payments, kind } = page.state;
  if (payments.length === 0) return undefined;
  const { steps } = page.language.texts.paying;
  const { confirmations } = page.language.texts.seen;
  const decided = decideSteps({
    isPaid: kind === 'paid',
    payments: payments.map((payment) => ({
      have: Number(payment.confirmations),
      need: requiredOf(page, payment),
      isFinal: payment.isFinal,
    })),
  });
  const { have, need } = decided;
  const isCounted = decided.confirmed === 'now' && need > 0;
  const step = (state: StepState, name: string, more?: Html) =>
    html`<li data-step="${state}"${state === 'now' && html` aria-current="step"`}>
<span>${name}</span>${more}</li>`;
  return html`<ol class="steps" aria-label="${steps.title}">
${step('done', steps.sent)}
${step(decided.seen, steps.seen)}
${step(
  decided.confirmed,
  steps.confirmed,
  html`${isCounted && html`<span class="hint">${confirmations(have, need)}</span>`}${
    range !== undefined && html`<span class="hint">${range}</span>`
  }`,
)}
${step(decided.told, decided.told === 'done' ? steps.wasTold : steps.told)}
</ol>`;
}

/** The address of this page as a code, for a device that has the wallet. */
export function otherDevice({ language, pageUrl }: CheckoutPage): Html {
  const { device, deviceHint } = language.texts.paying.steps;
  return html`<details class="device no-print" id="device"><summary>${device}</summary>
<p class="hint">${deviceHint}</p>${qrCode(pageUrl, deviceHint)}</details>`;
}

/** Off until somebody asks for it; kept on his device (assets/signal.js, which shows it). */
export function signalChoice({ language }: CheckoutPage): Html {
  return html`<p class="no-print"><button type="button" class="quiet" id="signal"
 aria-pressed="false" hidden>${language.texts.paying.steps.signal}</button></p>`;
}
