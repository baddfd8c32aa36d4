import {
  definePriceSource,
  marketPrice,
  type PriceSource,
  type PriceSourceOptions,
  positiveDecimal,
  requireArray,
} from './price-source.ts';

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
