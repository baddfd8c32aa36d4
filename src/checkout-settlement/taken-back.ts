// What of the money of a checkout the chain took back, and what came in its place: the same payment
// in another block, or another one. A pure function of its credits.

import type {} from '#checkout/checkout.ts';
import type { Credit } from '#checkout/credit.ts';

export type TakenBack = {
  readonly assetId: string;
  /** Credited, taken back, and not replaced by anything since. */
  readonly missingUnits: bigint;
  readonly reversedAt: Temporal.Instant;
  /** What came in its place since then. */
  readonly restoredUnits: bigint;
  readonly restoredAt: Temporal.Instant | undefined;
  /** Credits that took the place of what was missing. */
  readonly restoring: readonly Credit[];
};

/** Of the asset that was taken back last; undefined when nothing ever was. */
export function takenBackOf(credits: readonly Credit[]): TakenBack | undefined {
  const last = credits
    .filter(({ account, reversedAt }) => account !== 'suspense' && reversedAt !== undefined)
    .sort((a, b) => Temporal.Instant.compare(a.reversedAt!, b.reversedAt!))
    .at(-1);
  if (last === undefined) return undefined;
  const { assetId } = last;
  let missingUnits = 0n;
  let restoredUnits = 0n;
  let restoredAt: Temporal.Instant | undefined;
  const restoring: Credit[] = [];
  for (const { credit, at, isReversal } of stepsOf(credits, assetId)) {
    if (isReversal) {
      missingUnits += credit.units;
      restoredUnits = 0n;
      restoredAt = undefined;
    } else if (missingUnits > 0n) {
      const back = credit.units < missingUnits ? credit.units : missingUnits;
      missingUnits -= back;
      restoredUnits += back;
      restoredAt = at;
      restoring.push(credit);
    }
  }
  const reversedAt = last.reversedAt!;
  return { assetId, missingUnits, reversedAt, restoredUnits, restoredAt, restoring };
}

type Step = {
  readonly credit: Credit;
  readonly at: Temporal.Instant;
  readonly isReversal: boolean;
};

function stepsOf(credits: readonly Credit[], assetId: string): Step[] {
  return credits
    .filter((credit) => credit.assetId === assetId && credit.account !== 'suspense')
    .flatMap((credit): Step[] => {
      const credited = { credit, at: credit.creditedAt, isReversal: false };
      const at = credit.reversedAt;
      return at === undefined ? [credited] : [credited, { credit, at, isReversal: true }];
    })
    .sort((a, b) => Temporal.Instant.compare(a.at, b.at) || rankOf(a) - rankOf(b));
}

/** Of one moment: nothing is taken back before it came; what is taken back goes before others. */
function rankOf({ credit, at, isReversal }: Step): number {
  if (isReversal) return 1;
  return credit.reversedAt?.equals(at) === true ? 0 : 2;
}
