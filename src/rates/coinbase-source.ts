import { listCurrencies } from '#catalog/currency.ts';
import {
  definePriceSource,
  inverse,
  marketPrice,
  type PriceSource,
  type PriceSourceOptions,
  positiveDecimal,
  requireObject,
} from './price-source.ts';

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
