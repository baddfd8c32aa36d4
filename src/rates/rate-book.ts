// The prices in memory, so that a quote costs no round trip. Guarantees: a live price is given out
// for 120 s and never again ("never last known", money.md); test prices are the reference table
// and never go stale; what is given out has a row in the table `rate` that a quote can name.

import type { Clock } from '#base/clock.ts';
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import {
  add,
  type Decimal,
  decimalFromUnits,
  multiply,
  ONE,
  parseDecimal,
  ZERO,
} from '#money/decimal.ts';
import { PRICE_AGE_SECONDS_MAX } from './median-price.ts';
import {
  ensureReferenceRates,
  listLiveRates,
  PRICED_CODES,
  type Price,
  type StoredPrice,
} from './rate.ts';

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
  /** Of live prices that may be used now: how many, and since when the oldest of them stands. */
  ages(now: Temporal.Instant): {
    readonly usable: number;
    readonly oldestAt: Temporal.Instant | undefined;
  };
};

/** Stores the reference prices of the sandbox if they changed and reads the latest live ones. */
export async function createRateBook(app: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<StoredRateBook> {
  const { db, clock } = app;
  // By environment and by code: a key of both would be a new text for each price of each quote.
  const known: Readonly<Record<Environment, Map<string, Price>>> = {
    live: new Map(),
    test: new Map(),
  };
  const book: StoredRateBook = {
    price(environment, code, now) {
      if (code === 'USD') return { id: 0n, code, usdPrice: ONE, observedAt: now };
      const price = known[environment].get(code);
      if (price === undefined || environment === 'test') return price;
      const ageSeconds = now.since(price.observedAt).total('seconds');
      return Math.abs(ageSeconds) <= PRICE_AGE_SECONDS_MAX ? price : undefined;
    },
    remember(prices) {
      for (const { environment, ...price } of prices) {
        const before = known[environment].get(price.code);
        const isOlder =
          before !== undefined && Temporal.Instant.compare(price.observedAt, before.observedAt) < 0;
        if (!isOlder) known[environment].set(price.code, price);
      }
    },
    ages(now) {
      const prices = PRICED_CODES.map((code) => book.price('live', code, now));
      const times = prices.flatMap((price) => price?.observedAt ?? []);
      return { usable: times.length, oldestAt: times.toSorted(Temporal.Instant.compare)[0] };
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

// The prices of the sandbox. THESE ARE NOT MARKET PRICES: they are round, they never move, and no
// real money is ever counted with them, so that a test computed by hand today is still right next
// year.

/** US dollars for one whole unit. */
const texts: Readonly<Record<string, string>> = {
  BTC: '100000',
  ETH: '4000',
  LTC: '100',
  XLM: '0.4',
  XRP: '2.5',
  POL: '0.25',
  USDC: '1',
  USDT: '1',
  DAI: '1',
  WBTC: '100000',
  EURC: '1.15',
  AED: '0.2723',
  ARS: '0.0007',
  AUD: '0.65',
  BDT: '0.0082',
  BHD: '2.65',
  BMD: '1',
  BRL: '0.18',
  CAD: '0.72',
  CHF: '1.25',
  CLP: '0.001',
  CNY: '0.14',
  CZK: '0.047',
  DKK: '0.155',
  EUR: '1.15',
  GBP: '1.35',
  HKD: '0.128',
  HUF: '0.003',
  IDR: '0.00006',
  ILS: '0.3',
  INR: '0.0114',
  JPY: '0.0066',
  KRW: '0.0007',
  KWD: '3.25',
  LKR: '0.0033',
  MMK: '0.000476',
  MXN: '0.054',
  MYR: '0.24',
  NGN: '0.00067',
  NOK: '0.1',
  NZD: '0.58',
  PHP: '0.017',
  PKR: '0.0035',
  PLN: '0.27',
  RUB: '0.0125',
  SAR: '0.2667',
  SEK: '0.105',
  SGD: '0.775',
  THB: '0.031',
  TRY: '0.024',
  TWD: '0.033',
  UAH: '0.024',
  VEF: '0.000004',
  VND: '0.000038',
  ZAR: '0.057',
};

export const REFERENCE_PRICES: ReadonlyMap<string, Decimal> = new Map(
  Object.entries(texts).map(([code, text]) => [code, parseDecimal(text)]),
);

// Which prices moved too far to be held for anybody: whoever knows the new one first would choose
// between it and a quote of a moment ago. Looked up each time, so that every process sees the same
// and none forgets it by starting anew.

/** How far a live price may move, from its lowest to its highest, and in which time. */
export type PriceMove = { readonly partsPerMillion: number; readonly minutes: number };

/** Codes of assets and currencies whose live price moved by more than that up to now. */
export async function listMovedCodes(
  reader: Reader,
  { partsPerMillion, minutes }: PriceMove,
  now: Temporal.Instant,
): Promise<string[]> {
  const since = now.subtract({ minutes });
  const rows = await reader.query<{ code: string }>(sql`
    select asked.code from unnest(${PRICED_CODES}::text[]) as asked (code) cross join lateral (
      select min(usd_price) as low, max(usd_price) as high from rate
      where environment = 'live' and rate.code = asked.code
        and observed_at > ${since} and observed_at <= ${now}
    ) as seen
    where seen.high * 1000000 > seen.low * (1000000 + ${partsPerMillion}::integer)
    order by asked.code`);
  return rows.map(({ code }) => code);
}
