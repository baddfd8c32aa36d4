// Asks every source at the same time, takes the medians and stores them. A source that fails is one
// voice less, not a failure; a code that cannot be priced now keeps no price beyond 120 s.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Db } from '#db/db.ts';
import { type Decimal, ONE } from '#money/decimal.ts';
import { medianPrice, type NamedPrice } from './median-price.ts';
import type { PriceSource } from './price-source.ts';
import {
  createBitfinexSource,
  createBitstampSource,
  createCoinbaseSource,
  createCoingeckoSource,
  createExchangeRateApiSource,
  createFrankfurterSource,
  createGeminiSource,
  createKrakenSource,
} from './price-sources.ts';
import { insertRates, type NewRate, PEGS, PRICED_CODES } from './rate.ts';
import type { StoredRateBook } from './rate-book.ts';

/** Every source, none of which needs an account. */
export function createPriceSources(options: { readonly clock: Clock }): PriceSource[] {
  const { clock } = options;
  return [
    createKrakenSource({ clock }),
    createCoinbaseSource({ clock }),
    createBitstampSource({ clock }),
    createCoingeckoSource({ clock }),
    createBitfinexSource({ clock }),
    createGeminiSource({ clock }),
    createExchangeRateApiSource({ clock }),
    createFrankfurterSource({ clock }),
  ];
}

/** Pause between two rounds: well below the 120 s a price lives, and polite to free services. */
export const REFRESH_RATES_MS = 45_000;

type RefreshRatesApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly rates: StoredRateBook;
  readonly priceSources: readonly PriceSource[];
};

type RefreshedRates = {
  readonly priced: readonly string[];
  /** Codes without a price, each with the reason. */
  readonly unavailable: ReadonlyMap<string, string>;
  /** Sources that did not answer usefully, each with the reason. */
  readonly failures: ReadonlyMap<string, string>;
};

export async function refreshRates(
  app: RefreshRatesApp,
  signal: AbortSignal,
): Promise<RefreshedRates> {
  const { prices, failures } = await askSources(app, signal);
  signal.throwIfAborted();
  const now = app.clock.now();
  const fresh = new Map<string, NewRate>();
  const unavailable = new Map<string, string>();
  for (const code of PRICED_CODES) {
    const outcome = priceOf(code, prices.get(code) ?? [], now, fresh);
    if (outcome.kind === 'unavailable') unavailable.set(code, outcome.reason);
    else fresh.set(code, { code, ...outcome });
  }
  if (fresh.size > 0) {
    const rates = [...fresh.values()];
    app.rates.remember(await app.db.single((tx) => insertRates(tx, 'live', rates, now)));
  }
  if (failures.size > 0) {
    app.log.warn('price sources failed', { failures: Object.fromEntries(failures) });
  }
  return { priced: [...fresh.keys()], unavailable, failures };
}

function priceOf(
  code: string,
  prices: readonly NamedPrice[],
  now: Temporal.Instant,
  fresh: ReadonlyMap<string, NewRate>,
) {
  const pegCode = PEGS.get(code);
  if (pegCode === undefined) return medianPrice({ prices, now });
  const peg: Decimal | undefined = pegCode === 'USD' ? ONE : fresh.get(pegCode)?.usdPrice;
  if (peg !== undefined) return medianPrice({ prices, now, peg });
  return { kind: 'unavailable', reason: `its peg ${pegCode} has no price` } as const;
}

async function askSources(
  { priceSources }: RefreshRatesApp,
  signal: AbortSignal,
): Promise<{ prices: Map<string, NamedPrice[]>; failures: Map<string, string> }> {
  const answers = await Promise.allSettled(
    priceSources.map((source) => source.fetchPrices(signal)),
  );
  const prices = new Map<string, NamedPrice[]>();
  const failures = new Map<string, string>();
  answers.forEach((answer, index) => {
    const source = priceSources[index]?.name ?? '';
    if (answer.status === 'rejected') {
      failures.set(source, answer.reason instanceof Error ? answer.reason.message : 'failed');
      return;
    }
    for (const { code, ...price } of answer.value) {
      const list = prices.get(code) ?? [];
      list.push({ source, ...price });
      prices.set(code, list);
    }
  });
  return { prices, failures };
}
