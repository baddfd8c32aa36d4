// What becomes of the reserved network fee when the payer says where a refund goes. Pure. It was
// quoted when the refund was made, up to 90 days before.
//
// Guarantees: without a word of the merchant no more than three times of what he was shown is taken
// for the network, and never more than he has; what the payer gets stays the same.

/** So many times of what was reserved the network may take at the claim. */
const FEE_MOST_TIMES = 3n;

type ClaimFee = {
  /** As it was reserved with the refund. */
  readonly reservedUnits: bigint;
  /** What the network takes now; undefined: nobody knows. */
  readonly askedUnits: bigint | undefined;
  /** False where it goes out of the payment itself: there is nothing to take more from. */
  readonly isOnTop: boolean;
};

type ClaimFeeDecision =
  /** Reserved is what it takes now: so much more than before, or less. */
  | { readonly kind: 'follow'; readonly moreUnits: bigint }
  | { readonly kind: 'keep' }
  /** It would take more than anybody agreed to. */
  | { readonly kind: 'too-dear' };

export function decideClaimFee({
  reservedUnits,
  askedUnits = reservedUnits,
  isOnTop,
}: ClaimFee): ClaimFeeDecision {
  if (askedUnits > reservedUnits * FEE_MOST_TIMES) return { kind: 'too-dear' };
  if (!isOnTop || askedUnits === reservedUnits) return { kind: 'keep' };
  return { kind: 'follow', moreUnits: askedUnits - reservedUnits };
}
