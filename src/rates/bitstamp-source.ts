import { isJsonObject } from '#money/exact-json.ts';
import {
  definePriceSource,
  marketPrice,
  type PriceSource,
  type PriceSourceOptions,
  positiveDecimal,
  requireArray,
  unixSeconds,
} from './price-source.ts';

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
