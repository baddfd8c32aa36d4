// What a whole coin costs by the lock the customer is asked to pay: the total over the amount, so
// that whoever multiplies gets what stands above. For display only.
import { getAsset } from '#catalog/asset.ts';
import { getCurrency } from '#catalog/currency.ts';
import { type CheckoutRecord, type Commitment, SHOWN_AMOUNTS_MINUTES } from '#checkout/checkout.ts';
import { compare, createDecimal, type Decimal, divideToScale } from '#money/decimal.ts';
import { clockText, moneyText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';

/** Nothing once the lock is over: what comes then counts at the price of that moment. */
export function rateLine(page: CheckoutPage, commitment: Commitment): Html | undefined {
  const { record, language } = page;
  const { texts, code } = language;
  const { assetCode } = getAsset(commitment.assetId);
  const isOver = Temporal.Instant.compare(page.now, commitment.expiresAt) >= 0;
  if (isOver || assetCode === record.billingCurrency) return undefined;
  const price = moneyText(coinPrice(record, commitment), record.billingCurrency, code);
  const quotedAt = quoteMoment(record, commitment);
  return html`<p class="hint" id="rate"><time datetime="${quotedAt.toString()}">${texts.pay.rate(
    `1\u00a0${assetCode}`,
    price,
    clockText(quotedAt, code),
  )}</time></p>`;
}

const smallPriceDigits = 6;
const TEN = createDecimal(10n, 0);

/** Rounded to the decimals of the currency, a price below 10 to six digits after the point. */
function coinPrice(
  record: Pick<CheckoutRecord, 'total' | 'billingCurrency'>,
  { assetId, paymentUnits }: Pick<Commitment, 'assetId' | 'paymentUnits'>,
): Decimal {
  const amount = createDecimal(paymentUnits, getAsset(assetId).decimals);
  const { decimals } = getCurrency(record.billingCurrency);
  const whole = divideToScale(record.total, amount, 0, 'down');
  const scale = compare(whole, TEN) >= 0 ? decimals : Math.max(decimals, smallPriceDigits);
  return divideToScale(record.total, amount, scale, 'half-even');
}

/** A lock soon after the creation keeps the amounts that were quoted then (commit-checkout.ts). */
export function quoteMoment(
  { createdAt }: Pick<CheckoutRecord, 'createdAt'>,
  { committedAt }: Pick<Commitment, 'committedAt'>,
): Temporal.Instant {
  const shownUntil = createdAt.add({ minutes: SHOWN_AMOUNTS_MINUTES });
  return Temporal.Instant.compare(committedAt, shownUntil) <= 0 ? createdAt : committedAt;
}
