// The wire form of a swap: `swap` of the endpoints, `data.swap` of its events (api-contract.md 5).
import { timestamp } from '#base/timestamp.ts';
import { getAsset } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { createRate, rateToText } from '#money/rate.ts';
import { powerOfTen } from '#money/rounding.ts';
import { rateOf, type Swap, swapStateAt } from './swap.ts';

const rateDigits = 18;

export function swapView(swap: Swap, now: Temporal.Instant) {
  const source = getAsset(swap.sourceAssetId);
  const target = getAsset(swap.targetAssetId);
  return {
    id: swap.id,
    state: swapStateAt(swap, now),
    sourceAsset: source.id,
    sourceAmount: amountToText(swap.sourceUnits, source.decimals),
    targetAsset: target.id,
    targetAmount: amountToText(swap.targetUnits, target.decimals),
    exchangeRate: rateToText(wholeRate(swap, source.decimals, target.decimals), rateDigits),
    fee: amountToText(swap.feeUnits, target.decimals),
    expirationTime: timestamp(swap.expiresAt),
    ...(swap.failure === undefined ? {} : { failure: swap.failure }),
  };
}

/** Whole target coins per whole source coin. */
function wholeRate(swap: Swap, sourceDecimals: number, targetDecimals: number) {
  const rate = rateOf(swap);
  return createRate(
    rate.numerator * powerOfTen(sourceDecimals),
    rate.denominator * powerOfTen(targetDecimals),
  );
}
