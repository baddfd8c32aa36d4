// Whoever knows prices, one after the other: what is asked, and how the answer is read. What all of
// them have in common, and what an answer that makes no sense is, says price-source.ts.

import { listCurrencies } from '#catalog/currency.ts';
import { type ExactJson, type ExactObject, isJsonObject } from '#money/exact-json.ts';
import {
  definePriceSource,
  inverse,
  marketPrice,
  type PriceSource,
  type PriceSourceOptions,
  positiveDecimal,
  quotient,
  requireArray,
  requireObject,
  type SourcePrice,
  unixSeconds,
} from './price-source.ts';

type Pair = {
  readonly ask: string;
  /** Names under which it may be answered: Kraken keeps old ones. */
  readonly answers: readonly string[];
  readonly code: string;
  /** Says how many units a dollar is. */
  readonly isInverse?: true;
};

const krakenPairs: readonly Pair[] = [
  { ask: 'XBTUSD', answers: ['XXBTZUSD', 'XBTUSD'], code: 'BTC' },
  { ask: 'ETHUSD', answers: ['XETHZUSD', 'ETHUSD'], code: 'ETH' },
  { ask: 'LTCUSD', answers: ['XLTCZUSD', 'LTCUSD'], code: 'LTC' },
  { ask: 'XLMUSD', answers: ['XXLMZUSD', 'XLMUSD'], code: 'XLM' },
  { ask: 'XRPUSD', answers: ['XXRPZUSD', 'XRPUSD'], code: 'XRP' },
  { ask: 'POLUSD', answers: ['POLUSD'], code: 'POL' },
  { ask: 'USDCUSD', answers: ['USDCUSD'], code: 'USDC' },
  { ask: 'USDTUSD', answers: ['USDTZUSD', 'USDTUSD'], code: 'USDT' },
  { ask: 'DAIUSD', answers: ['DAIUSD'], code: 'DAI' },
  { ask: 'EURUSD', answers: ['ZEURZUSD', 'EURUSD'], code: 'EUR' },
  { ask: 'GBPUSD', answers: ['ZGBPZUSD', 'GBPUSD'], code: 'GBP' },
  { ask: 'AUDUSD', answers: ['ZAUDZUSD', 'AUDUSD'], code: 'AUD' },
  { ask: 'USDCAD', answers: ['ZUSDZCAD', 'USDCAD'], code: 'CAD', isInverse: true },
  { ask: 'USDCHF', answers: ['ZUSDZCHF', 'USDCHF'], code: 'CHF', isInverse: true },
  { ask: 'USDJPY', answers: ['ZUSDZJPY', 'USDJPY'], code: 'JPY', isInverse: true },
];

/**
 * Last trades of Kraken: GET /0/public/Ticker. `c[0]` is the price; the answer tells no time. One
 * pair that Kraken does not know fails the request, so only pairs that have been there for years
 * are asked.
 */
export function createKrakenSource(options: PriceSourceOptions): PriceSource {
  return definePriceSource(
    {
      name: 'kraken',
      baseUrl: 'https://api.kraken.com',
      path: `/0/public/Ticker?pair=${krakenPairs.map(({ ask }) => ask).join(',')}`,
      read(answer, askedAt) {
        const { error, result } = requireObject(answer, 'the answer');
        // A warning (W...) stands beside the prices, an error (E...) in their place.
        const faults = requireArray(error, 'error').filter((one) => !String(one).startsWith('W'));
        if (faults.length > 0) throw new Error(faults.join('; '));
        const tickers = requireObject(result, 'result');
        return krakenPairs.flatMap(({ answers, code, isInverse }) => {
          const ticker = answers.map((name) => tickers[name]).find(isJsonObject);
          const last = positiveDecimal(Array.isArray(ticker?.c) ? ticker.c[0] : undefined);
          return marketPrice(code, isInverse ? inverse(last) : last, askedAt);
        });
      },
    },
    options,
  );
}

const codeByPair = new Map(
  ['BTC', 'ETH', 'LTC', 'XLM', 'XRP', 'POL', 'USDC', 'USDT', 'DAI', 'EURC', 'EUR', 'GBP'].map(
    (code) => [`${code}/USD`, code],
  ),
);

/** Last trades of Bitstamp: GET /api/v2/ticker/, every pair with its time. */
export function createBitstampSource(options: PriceSourceOptions): PriceSource {
  return definePriceSource(
    {
      name: 'bitstamp',
      baseUrl: 'https://www.bitstamp.net',
      path: '/api/v2/ticker/',
      read(answer) {
        return requireArray(answer, 'the answer')
          .filter(isJsonObject)
          .flatMap(({ pair, last, timestamp }) => {
            const code = typeof pair === 'string' ? codeByPair.get(pair) : undefined;
            const observedAt = unixSeconds(timestamp);
            if (code === undefined || observedAt === undefined) return [];
            return marketPrice(code, positiveDecimal(last), observedAt);
          });
      },
    },
    options,
  );
}

const geminiCodes = new Map(
  ['BTC', 'ETH', 'LTC', 'XRP', 'XLM', 'POL', 'DAI'].map((code) => [`${code}USD`, code]),
);

/** Gemini: GET /v1/pricefeed, every pair; the answer tells no time. */
export function createGeminiSource(options: PriceSourceOptions): PriceSource {
  return definePriceSource(
    {
      name: 'gemini',
      baseUrl: 'https://api.gemini.com',
      path: '/v1/pricefeed',
      read(answer, askedAt) {
        return requireArray(answer, 'the answer')
          .filter(isJsonObject)
          .flatMap(({ pair, price }) => {
            const code = typeof pair === 'string' ? geminiCodes.get(pair) : undefined;
            return code === undefined ? [] : marketPrice(code, positiveDecimal(price), askedAt);
          });
      },
    },
    options,
  );
}

/**
 * Coinbase: GET /v2/exchange-rates, how many of each coin and currency a dollar is; the answer
 * tells no time. Without USDC: Coinbase redeems it at 1 and always says 1, which is no market
 * price.
 */
export function createCoinbaseSource(options: PriceSourceOptions): PriceSource {
  return definePriceSource(
    {
      name: 'coinbase',
      baseUrl: 'https://api.coinbase.com',
      path: '/v2/exchange-rates?currency=USD',
      read(answer, askedAt) {
        const data = requireObject(requireObject(answer, 'the answer').data, 'data');
        if (data.currency !== 'USD') throw new Error('rates of another currency than USD');
        const rates = requireObject(data.rates, 'rates');
        return listCurrencies()
          .filter(({ assetCode, billing }) => billing && !['USD', 'USDC'].includes(assetCode))
          .flatMap(({ assetCode }) =>
            marketPrice(assetCode, inverse(positiveDecimal(rates[assetCode])), askedAt),
          );
      },
    },
    options,
  );
}

/** Bitfinex calls Tether UST and USD Coin UDC. */
const codeBySymbol = new Map([
  ['tBTCUSD', 'BTC'],
  ['tETHUSD', 'ETH'],
  ['tLTCUSD', 'LTC'],
  ['tXLMUSD', 'XLM'],
  ['tXRPUSD', 'XRP'],
  ['tUSTUSD', 'USDT'],
  ['tUDCUSD', 'USDC'],
]);

/** Position of LAST_PRICE in a trading ticker that begins with its symbol. */
const lastPriceAt = 7;

/** Last trades of Bitfinex: GET /v2/tickers, rows without names; the answer tells no time. */
export function createBitfinexSource(options: PriceSourceOptions): PriceSource {
  return definePriceSource(
    {
      name: 'bitfinex',
      baseUrl: 'https://api-pub.bitfinex.com',
      path: `/v2/tickers?symbols=${[...codeBySymbol.keys()].join(',')}`,
      read(answer, askedAt) {
        const rows = requireArray(answer, 'the answer');
        // An error is a row too: ["error", 10020, "symbols: invalid"].
        if (rows[0] === 'error') throw new Error(String(rows[2]));
        return rows.flatMap((row) => {
          const [symbol, ...rest] = requireArray(row, 'a ticker');
          const code = typeof symbol === 'string' ? codeBySymbol.get(symbol) : undefined;
          if (code === undefined) return [];
          return marketPrice(code, positiveDecimal(rest[lastPriceAt - 1]), askedAt);
        });
      },
    },
    options,
  );
}

const coins: readonly (readonly [id: string, code: string])[] = [
  ['bitcoin', 'BTC'],
  ['ethereum', 'ETH'],
  ['litecoin', 'LTC'],
  ['stellar', 'XLM'],
  ['ripple', 'XRP'],
  ['polygon-ecosystem-token', 'POL'],
  ['usd-coin', 'USDC'],
  ['tether', 'USDT'],
  ['dai', 'DAI'],
  ['wrapped-bitcoin', 'WBTC'],
  ['euro-coin', 'EURC'],
];

const withTimesAndAllDigits = 'include_last_updated_at=true&precision=full';

const fiatCodes = listCurrencies()
  .filter(({ type, assetCode }) => type === 'FIAT' && assetCode !== 'USD')
  .map(({ assetCode }) => assetCode);

/**
 * CoinGecko's averages over many exchanges: GET /api/v3/simple/price, with times. Fiat currencies
 * come from the price of one bitcoin in dollars and in the currency, both of the same moment.
 */
export function createCoingeckoSource(options: PriceSourceOptions): PriceSource {
  const ids = coins.map(([id]) => id).join(',');
  const versus = ['USD', ...fiatCodes].join(',').toLowerCase();
  return definePriceSource(
    {
      name: 'coingecko',
      baseUrl: 'https://api.coingecko.com',
      path: `/api/v3/simple/price?ids=${ids}&vs_currencies=${versus}&${withTimesAndAllDigits}`,
      read(answer) {
        const prices = requireObject(answer, 'the answer');
        return [
          ...coins.flatMap(([id, code]) => coinPrice(code, prices[id])),
          ...fiatPrices(prices.bitcoin),
        ];
      },
    },
    options,
  );
}

function coinPrice(code: string, price: ExactJson | undefined): SourcePrice[] {
  if (!isJsonObject(price)) return [];
  const observedAt = unixSeconds(price.last_updated_at);
  return observedAt === undefined ? [] : marketPrice(code, positiveDecimal(price.usd), observedAt);
}

function fiatPrices(bitcoin: ExactJson | undefined): SourcePrice[] {
  if (!isJsonObject(bitcoin)) return [];
  const observedAt = unixSeconds(bitcoin.last_updated_at);
  if (observedAt === undefined) return [];
  const dollars = positiveDecimal(bitcoin.usd);
  return fiatCodes.flatMap((code) => {
    const usdPrice = quotient(dollars, positiveDecimal(bitcoin[code.toLowerCase()]));
    return marketPrice(code, usdPrice, observedAt);
  });
}

// Publishers that fix the rates of currencies once a day. What they say counts as observed now
// while it is their latest word; when the next one is overdue it is as old as it is, which drops
// it.

/** ExchangeRate-API, open access: GET /v6/latest/USD, about every currency. */
export function createExchangeRateApiSource(options: PriceSourceOptions): PriceSource {
  return definePriceSource(
    {
      name: 'exchangerate-api',
      baseUrl: 'https://open.er-api.com',
      path: '/v6/latest/USD',
      read(answer, askedAt) {
        const body = requireObject(answer, 'the answer');
        if (body.result !== 'success') throw new Error(`result is ${String(body.result)}`);
        if (body.base_code !== 'USD') throw new Error('rates of another currency than USD');
        const publishedAt = unixSeconds(body.time_last_update_unix);
        const nextAt = unixSeconds(body.time_next_update_unix);
        if (publishedAt === undefined || nextAt === undefined) throw new Error('tells no time');
        return dailyPrices(body.rates, publishedAt, nextAt.add({ hours: 24 }), askedAt);
      },
    },
    options,
  );
}

/** Reference rates of the European Central Bank by frankfurter.dev: GET /v1/latest. */
export function createFrankfurterSource(options: PriceSourceOptions): PriceSource {
  return definePriceSource(
    {
      name: 'ecb',
      baseUrl: 'https://api.frankfurter.dev',
      path: '/v1/latest?base=USD',
      read(answer, askedAt) {
        const body = requireObject(answer, 'the answer');
        if (body.base !== 'USD') throw new Error('rates of another currency than USD');
        if (typeof body.date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(body.date)) {
          throw new Error('tells no date');
        }
        // Published about 16:00 in Frankfurt on working days; Easter is the longest gap.
        const publishedAt = Temporal.Instant.from(`${body.date}T15:00:00Z`);
        return dailyPrices(
          body.rates,
          publishedAt,
          publishedAt.add({ hours: 5 * 24 + 3 }),
          askedAt,
        );
      },
    },
    options,
  );
}

function dailyPrices(
  rates: ExactObject[string] | undefined,
  publishedAt: Temporal.Instant,
  overdueAt: Temporal.Instant,
  askedAt: Temporal.Instant,
): SourcePrice[] {
  const isCurrent = Temporal.Instant.compare(askedAt, overdueAt) <= 0;
  const observedAt = isCurrent ? askedAt : publishedAt;
  const unitsPerUsd = requireObject(rates, 'rates');
  return fiatCodes.flatMap((code) => {
    const usdPrice = inverse(positiveDecimal(unitsPerUsd[code]));
    return usdPrice === undefined ? [] : [{ code, usdPrice, observedAt, isDaily: true }];
  });
}
