// Whether what somebody signed may be sent beside what was signed before and can still land: a pure
// function. No transfer is paid twice, and none is left behind by what takes the place of another.
import type { SignedAttempt } from './attempt.ts';

type Signing = Pick<SignedAttempt, 'transferIds' | 'spends'>;
type Rival = Pick<SignedAttempt, 'transferIds' | 'spends' | 'transaction'>;

/** Why not, in a sentence; undefined when nothing stands against it. */
export function decideRivals(signing: Signing, rivals: readonly Rival[]): string | undefined {
  for (const { transferIds, spends, transaction } of rivals) {
    const isSameMoney = spends.some((one) => signing.spends.includes(one));
    const isSamePayment = transferIds.some((one) => signing.transferIds.includes(one));
    if (isSamePayment && !isSameMoney) {
      return `${transaction} was signed for it before and can still land: both would be paid`;
    }
    const isWhole = transferIds.every((one) => signing.transferIds.includes(one));
    if (isSameMoney && !isWhole) {
      return `it spends what ${transaction} spends, which pays other transfers: draft it again`;
    }
  }
  return undefined;
}
