// Quotes a conversion of the merchant's balance for 60 seconds. Nothing is moved or reserved.

import type { Caller } from '#access/caller.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Asset, getAsset, requireTolerated } from '#catalog/asset.ts';
import type { Db } from '#db/db.ts';
import { type PriceFacts, rateMissing } from '#rates/exchange-rate.ts';
import { currentRate } from '#rates/quote.ts';
import type { RateBook } from '#rates/rate-book.ts';
import { type ExposureApp, openCover, requireExchange } from '#treasury/exposure.ts';
import { quoteSwap } from './quote-swap.ts';
import { conversionOf, SWAP, SWAP_QUOTE_SECONDS, type Swap } from './swap.ts';

export type CreateSwapApp = ExposureApp &
  PriceFacts & {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly rates: RateBook;
  };

export type SwapRequest = {
  readonly sourceAssetId: string;
  readonly targetAssetId: string;
  /** The side that is fixed: exactly so much is given, or received after the fee. */
  readonly fixed: { readonly sourceUnits: bigint } | { readonly targetUnits: bigint };
};

/**
 * @throws Refusal invalid `amount_too_small`; conflict `conversion_not_covered`; unavailable
 * `rate_missing`, `prices_not_configured`, `exchange_missing`.
 */
export async function createSwap(
  app: CreateSwapApp,
  caller: Pick<Caller, 'merchantId' | 'environment' | 'feePartsPerMillion' | 'riskTolerance'> & {
    /** Undefined where nobody asks but a rule of the operator. */
    readonly apiKey: string | undefined;
    /** A person, as the trail names him. */
    readonly maker?: string | undefined;
  },
  { sourceAssetId, targetAssetId, fixed }: SwapRequest,
): Promise<Swap> {
  const { environment, merchantId, apiKey, maker, feePartsPerMillion } = caller;
  requireExchange(app, environment);
  requireTolerated('targetAsset', getAsset(targetAssetId), caller.riskTolerance);
  const now = app.clock.now();
  const assets = { fromAssetId: sourceAssetId, toAssetId: targetAssetId };
  const found = currentRate({ environment, ...assets, book: app.rates, now });
  if (found === undefined) {
    throw rateMissing(app, environment, missingCode(app.rates, caller, assets, now));
  }
  const amounts = quoteSwap({ rate: found.rate, feePartsPerMillion, ...fixed });
  if (amounts === undefined) {
    const message = `nothing of ${getAsset(targetAssetId).assetCode} would be received for it`;
    throw new Refusal('invalid', 'amount_too_small', message);
  }
  const swap: Swap = {
    id: newId(app.random),
    merchantId,
    environment,
    state: 'QUOTED',
    sourceAssetId,
    targetAssetId,
    ...amounts,
    rates: ratesText(found),
    failure: undefined,
    apiKey,
    maker,
    createdAt: now,
    expiresAt: now.add({ seconds: SWAP_QUOTE_SECONDS }),
  };
  const cover = await openCover(app, app.db, caller, now);
  const reason = cover.reasonAgainst(conversionOf(swap));
  if (reason !== undefined) throw new Refusal('conflict', 'conversion_not_covered', reason);
  await app.db.single((tx) => tx.query(SWAP.insert([swap])));
  return swap;
}

function missingCode(
  book: RateBook,
  { environment }: Pick<Caller, 'environment'>,
  { fromAssetId, toAssetId }: { readonly fromAssetId: string; readonly toAssetId: string },
  now: Temporal.Instant,
): string {
  const codes = [fromAssetId, toAssetId].map(getAsset).map(({ assetCode }: Asset) => assetCode);
  const missing = codes.find((code) => book.price(environment, code, now) === undefined);
  return missing ?? codes.join('/');
}

/** Integers as text: JSON numbers are not exact everywhere. */
function ratesText(found: NonNullable<ReturnType<typeof currentRate>>): string {
  return JSON.stringify({
    numerator: String(found.rate.numerator),
    denominator: String(found.rate.denominator),
    rateIds: found.rateIds.map(String),
  });
}
