import { listCurrencies } from '#catalog/currency.ts';
import { type ExactJson, isJsonObject } from '#money/exact-json.ts';
import {
  definePriceSource,
  marketPrice,
  type PriceSource,
  type PriceSourceOptions,
  positiveDecimal,
  quotient,
  requireObject,
  type SourcePrice,
  unixSeconds,
} from './price-source.ts';

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
