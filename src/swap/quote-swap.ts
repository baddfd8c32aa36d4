// What a swap gives and takes. Pure. Guarantees: one rounding per amount, what is given up, what is
// received down, so that a swap there and back never gains and parts never beat the whole
// (docs/money.md, Units and rounding); the fee is the difference, in the target asset.
import { assert } from '#base/assert.ts';
import { UNITS_MAX } from '#money/asset-amount.ts';
import { convertUnits, divideUnits, type Rate } from '#money/rate.ts';

type SwapAmounts = {
  readonly sourceUnits: bigint;
  /** What the merchant gets: after the fee. */
  readonly targetUnits: bigint;
  readonly feeUnits: bigint;
};

type SwapQuoteRequest = {
  /** Target units per source unit. */
  readonly rate: Rate;
  /** Below a million: somebody who pays everything as a fee gets nothing. */
  readonly feePartsPerMillion: number;
} & ({ readonly sourceUnits: bigint } | { readonly targetUnits: bigint });

const million = 1_000_000n;

/** Undefined when nothing would be left to receive, or the amounts are beyond every limit. */
export function quoteSwap(request: SwapQuoteRequest): SwapAmounts | undefined {
  const { rate, feePartsPerMillion } = request;
  const kept = million - BigInt(feePartsPerMillion);
  assert(kept >= 0n && kept <= million, `not parts: ${feePartsPerMillion}`);
  if (kept === 0n) return undefined;
  const above = rate.numerator * kept;
  const below = rate.denominator * million;
  const sourceUnits =
    'sourceUnits' in request
      ? request.sourceUnits
      : divideUnits(request.targetUnits * below, above, 'up');
  const targetUnits =
    'targetUnits' in request
      ? request.targetUnits
      : divideUnits(request.sourceUnits * above, below, 'down');
  if (sourceUnits <= 0n || targetUnits <= 0n) return undefined;
  const grossUnits = convertUnits(sourceUnits, rate, 'down');
  if (sourceUnits > UNITS_MAX || grossUnits > UNITS_MAX) return undefined;
  return { sourceUnits, targetUnits, feeUnits: grossUnits - targetUnits };
}
