// Money is under way: what we see of it, how far it is, and how long the rest usually takes.
import { shownAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { defaultConfirmations, getNetwork } from '#catalog/network.ts';
import { amountToText } from '#money/asset-amount.ts';
import { minutesRangeText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { meanMinutes } from './confirmation-time.ts';
import type { PageState } from './decide-page.ts';
import { duePanel } from './due-panel.ts';
import type { PaymentView } from './payment-view.ts';

export function seenPage(page: CheckoutPage, state: Extract<PageState, { kind: 'seen' }>): Html {
  const { texts } = page.language;
  return html`<section class="card" aria-labelledby="title">
<div class="mark wait" aria-hidden="true"></div>
<h1 id="title" tabindex="-1">${texts.seen.title}</h1>
<p class="hint">${texts.seen.hint}</p>
${paymentList(page)}
<p>${estimate(page)}</p>
${
  state.rest !== undefined &&
  html`<p class="warning">${texts.seen.short}</p>${duePanel(page, state.rest, true)}`
}
</section>`;
}

/** Every payment that stands, with its confirmations. Nothing when there is none. */
export function paymentList(page: CheckoutPage): Html | undefined {
  const { payments } = page.state;
  if (payments.length === 0) return undefined;
  return html`<ul class="payments">${payments.map((payment) => paymentItem(page, payment))}</ul>`;
}

function paymentItem(page: CheckoutPage, payment: PaymentView): Html {
  const { texts } = page.language;
  const have = Number(payment.confirmations);
  const need = requiredOf(page, payment);
  const isCounted = !payment.isFinal && need > 0;
  const shownHave = Math.min(have, need);
  return html`<li><p class="payment-amount">${payment.amount} <span class="unit">${payment.assetCode}</span>
<span class="choice-network">${texts.choose.on(getNetwork(payment.network).name)}</span></p>
<p class="payment-state" data-confirmations="${have}">${
    payment.isFinal
      ? texts.seen.final
      : have === 0
        ? texts.seen.waiting
        : texts.seen.confirmations(shownHave, need)
  }${payment.isWrongAsset && html` · <strong>${texts.seen.wrongAsset}</strong>`}</p>
${
  isCounted &&
  html`<progress value="${shownHave}" max="${need}" aria-label="${texts.seen.confirmations(
    shownHave,
    need,
  )}"></progress>`
}
<p class="transaction"><span class="label">${texts.seen.transaction}</span>
<code>${payment.transaction}</code></p></li>`;
}

/** Before the first block it is not decided yet: then what a small payment needs. */
function requiredOf(page: CheckoutPage, payment: PaymentView): number {
  const [least] = defaultConfirmations(chainOf(page.record.environment, payment.network));
  return payment.confirmationsRequired ?? least;
}

/**
 * Blocks come at random: the sum of a few of them is between half and twice the mean most of the
 * time.
 */
function estimate(page: CheckoutPage): string {
  const { texts, code } = page.language;
  const open = page.state.payments.filter(({ isFinal }) => !isFinal);
  const waits = open.map((payment) => {
    const missing = Math.max(1, requiredOf(page, payment) - Number(payment.confirmations));
    const mean = meanMinutes(chainOf(page.record.environment, payment.network), missing);
    return { least: Math.ceil(mean / 2), most: Math.ceil(mean * 2) };
  });
  const least = Math.max(0, ...waits.map((wait) => wait.least));
  const most = Math.max(0, ...waits.map((wait) => wait.most));
  if (most <= 1) return texts.seen.timeSeconds;
  return texts.seen.timeMinutes(minutesRangeText(least, most, code));
}

export function unitsText(network: string, assetId: string, units: bigint): string {
  const shown = shownAsset(network, assetId);
  return `${amountToText(units, shown.decimals)} ${shown.assetCode}`;
}
