// What arrived or is under way, payment by payment.
import { chainOf } from '#catalog/chain.ts';
import { explorerUrl } from '#catalog/explorer.ts';
import { getNetwork } from '#catalog/network.ts';
import { parseDecimal } from '#money/decimal.ts';
import { numberText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';
import type { PaymentView } from './payment-view.ts';

/** Every payment that stands, with its confirmations. Nothing when there is none. */
export function paymentList(page: CheckoutPage): Html | undefined {
  const { payments } = page.state;
  if (payments.length === 0) return undefined;
  return html`<ul class="payments">${payments.map((payment) => paymentItem(page, payment))}</ul>`;
}

function paymentItem(page: CheckoutPage, payment: PaymentView): Html {
  const { texts, code } = page.language;
  const have = Number(payment.confirmations);
  const need = requiredOf(page, payment);
  const isCounted = !payment.isFinal && !payment.isHeld && need > 0;
  const shownHave = Math.min(have, need);
  return html`<li><p class="payment-amount">${numberText(parseDecimal(payment.amount), code)} <span class="unit">${payment.assetCode}</span>
<span class="choice-network">${texts.choose.on(getNetwork(payment.network).name)}</span></p>
<p class="payment-state" data-confirmations="${have}">${stateText(
    page,
    payment,
    need,
  )}${payment.isWrongAsset && html` · <strong>${texts.seen.wrongAsset}</strong>`}</p>
${
  isCounted &&
  html`<progress value="${shownHave}" max="${need}" aria-label="${texts.seen.confirmations(
    shownHave,
    need,
  )}"></progress>`
}
<p class="transaction"><span class="label">${texts.seen.transaction}</span>
<code>${payment.transaction}</code></p>
${explorerLink(page, payment)}</li>`;
}

function stateText({ language: { texts } }: CheckoutPage, payment: PaymentView, need: number) {
  if (payment.isFinal) return texts.seen.final;
  if (payment.isHeld) return texts.seen.held;
  const have = Number(payment.confirmations);
  return have === 0 ? texts.seen.waiting : texts.seen.confirmations(Math.min(have, need), need);
}

/** The explorer is opened only by a click, and is not told where it was clicked. */
function explorerLink(page: CheckoutPage, payment: PaymentView): Html | undefined {
  if (!page.settings.explorerLinks) return undefined;
  const chain = chainOf(page.record.environment, payment.network);
  const address = explorerUrl(page.explorers, chain, payment.transaction);
  if (address === undefined) return undefined;
  return html`<p class="no-print"><a class="quiet" href="${address}" target="_blank"
 rel="noopener noreferrer">${page.language.texts.seen.explorer(new URL(address).host)}</a></p>`;
}

/** The number is decided with the first block. Until then it is what this payment alone needs. */
export function requiredOf(page: CheckoutPage, payment: PaymentView): number {
  const { confirmationsNeeded, network, paid } = payment;
  return confirmationsNeeded ?? page.confirmationsOf(network, paid);
}
