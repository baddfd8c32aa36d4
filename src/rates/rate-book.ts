// The prices in memory, so that a quote costs no round trip. Guarantees: a live price is given out
// for 120 s and never again ("never last known", money.md); test prices are the reference table
// and never go stale; what is given out has a row in the table `rate` that a quote can name.
import type { Clock } from '#base/clock.ts';
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { add, type Decimal, decimalFromUnits, multiply, ONE, ZERO } from '#money/decimal.ts';
import { PRICE_AGE_SECONDS_MAX } from './median-price.ts';
import {
  ensureReferenceRates,
  listLiveRates,
  PRICED_CODES,
  type Price,
  type StoredPrice,
} from './rate.ts';
import { REFERENCE_PRICES } from './reference-table.ts';

/** What a quote needs of it. */
export type RateBook = {
  /** Undefined when there is no price that may be used now. `code` as in GET /currencies. */
  price(environment: Environment, code: string, now: Temporal.Instant): Price | undefined;
};

export type StoredRateBook = RateBook & {
  /** Takes in prices that have rows already; one that is older than what is known is ignored. */
  remember(prices: readonly StoredPrice[]): void;
  /** Reads what other processes have stored since. One query. */
  reload(): Promise<void>;
};

/** Stores the reference prices of the sandbox if they changed and reads the latest live ones. */
export async function createRateBook(app: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<StoredRateBook> {
  const { db, clock } = app;
  const known = new Map<string, Price>();
  const book: StoredRateBook = {
    price(environment, code, now) {
      if (code === 'USD') return { id: 0n, code, usdPrice: ONE, observedAt: now };
      const price = known.get(`${environment}:${code}`);
      if (price === undefined || environment === 'test') return price;
      const ageSeconds = now.since(price.observedAt).total('seconds');
      return Math.abs(ageSeconds) <= PRICE_AGE_SECONDS_MAX ? price : undefined;
    },
    remember(prices) {
      for (const { environment, ...price } of prices) {
        const key = `${environment}:${price.code}`;
        const before = known.get(key);
        const isOlder =
          before !== undefined && Temporal.Instant.compare(price.observedAt, before.observedAt) < 0;
        if (!isOlder) known.set(key, price);
      }
    },
    async reload() {
      const since = clock.now().subtract({ seconds: PRICE_AGE_SECONDS_MAX });
      book.remember(await listLiveRates(db, PRICED_CODES, since));
    },
  };
  book.remember(await db.single((tx) => ensureReferenceRates(tx, REFERENCE_PRICES, clock.now())));
  await book.reload();
  return book;
}

/**
 * What amounts are worth in US dollars, to choose for instance how deep a payment must be buried.
 * Undefined when any of them has no price: the caller then takes the highest tier (fail closed).
 */
export function usdValue(
  book: RateBook,
  environment: Environment,
  amounts: readonly AssetAmount[],
  now: Temporal.Instant,
): Decimal | undefined {
  let sum = ZERO;
  for (const { assetId, units } of amounts) {
    const asset = getAsset(assetId);
    const price = book.price(environment, asset.assetCode, now);
    if (price === undefined) return undefined;
    sum = add(sum, multiply(decimalFromUnits(units, asset.decimals), price.usdPrice));
  }
  return sum;
}
