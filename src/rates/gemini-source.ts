import { isJsonObject } from '#money/exact-json.ts';
import {
  definePriceSource,
  marketPrice,
  type PriceSource,
  type PriceSourceOptions,
  positiveDecimal,
  requireArray,
} from './price-source.ts';

const codeByPair = new Map(
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
            const code = typeof pair === 'string' ? codeByPair.get(pair) : undefined;
            return code === undefined ? [] : marketPrice(code, positiveDecimal(price), askedAt);
          });
      },
    },
    options,
  );
}
