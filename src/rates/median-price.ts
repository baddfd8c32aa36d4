// The price of one code out of what the sources say (money.md, Quotes). Guarantees: at least
// three sources spoke within 120 s, at least two of them agree within 3 % of the median, each
// source counts once, and nothing is ever made up: otherwise there is no price and a reason why.
import {
  add,
  compare,
  type Decimal,
  decimalToText,
  isNegative,
  isZero,
  multiply,
  negate,
  parseDecimal,
  roundDecimal,
  subtract,
  ZERO,
} from '#money/decimal.ts';
import { stringifyExact } from '#money/exact-json.ts';
import { divideUnits } from '#money/rate.ts';
import type { SourcePrice } from './price-source.ts';

const SOURCES_MIN = 3;
const SURVIVORS_MIN = 2;
export const PRICE_AGE_SECONDS_MAX = 120;

const deviationMax = parseDecimal('0.03');
const pegDeviationMax = parseDecimal('0.02');
const half = parseDecimal('0.5');
/** What the column numeric(50,20) holds. */
const priceScale = 20;

export type NamedPrice = Omit<SourcePrice, 'code'> & { readonly source: string };

export type MedianRequest = {
  readonly prices: readonly NamedPrice[];
  readonly now: Temporal.Instant;
  /** Price of what a stablecoin promises to be worth. */
  readonly peg?: Decimal | undefined;
};

export type MedianOutcome = { readonly evidence: string } & (
  | {
      readonly kind: 'priced';
      readonly usdPrice: Decimal;
      /**
       * Between the lowest and the highest price that counted, relative to the median, rounded up.
       */
      readonly spreadPartsPerMillion: number;
    }
  | { readonly kind: 'unavailable'; readonly reason: string }
);

type Dropped = { readonly price: NamedPrice; readonly reason: string };

export function medianPrice({ prices, now, peg }: MedianRequest): MedianOutcome {
  const dropped: Dropped[] = [];
  const fresh = keepFresh(prices, now, dropped);
  const first = medianOf(fresh);
  const kept = fresh.filter((price) => {
    const isNear = first !== undefined && isWithin(price.usdPrice, first, deviationMax);
    if (!isNear) dropped.push({ price, reason: 'more than 3 % off the median' });
    return isNear;
  });
  const median = medianOf(kept);
  const evidence = evidenceText(kept, dropped, median, peg);
  const unavailable = (reason: string) => ({ kind: 'unavailable', reason, evidence }) as const;
  if (first === undefined || fresh.length < SOURCES_MIN) {
    return unavailable(`${fresh.length} of at least ${SOURCES_MIN} sources have a current price`);
  }
  // This comes before the deviation: with a median of zero every price would be too far off.
  if (isZero(first)) return unavailable('the price is too small to be written down');
  if (kept.length < SURVIVORS_MIN || median === undefined) {
    return unavailable('the sources disagree by more than 3 %');
  }
  if (peg !== undefined && !isWithin(median, peg, pegDeviationMax)) {
    return unavailable('it is more than 2 % off its peg');
  }
  const spreadPartsPerMillion = spreadOf(kept, median);
  return { kind: 'priced', usdPrice: median, spreadPartsPerMillion, evidence };
}

/** Sources in time, each once. Daily ones only when the markets alone are too few. */
function keepFresh(
  prices: readonly NamedPrice[],
  now: Temporal.Instant,
  dropped: Dropped[],
): NamedPrice[] {
  const known = new Set<string>();
  const fresh: NamedPrice[] = [];
  for (const price of prices) {
    const ageSeconds = now.since(price.observedAt).total('seconds');
    let reason: string | undefined;
    if (compare(price.usdPrice, ZERO) <= 0) reason = 'not above zero';
    else if (ageSeconds > PRICE_AGE_SECONDS_MAX) reason = 'older than 120 s';
    else if (ageSeconds < -PRICE_AGE_SECONDS_MAX) reason = 'from the future';
    else if (known.has(price.source)) reason = 'a second price of this source';
    if (reason !== undefined) {
      dropped.push({ price, reason });
      continue;
    }
    known.add(price.source);
    fresh.push(price);
  }
  const markets = fresh.filter(({ isDaily }) => !isDaily);
  if (markets.length < SOURCES_MIN) return fresh;
  for (const price of fresh) {
    if (price.isDaily) dropped.push({ price, reason: 'daily, and there are market prices enough' });
  }
  return markets;
}

/** The mean of the two in the middle when their number is even. To 20 digits after the point. */
function medianOf(prices: readonly NamedPrice[]): Decimal | undefined {
  const sorted = prices.map(({ usdPrice }) => usdPrice).toSorted(compare);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) return undefined;
  return roundDecimal(multiply(add(lower, upper), half), priceScale, 'half-even');
}

function isWithin(value: Decimal, centre: Decimal, fraction: Decimal): boolean {
  return compare(distance(value, centre), multiply(centre, fraction)) <= 0;
}

function distance(left: Decimal, right: Decimal): Decimal {
  const difference = subtract(left, right);
  return isNegative(difference) ? negate(difference) : difference;
}

function spreadOf(kept: readonly NamedPrice[], median: Decimal): number {
  const sorted = kept.map(({ usdPrice }) => usdPrice).toSorted(compare);
  const span = subtract(sorted.at(-1) ?? ZERO, sorted[0] ?? ZERO);
  const scale = Math.max(span.scale, median.scale);
  const unitsAt = (value: Decimal) => value.coefficient * 10n ** BigInt(scale - value.scale);
  return Number(divideUnits(unitsAt(span) * 1_000_000n, unitsAt(median), 'up'));
}

function evidenceText(
  kept: readonly NamedPrice[],
  dropped: readonly Dropped[],
  median: Decimal | undefined,
  peg: Decimal | undefined,
): string {
  const line = ({ source, usdPrice, observedAt, isDaily }: NamedPrice) => ({
    source,
    usdPrice: decimalToText(usdPrice),
    observedAt: observedAt.toString(),
    isDaily: isDaily || undefined,
  });
  return stringifyExact({
    median: median === undefined ? null : decimalToText(median),
    peg: peg === undefined ? undefined : decimalToText(peg),
    kept: kept.map(line),
    dropped: dropped.map(({ price, reason }) => ({ ...line(price), reason })),
  });
}
