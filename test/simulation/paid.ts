// How much of a charge was paid, as exact fractions of what all of it costs.
import { type Exact, exact, isLess, MILLION, plus } from './exact.ts';
import type { Counted } from './oracle.ts';
import { isAfter, type Window } from './windows.ts';

/** Then its lock holds for ever, whatever becomes of prices. */
export function isPaidByEnd(
  window: Window,
  credits: readonly Counted[],
  tolerance: number,
): boolean {
  const wanted = exact(MILLION - BigInt(tolerance), MILLION);
  return credits.length > 0 && !isLess(paidByEndOf(window, credits), wanted);
}

/** Earlier money of the same way counts at the price of this window: it asked for the rest. */
function paidByEndOf(window: Window, credits: readonly Counted[]): Exact {
  const before = credits.filter(({ seenAt }) => !isAfter(seenAt, window.expiresAt));
  return sumOf(before, (one) => {
    if (one.window.key !== window.key && one.window.way === window.way) return window.arrivingUnits;
    return one.isLate ? one.requiredThen : one.window.arrivingUnits;
  });
}

/** Exact fractions, as the rule says; what has no price counts for nothing. */
export function sumOf(
  credits: readonly Counted[],
  requiredOf: (one: Counted) => bigint | undefined,
): Exact {
  return credits.reduce<Exact>((sum, one) => {
    const required = requiredOf(one);
    return required === undefined ? sum : plus(sum, exact(one.units, required));
  }, exact(0n));
}
