// What left us proves whether something that was signed can still land: a pure function.
import type { RecordedDeparture } from '#chain/departure.ts';
import type { SignedAttempt } from './attempt.ts';

type Seen = Pick<RecordedDeparture, 'transaction' | 'spends' | 'isFinal' | 'bookedAt' | 'parts'>;

/** Whether what left proves that it is over; undefined when it says nothing. */
export function decideSeen(
  { kind, transaction }: Pick<SignedAttempt, 'kind' | 'transaction'>,
  seen: readonly Seen[],
): boolean | undefined {
  // What owners signed is carried out by a transaction of somebody's, which names it.
  const landed = seen.find(
    (one) => one.transaction === transaction || one.spends.includes(transaction),
  );
  // One that failed has cost its fee and paid nobody; one that cancels was to pay nobody.
  if (landed !== undefined) {
    return landed.isFinal && (kind !== 'PAY' || landed.parts.length === 0);
  }
  const final = seen.filter(({ isFinal }) => isFinal);
  return final.length === 0 ? undefined : final.some(isKnown);
}

/** Until it is, what took the place of the other may be the same payment, sent by a wallet. */
function isKnown({ bookedAt, parts }: Seen): boolean {
  return bookedAt !== undefined || parts.every(({ purpose }) => purpose !== undefined);
}
