// What a transaction on an EVM chain offers for its gas (EIP-1559), decided from what the last
// blocks took. Outcomes, never failures: where sending now would cost more than the operator
// allows, the payment waits. All in wei for each gas. Pure.

export type EvmFeeCaps = {
  /** Most of base fee and tip together. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
};

type FeeCapsDecision = EvmFeeCaps | { readonly tooDear: string };

export type FeeBounds = {
  readonly leastPriorityFeePerGas: bigint;
  readonly mostPriorityFeePerGas: bigint;
  readonly mostFeePerGas: bigint;
};

export type FeesSeen = {
  /** Of the next block, the last that `eth_feeHistory` gives. */
  readonly baseFeePerGas: bigint;
  /** What included transactions gave, in any order. */
  readonly tips: readonly bigint[];
};

/**
 * The tip is the median of those seen, within its bounds. Twice the base fee is enough for six full
 * blocks in a row, each of which raises it by an eighth.
 */
export function decideFeeCaps(seen: FeesSeen, bounds: FeeBounds): FeeCapsDecision {
  const maxPriorityFeePerGas = within(bounds, medianOf(seen.tips));
  const needed = seen.baseFeePerGas + maxPriorityFeePerGas;
  if (needed > bounds.mostFeePerGas) return tooDear(needed, bounds);
  const wished = seen.baseFeePerGas * 2n + maxPriorityFeePerGas;
  return { maxPriorityFeePerGas, maxFeePerGas: least(wished, bounds.mostFeePerGas) };
}

/**
 * Of a transaction with the same nonce in the place of another: nodes take it when both caps are at
 * least a tenth higher (geth `--txpool.pricebump`, and others the same), and never for less.
 */
export function decideReplacementCaps(
  replaced: EvmFeeCaps,
  seen: FeesSeen,
  bounds: FeeBounds,
): FeeCapsDecision {
  const maxPriorityFeePerGas = most(
    raised(replaced.maxPriorityFeePerGas),
    within(bounds, medianOf(seen.tips)),
  );
  const needed = most(raised(replaced.maxFeePerGas), seen.baseFeePerGas + maxPriorityFeePerGas);
  if (needed > bounds.mostFeePerGas || maxPriorityFeePerGas > bounds.mostPriorityFeePerGas) {
    return tooDear(needed, bounds);
  }
  const wished = most(needed, seen.baseFeePerGas * 2n + maxPriorityFeePerGas);
  return { maxPriorityFeePerGas, maxFeePerGas: least(wished, bounds.mostFeePerGas) };
}

/** A tenth more, rounded up, and more in any case. */
function raised(cap: bigint): bigint {
  return most((cap * 11n + 9n) / 10n, cap + 1n);
}

function within(bounds: FeeBounds, tip: bigint): bigint {
  return least(most(tip, bounds.leastPriorityFeePerGas), bounds.mostPriorityFeePerGas);
}

/** The lower one of two in the middle; zero of none. */
function medianOf(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return sorted[(sorted.length - 1) >> 1] ?? 0n;
}

function tooDear(needed: bigint, { mostFeePerGas, mostPriorityFeePerGas }: FeeBounds) {
  return {
    tooDear:
      `being included takes up to ${needed} wei for each gas; allowed are ${mostFeePerGas}, of ` +
      `which ${mostPriorityFeePerGas} as a tip`,
  };
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
