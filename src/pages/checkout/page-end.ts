// When a page changes by time alone: when the price of what is due does not hold any more.
import type { CheckoutPage } from './checkout-page.ts';
import { isTimeless } from './decide-page.ts';
import { decideWords } from './decide-words.ts';
import { leftMs } from './due-panel.ts';

/**
 * Corrects the countdown of a machine that slept or whose clock is wrong. Undefined: nothing is
 * due that has an end.
 */
export function pageLeftMs(page: CheckoutPage): number | undefined {
  const { due } = decideWords(page);
  if (due === undefined || isTimeless(page.record, due.commitment)) return undefined;
  return leftMs(due.commitment, page.now);
}

/** Until the page changes by time alone, with a little to be on the other side of it. */
export function pageEndsInMs(page: CheckoutPage): number | undefined {
  const ms = pageLeftMs(page);
  return ms === undefined || ms === 0 ? undefined : ms + AFTER_END_MS;
}

const AFTER_END_MS = 20;
