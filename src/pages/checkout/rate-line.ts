// What a whole coin costs by the lock the customer is asked to pay. For display only.
import { getAsset } from '#catalog/asset.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import { clockTime, coinPriceText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';

/** Nothing once the lock is over: what comes then counts at the price of that moment. */
export function rateLine(page: CheckoutPage, commitment: Commitment): Html | undefined {
  const { record, language } = page;
  const { texts, code } = language;
  const { assetCode } = getAsset(commitment.assetId);
  const isOver = Temporal.Instant.compare(page.now, commitment.expiresAt) >= 0;
  if (isOver || assetCode === record.billingCurrency) return undefined;
  const paid = { assetId: commitment.assetId, units: commitment.arrivingUnits };
  const price = coinPriceText(record, paid, language);
  const [before = '', after = ''] = texts.pay.rate(`1\u00a0${assetCode}`, price, '\n').split('\n');
  const time = clockTime(quoteMoment(record, commitment), code);
  return html`<p class="hint" id="rate">${before}${time}${after}</p>`;
}

/** A lock while the quote holds keeps the amounts of the creation (commit-checkout.ts). */
function quoteMoment(
  { createdAt, quotedUntil }: Pick<CheckoutRecord, 'createdAt' | 'quotedUntil'>,
  { committedAt }: Pick<Commitment, 'committedAt'>,
): Temporal.Instant {
  return Temporal.Instant.compare(committedAt, quotedUntil) <= 0 ? createdAt : committedAt;
}
