// Which fee rate is paid, of what a node estimates. A node's estimate is hostile input like all it
// says: too low and nothing is relayed, too high and the money goes to miners.

type FeeRateBounds = {
  /** What the node relays now: the higher of its minimum and that of its full mempool. */
  readonly leastRate: bigint;
  /** What the operator pays at most. */
  readonly mostRate: bigint;
};

export type BoundedFeeRate =
  /** `bound`: which one replaced the estimate, so that a person can be told. */
  | { readonly rate: bigint; readonly bound: 'none' | 'least' | 'most' }
  /** The node has no estimate, as after a start or on a test chain. */
  | { readonly refused: 'no-estimate' }
  /** Not even the least that is relayed is within what the operator pays. */
  | { readonly refused: 'above-most' };

/** Rates are units for 1,000 virtual bytes. */
export function boundFeeRate(
  estimatedRate: bigint | undefined,
  { leastRate, mostRate }: FeeRateBounds,
): BoundedFeeRate {
  if (leastRate > mostRate) return { refused: 'above-most' };
  if (estimatedRate === undefined) return { refused: 'no-estimate' };
  if (estimatedRate < leastRate) return { rate: leastRate, bound: 'least' };
  if (estimatedRate > mostRate) return { rate: mostRate, bound: 'most' };
  return { rate: estimatedRate, bound: 'none' };
}
