// What is done next about an invoice that the node was told to pay, and whether it may be told at
// all. Pure.

import { type InvoicePayment, PAYING_SECONDS, type PayLimits } from '#deposit/money-out.ts';
import type { StoredInvoice } from './invoice-payment.ts';

type InvoiceStep =
  | { readonly kind: 'paid'; readonly preimage: string; readonly feeUnits: bigint }
  /** The node is told to pay it, once more. */
  | { readonly kind: 'order' }
  | { readonly kind: 'wait'; readonly reason: string }
  /** It is not paid, and nobody can pay it any more. */
  | { readonly kind: 'over'; readonly reason: string };

type Seen = Pick<StoredInvoice, 'expiresAt' | 'orderedAt' | 'orders' | 'byHand'>;

/** Clocks of nodes differ, and an order may be long on its way. */
const CERTAIN_AFTER = { minutes: 5 };
/** What arrives at the last moment is refused. */
const NO_ORDER_BEFORE_END = { seconds: 30 };
const AGAIN_AFTER_SECONDS = 30;
const AGAIN_AFTER_SECONDS_MOST = 600;

/**
 * `found`: what the node says of its payment hash, asked after `now` was read. The node refuses to
 * pay what has expired; until it does, what it gave up may be tried again, here or by an order that
 * is still on its way. So only the end of the invoice ends it.
 */
export function decideInvoice(
  { expiresAt, orderedAt, orders, byHand }: Seen,
  found: InvoicePayment,
  now: Temporal.Instant,
): InvoiceStep {
  if (found.kind === 'paid') return found;
  if (byHand) return { kind: 'wait', reason: 'a person was told how to pay it' };
  if (found.kind === 'under-way') return { kind: 'wait', reason: 'the node is paying it' };
  const reason = found.reason ?? 'the node did not pay it';
  const stopped = (orderedAt ?? expiresAt).add({ seconds: PAYING_SECONDS });
  const end = later(expiresAt, stopped).add(CERTAIN_AFTER);
  if (!isBefore(now, end)) return { kind: 'over', reason };
  const again = orderedAt?.add({ seconds: secondsAfter(orders) }) ?? now;
  const lastOrder = expiresAt.subtract(NO_ORDER_BEFORE_END);
  if (isBefore(now, again) || !isBefore(now, lastOrder)) return { kind: 'wait', reason };
  return { kind: 'order' };
}

function secondsAfter(orders: number): number {
  return Math.min(AGAIN_AFTER_SECONDS * 2 ** Math.min(orders - 1, 10), AGAIN_AFTER_SECONDS_MOST);
}

/** Why the node is not told to pay so much, with the fee; undefined when it may be. */
export function decideAllowed(
  limits: PayLimits | undefined,
  units: bigint,
  orderedUnits: bigint,
): string | undefined {
  if (limits === undefined) return 'paying by itself is off (LIGHTNING_PAY)';
  if (units > limits.paymentUnits) {
    return `with the fee it may come to ${units} sat, above LIGHTNING_PAY_MOST of ${limits.paymentUnits}`;
  }
  if (orderedUnits + units > limits.dayUnits) {
    return (
      `${orderedUnits} sat were ordered in the last 24 hours, and ${units} more are above ` +
      `LIGHTNING_PAY_DAY_MOST of ${limits.dayUnits}`
    );
  }
  return undefined;
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}

function later(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return isBefore(one, other) ? other : one;
}
