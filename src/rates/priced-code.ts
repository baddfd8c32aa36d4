import { listCurrencies } from '#catalog/currency.ts';

/** What each stablecoin, and each wrapped coin, promises to be worth. */
export const PEGS: ReadonlyMap<string, string> = new Map([
  ['USDC', 'USD'],
  ['USDT', 'USD'],
  ['DAI', 'USD'],
  ['EURC', 'EUR'],
  ['WBTC', 'BTC'],
]);

/**
 * Codes that need a price: whatever may be billed or paid, without the dollar itself. What a peg
 * refers to comes before what is pegged to it.
 */
export const PRICED_CODES: readonly string[] = listCurrencies()
  .filter(({ billing, assetCode }) => billing && assetCode !== 'USD')
  .map(({ assetCode }) => assetCode)
  .toSorted((left, right) => Number(PEGS.has(left)) - Number(PEGS.has(right)));
