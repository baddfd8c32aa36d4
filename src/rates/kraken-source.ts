import { isJsonObject } from '#money/exact-json.ts';
import {
  definePriceSource,
  inverse,
  marketPrice,
  type PriceSource,
  type PriceSourceOptions,
  positiveDecimal,
  requireArray,
  requireObject,
} from './price-source.ts';

type Pair = {
  readonly ask: string;
  /** Names under which it may be answered: Kraken keeps old ones. */
  readonly answers: readonly string[];
  readonly code: string;
  /** Says how many units a dollar is. */
  readonly isInverse?: true;
};

const pairs: readonly Pair[] = [
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
      path: `/0/public/Ticker?pair=${pairs.map(({ ask }) => ask).join(',')}`,
      read(answer, askedAt) {
        const { error, result } = requireObject(answer, 'the answer');
        // A warning (W...) stands beside the prices, an error (E...) in their place.
        const faults = requireArray(error, 'error').filter((one) => !String(one).startsWith('W'));
        if (faults.length > 0) throw new Error(faults.join('; '));
        const tickers = requireObject(result, 'result');
        return pairs.flatMap(({ answers, code, isInverse }) => {
          const ticker = answers.map((name) => tickers[name]).find(isJsonObject);
          const last = positiveDecimal(Array.isArray(ticker?.c) ? ticker.c[0] : undefined);
          return marketPrice(code, isInverse ? inverse(last) : last, askedAt);
        });
      },
    },
    options,
  );
}
