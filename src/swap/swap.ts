import type { Environment } from '#catalog/chain.ts';
import type { Rate } from '#money/rate.ts';
import type { Conversion } from '#rates/exposure.ts';

export const SWAP_STATES = ['QUOTED', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;
export type SwapState = (typeof SWAP_STATES)[number];

/** wire.md section 5. */
export const SWAP_QUOTE_SECONDS = 60;

/** A conversion of a merchant's balance at a fixed quote. */
export type Swap = {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** As stored; a quote whose time is over is EXPIRED whatever this says: see `swapStateAt`. */
  readonly state: SwapState;
  readonly sourceAssetId: string;
  readonly sourceUnits: bigint;
  readonly targetAssetId: string;
  /** After the fee. */
  readonly targetUnits: bigint;
  /** In the target asset. */
  readonly feeUnits: bigint;
  /** Target units per source unit, before the fee. */
  readonly rate: Rate;
  /** JSON text: the rate and the rows of the table `rate` it was made of. */
  readonly rates: string;
  readonly failure: string | undefined;
  readonly apiKey: string | undefined;
  readonly createdAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
};

/** Nobody writes a row because time passes. */
export function swapStateAt(swap: Swap, now: Temporal.Instant): SwapState {
  const isOver = Temporal.Instant.compare(now, swap.expiresAt) >= 0;
  return swap.state === 'QUOTED' && isOver ? 'EXPIRED' : swap.state;
}

/** What a swap converts, gross. */
export function conversionOf(
  swap: Pick<Swap, 'sourceAssetId' | 'sourceUnits' | 'targetAssetId' | 'targetUnits' | 'feeUnits'>,
): Conversion {
  return {
    from: { assetId: swap.sourceAssetId, units: swap.sourceUnits },
    to: { assetId: swap.targetAssetId, units: swap.targetUnits + swap.feeUnits },
  };
}
