// The worst price at which the signer converts, pair by pair, from its own file: [[convert]].
// Whoever owns the service could else sell to himself at any price. A pair that is not in the file
// is not converted. Pure.

import { z } from 'zod';
import { findAsset, getAsset } from '#catalog/asset.ts';
import { ENVIRONMENTS, type Environment } from '#catalog/chain.ts';
import { amountToText } from '#money/asset-amount.ts';
import { type Decimal, decimalToText, isZero, parseWideDecimal } from '#money/decimal.ts';
import type { ReviewedOrder } from './open-key.ts';
import type { SignOrder } from './sign-order.ts';

const PRICE = z.string().regex(/^\d{1,30}(?:\.\d{1,30})?$/, 'must be a price in quotes: "0.095"');

export const CONVERT = z.strictObject({
  environment: z.enum(ENVIRONMENTS),
  give: z.string(),
  get: z.string(),
  least_price: PRICE,
});

/** So much of the other for one, in whole coins; undefined where the pair is not in the file. */
export type FindLeastPrice = (
  environment: Environment,
  giveAssetId: string,
  getAssetId: string,
) => Decimal | undefined;

/** `faults`: a sentence is added for each mistake. */
export function leastPricesOf(
  list: readonly z.infer<typeof CONVERT>[],
  faults: string[],
): FindLeastPrice {
  const prices = new Map<string, Decimal>();
  for (const [at, { environment, give, get, least_price: text }] of list.entries()) {
    const path = `convert[${at}]`;
    const key = `${environment} ${give} ${get}`;
    if (prices.has(key)) faults.push(`${path}: there are two prices for ${key}`);
    for (const [name, assetId] of Object.entries({ give, get })) {
      if (findAsset(assetId) === undefined) faults.push(`${path}.${name}: no asset ${assetId}`);
    }
    if (give === get) faults.push(`${path}: it gives what it gets`);
    const price = parseWideDecimal(text);
    if (isZero(price)) faults.push(`${path}.least_price: must be above zero`);
    prices.set(key, price);
  }
  return (environment, give, get) => prices.get(`${environment} ${give} ${get}`);
}

/**
 * A sentence for what is wrong with the price of what the transaction really does; also for a
 * conversion by whose transaction nothing is bought, and the reverse.
 */
export function againstPrice(
  { kind, environment, payments }: Pick<SignOrder, 'kind' | 'environment' | 'payments'>,
  { buys }: Pick<ReviewedOrder, 'buys'>,
  findLeastPrice: FindLeastPrice,
): string[] {
  if ((kind === 'CONVERT') !== (buys !== undefined)) {
    return ['what is converted (CONVERT) buys something, and nothing else does'];
  }
  if (buys === undefined) return [];
  const [given, ...more] = payments;
  if (given === undefined || more.length > 0) return ['it gives more than one asset'];
  const { assetId: give, units } = given;
  const price = findLeastPrice(environment, give, buys.assetId);
  if (price === undefined) {
    return [`there is no [[convert]] that gives ${give} and gets ${buys.assetId} (${environment})`];
  }
  const [giving, getting] = [getAsset(give), getAsset(buys.assetId)];
  // Without a division, so that nothing is rounded: the least per given is held against the price.
  const wanted = units * price.coefficient * 10n ** BigInt(getting.decimals);
  const offered = buys.leastUnits * 10n ** BigInt(price.scale + giving.decimals);
  if (offered >= wanted) return [];
  const gives = `${amountToText(units, giving.decimals)} ${giving.assetCode}`;
  const gets = `${amountToText(buys.leastUnits, getting.decimals)} ${getting.assetCode}`;
  return [
    `it gives ${gives} for at least ${gets}; the least price of the signer is ` +
      `${decimalToText(price)} ${getting.assetCode} for one ${giving.assetCode}`,
  ];
}
