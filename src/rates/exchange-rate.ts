// What one thing costs in another now, for GET /exchange-rate. Guarantees: the amount that was not
// given is rounded as a swap rounds it (what is given up, what is received down); a missing or
// stale price is refused by name, never guessed. It promises nothing: only a quote does.
import { Refusal } from '#base/refusal.ts';
import { findAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { findCurrency } from '#catalog/currency.ts';
import type { Reader } from '#db/db.ts';
import { UNITS_MAX } from '#money/asset-amount.ts';
import { createDecimal, type Decimal, ONE } from '#money/decimal.ts';
import { isJsonObject, parseExactJson } from '#money/exact-json.ts';
import { divideUnits, type Rate, rateFromPrices } from '#money/rate.ts';
import { listRateEvidence, type Price } from './rate.ts';
import type { RateBook } from './rate-book.ts';

/** An asset id, or the bare code of a currency. */
export type Priced = {
  readonly name: string;
  readonly code: string;
  readonly decimals: number;
};

type ExchangeRateRequest = {
  readonly environment: Environment;
  readonly source: Priced;
  readonly target: Priced;
  /** In whole coins, above zero. */
  readonly amount: Decimal;
  readonly given: 'source' | 'target';
};

type ExchangeRate = {
  readonly sourceAmount: Decimal;
  readonly targetAmount: Decimal;
  /** Whole target coins per whole source coin. */
  readonly rate: Rate;
  /** How far apart the sources were, both prices together, relative to the rate. */
  readonly deviation: Decimal;
  /** When the older of the two prices was true. */
  readonly observedAt: Temporal.Instant;
  readonly sources: readonly string[];
};

/** Undefined for what has no price: an unknown name, or a code that is only shown (SAT). */
export function findPriced(name: string): Priced | undefined {
  const asset = findAsset(name);
  if (asset !== undefined) return { name, code: asset.assetCode, decimals: asset.decimals };
  const currency = findCurrency(name);
  if (!currency?.billing) return undefined;
  return { name, code: name, decimals: currency.decimals };
}

type ExchangeRateApp = PriceFacts & { readonly db: Reader; readonly rates: RateBook };

/**
 * @throws Refusal unavailable `rate_missing`, `prices_not_configured`; invalid
 * `amount_out_of_range`.
 */
export async function findExchangeRate(
  app: ExchangeRateApp,
  request: ExchangeRateRequest,
  now: Temporal.Instant,
): Promise<ExchangeRate> {
  const { source, target, amount, given } = request;
  const prices = pricesOf(app, request, now);
  const [sourcePrice, targetPrice] = prices.map(({ usdPrice }) => usdPrice);
  const rate = rateFromPrices(sourcePrice ?? ONE, 0, targetPrice ?? ONE, 0);
  const { numerator, denominator } = rate;
  const other =
    given === 'source'
      ? scale(amount, numerator, denominator, target.decimals, 'down')
      : scale(amount, denominator, numerator, source.decimals, 'up');
  if (other.coefficient > UNITS_MAX) {
    throw new Refusal('invalid', 'amount_out_of_range', `${given}Amount: is too large`);
  }
  const rateIds = prices.map(({ id }) => id).filter((id) => id !== 0n);
  const rows = rateIds.length === 0 ? [] : await listRateEvidence(app.db, rateIds);
  const spread = rows.reduce((sum, row) => sum + row.spreadPartsPerMillion, 0);
  return {
    sourceAmount: given === 'source' ? amount : other,
    targetAmount: given === 'source' ? other : amount,
    rate,
    deviation: createDecimal(BigInt(spread), 6),
    observedAt: prices.map((price) => price.observedAt).reduce(earlier, now),
    sources: [...new Set(rows.flatMap(({ evidence }) => sourcesOf(evidence)))].toSorted(),
  };
}

/** Whose prices these were and when; without those that are not kept any more. */
export async function listPriceSources(
  reader: Reader,
  rateIds: readonly bigint[],
): Promise<{ id: bigint; sources: readonly string[]; observedAt: Temporal.Instant }[]> {
  const asked = rateIds.filter((id) => id !== 0n);
  const rows = asked.length === 0 ? [] : await listRateEvidence(reader, asked);
  return rows.map(({ id, evidence, observedAt }) => ({
    ...{ id, observedAt },
    sources: sourcesOf(evidence),
  }));
}

/** Empty when both are the same code: its price cancels out. */
function pricesOf(
  app: ExchangeRateApp,
  { environment, source, target }: ExchangeRateRequest,
  now: Temporal.Instant,
): Price[] {
  if (source.code === target.code) return [];
  return [source.code, target.code].map((code) => {
    const price = app.rates.price(environment, code, now);
    if (price !== undefined) return price;
    throw rateMissing(app, environment, code);
  });
}

const rateRetrySeconds = 45;

export type PriceFacts = {
  /** Whether the operator named anybody to ask for prices; true unless said. */
  readonly hasPriceSources?: boolean | undefined;
};

/** In the sandbox every price is there; elsewhere nothing comes back that nobody is asked for. */
export function arePricesAsked(
  { hasPriceSources = true }: PriceFacts,
  environment: Environment,
): boolean {
  return hasPriceSources || environment === 'test';
}

/** `what`: what cannot be had, as the beginning of the sentence. */
export function pricesNotConfigured(what: string): Refusal {
  return new Refusal('unavailable', 'prices_not_configured', [
    `${what} and no source of prices is set: the operator of this installation sets ` +
      'PRICE_SOURCES=all, or names at least three (npx quittance settings)',
  ]);
}

/** Nothing is converted without a price of this moment (docs/money.md, Rates). */
export function rateMissing(app: PriceFacts, environment: Environment, code: string): Refusal {
  if (!arePricesAsked(app, environment)) {
    return pricesNotConfigured(`there is no current rate for ${code}`);
  }
  const message = `there is no current rate for ${code}: too few price sources agree at the moment`;
  return new Refusal('unavailable', 'rate_missing', message, {
    retryAfterSeconds: rateRetrySeconds,
  });
}

function scale(
  amount: Decimal,
  numerator: bigint,
  denominator: bigint,
  decimals: number,
  rounding: 'up' | 'down',
): Decimal {
  const above = amount.coefficient * numerator * 10n ** BigInt(decimals);
  const below = 10n ** BigInt(amount.scale) * denominator;
  return createDecimal(divideUnits(above, below, rounding), decimals);
}

function earlier(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) <= 0 ? one : other;
}

/** Names of those whose price counted; the table of the sandbox is one source. */
function sourcesOf(evidence: string): string[] {
  const parsed = parseExactJson(evidence);
  if (!parsed.ok || !isJsonObject(parsed.value)) return [];
  const { reference, kept } = parsed.value;
  if (reference === true) return ['reference'];
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((price) =>
    isJsonObject(price) && typeof price.source === 'string' ? [price.source] : [],
  );
}
