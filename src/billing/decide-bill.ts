// How a bill stands, by what its checkouts say now, and where whoever wants to pay it is led. Pure.
// A payment that the network took back pays nothing; money under way is not asked for again.

import { isBefore } from '#base/instant.ts';
import type { CheckoutFlags, CheckoutState } from '#checkout/checkout.ts';
import type { Bill } from './bill.ts';

export type BillState = Bill['state'] | 'PAID';

/** A checkout that was opened to pay it, in the order in which they were. */
export type BillCheckout = {
  readonly checkoutId: string;
  readonly state: CheckoutState;
  readonly flags: Pick<CheckoutFlags, 'reversed'>;
  /** Until then its amounts hold. */
  readonly quotedUntil: Temporal.Instant;
  readonly completedAt: Temporal.Instant | undefined;
};

export type BillStanding = {
  readonly state: BillState;
  /** Checkouts that have paid it, the first before the others: more than one is too much. */
  readonly paidBy: readonly string[];
  readonly paidAt: Temporal.Instant | undefined;
  /** Money of one of them was seen and is not all there, or not confirmed. */
  readonly isUnderWay: boolean;
  readonly isOverdue: boolean;
  /**
   * The checkout that whoever pays is led to: the one that has seen money, or whose price still
   * holds; `new`: one that is opened for it; undefined: there is nothing to pay.
   */
  readonly payBy: string | 'new' | undefined;
};

export function decideBill(
  { kind, state, dueOn }: Pick<Bill, 'kind' | 'state' | 'dueOn'>,
  checkouts: readonly BillCheckout[],
  now: Temporal.Instant,
): BillStanding {
  const paid = checkouts
    .filter((one) => one.state === 'COMPLETED' && one.flags.reversed === undefined)
    .toSorted((one, other) => at(one) - at(other));
  const underWay = checkouts.find((one) => one.state === 'PENDING' || one.state === 'UNDERPAID');
  const isOpen = kind === 'INVOICE' && state === 'ISSUED' && paid.length === 0;
  const offered = checkouts.findLast(
    (one) =>
      (one.state === 'NEW' || one.state === 'AWAITING_PAYMENT') && isBefore(now, one.quotedUntil),
  );
  const today = now.toZonedDateTimeISO('UTC').toPlainDate().toString();
  return {
    state: state === 'ISSUED' && kind === 'INVOICE' && paid.length > 0 ? 'PAID' : state,
    paidBy: paid.map(({ checkoutId }) => checkoutId),
    paidAt: paid[0]?.completedAt,
    isUnderWay: underWay !== undefined,
    isOverdue: isOpen && dueOn !== undefined && dueOn < today,
    payBy: isOpen ? ((underWay ?? offered)?.checkoutId ?? 'new') : undefined,
  };
}

function at({ completedAt }: BillCheckout): number {
  return completedAt?.epochMilliseconds ?? 0;
}
