// What takings are worth in one currency. Pure. Guarantees: what was billed in that currency is
// exact; everything else is told by prices that were stored, of the end of its day, or of now for
// today; what has no such price is told apart, and never guessed.

import { getAsset } from '#catalog/asset.ts';
import { findCurrency, getCurrency } from '#catalog/currency.ts';
import { type Decimal, decimalFromUnits, divideToScale, isZero, multiply } from '#money/decimal.ts';
import type { PastPrice, PriceWanted } from '#report/stored-prices.ts';
import type { Taking } from './taking.ts';

export type ValuedTaking = Taking & {
  /** What was paid: an amount of the currency or asset of this code. */
  readonly code: string;
  readonly amount: Decimal;
  /** Undefined where no price was stored. */
  readonly worth: Decimal | undefined;
};

/** In which a shop bills most; a shop without bills counts in dollars. */
export function shopCurrency(takings: readonly Taking[]): string {
  const payments = new Map<string, number>();
  for (const { currency, payments: some } of takings) {
    if (findCurrency(currency)?.type !== 'FIAT') continue;
    payments.set(currency, (payments.get(currency) ?? 0) + some);
  }
  const byCount = [...payments].toSorted(
    ([one, few], [other, many]) => many - few || (one < other ? -1 : 1),
  );
  return byCount[0]?.[0] ?? 'USD';
}

/** What `valueTakings` asks for. */
export function pricesWanted(
  takings: readonly Taking[],
  currency: string,
  now: Temporal.Instant,
): PriceWanted[] {
  const foreign = takings.filter((taking) => taking.currency !== currency);
  return foreign.flatMap((taking) => {
    const at = pricedAt(taking, now);
    return [codeOf(taking), currency].map((code) => ({ code, at }));
  });
}

export function valueTakings(
  takings: readonly Taking[],
  currency: string,
  {
    now,
    priceOf,
  }: {
    readonly now: Temporal.Instant;
    readonly priceOf: (wanted: PriceWanted) => PastPrice | undefined;
  },
): ValuedTaking[] {
  const { decimals } = getCurrency(currency);
  return takings.map((taking) => {
    const paid = { ...taking, code: codeOf(taking), amount: amountOf(taking) };
    if (taking.currency === currency) return { ...paid, worth: taking.total };
    const at = pricedAt(taking, now);
    const [price, unit] = [priceOf({ code: paid.code, at }), priceOf({ code: currency, at })];
    if (price === undefined || unit === undefined || isZero(unit.usd)) {
      return { ...paid, worth: undefined };
    }
    const worth = multiply(paid.amount, price.usd);
    return { ...paid, worth: divideToScale(worth, unit.usd, decimals, 'half-even') };
  });
}

function pricedAt({ day }: Taking, now: Temporal.Instant): Temporal.Instant {
  const end = day.add({ hours: 24 });
  return Temporal.Instant.compare(end, now) < 0 ? end : now;
}

/** Of the bill, or of the asset where there is none. */
function codeOf({ currency, assetId }: Pick<Taking, 'currency' | 'assetId'>): string {
  return currency === '' ? getAsset(assetId).assetCode : currency;
}

function amountOf({ currency, total, assetId, units }: Taking): Decimal {
  return currency === '' ? decimalFromUnits(units, getAsset(assetId).decimals) : total;
}
