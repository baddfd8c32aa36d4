// The prices in memory, so that a quote costs no round trip. Guarantees: a live price is given out
// for 120 s and never again ("never last known", money.md); test prices are the reference table
// and never go stale; what is given out has a row in the table `rate` that a quote can name.
import type { Clock } from '#base/clock.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { type Decimal, ONE } from '#money/decimal.ts';
import { PRICE_AGE_SECONDS_MAX } from './median-price.ts';
import { PRICED_CODES } from './priced-code.ts';
import { ensureReferenceRates, listLiveRates } from './rate-store.ts';
import { REFERENCE_PRICES } from './reference-table.ts';

export type Price = {
  /** Row of the table `rate`; 0 for the US dollar, which is 1 by definition and has none. */
  readonly rateId: bigint;
  readonly code: string;
  /** US dollars for one whole unit, above zero. */
  readonly usdPrice: Decimal;
  readonly observedAt: Temporal.Instant;
};

/** What a quote needs of it. */
export type RateBook = {
  /** Undefined when there is no price that may be used now. `code` as in GET /currencies. */
  price(environment: Environment, code: string, now: Temporal.Instant): Price | undefined;
};

export type StoredRateBook = RateBook & {
  /** Takes in prices that have rows already; one that is older than what is known is ignored. */
  remember(prices: readonly (Price & { readonly environment: Environment })[]): void;
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
      if (code === 'USD') return { rateId: 0n, code, usdPrice: ONE, observedAt: now };
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
