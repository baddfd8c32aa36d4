// Whether the payment that a refund gives back still stands. A pure function of the facts of its
// checkout: it is asked at each settlement, and again under the lock before anything is sent.
//
// Guarantees: what is refunded in one asset on one network never comes to more than what stands of
// it; who was sent, or asked for, first goes before.

import { hasLiveCredit } from '#chain/receipt.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { type CheckoutRefund, isUndone, type RefundPayment } from '#checkout/checkout-refund.ts';
import type { Credit } from '#checkout/credit.ts';

export function decideRefundPayment(record: CheckoutRecord, refund: CheckoutRefund): RefundPayment {
  const isPart = refund.context === 'UNDERPAID_CHECKOUT';
  return isPart ? paymentOfPart(record, refund) : paymentOfCompleted(record, refund);
}

/** Set when the payments are exactly those that are on their way back, all of them. */
function paymentOfPart(record: CheckoutRecord, refund: CheckoutRefund): RefundPayment {
  const credits = record.credits.filter(({ refundId }) => refundId === refund.id);
  const receiptIds = new Set(credits.map(({ receiptId }) => receiptId));
  const live = credits.filter(({ reversedAt }) => reversedAt === undefined);
  if (live.length < receiptIds.size) return 'TAKEN_BACK';
  return live.every((credit) => isFinal(record, credit)) ? 'STANDING' : 'UNCERTAIN';
}

function paymentOfCompleted(record: CheckoutRecord, refund: CheckoutRefund): RefundPayment {
  const isSameWay = (one: { readonly network: string; readonly assetId: string }) =>
    one.network === refund.network && one.assetId === refund.assetId;
  const live = record.credits
    .filter(isSameWay)
    .filter((credit) => credit.reversedAt === undefined && isEarned(credit));
  const needed = record.refunds
    .filter((other) => isSameWay(other) && other.context !== 'UNDERPAID_CHECKOUT')
    .filter((other) => !isUndone(other))
    .filter((other) => other.id === refund.id || isBefore(other, refund))
    .reduce((sum, other) => sum + other.units, 0n);
  if (sumOf(live) < needed) return 'TAKEN_BACK';
  const final = live.filter((credit) => isFinal(record, credit));
  return sumOf(final) < needed ? 'UNCERTAIN' : 'STANDING';
}

/**
 * A refund that was signed is sent in any case and comes first; the others follow in the order in
 * which they were asked for.
 */
function isBefore(other: CheckoutRefund, refund: CheckoutRefund): boolean {
  const isSent = other.transaction !== undefined;
  if (isSent !== (refund.transaction !== undefined)) return isSent;
  const order = Temporal.Instant.compare(other.createdAt, refund.createdAt);
  return order < 0 || (order === 0 && other.id < refund.id);
}

function isEarned(credit: Credit): boolean {
  return credit.account === 'available' || credit.releasedAt !== undefined;
}

function isFinal(record: CheckoutRecord, credit: Credit): boolean {
  return record.receipts.some(
    (receipt) =>
      receipt.id === credit.receiptId &&
      receipt.generation === credit.generation &&
      receipt.status === 'FINAL' &&
      hasLiveCredit(receipt),
  );
}

function sumOf(credits: readonly Credit[]): bigint {
  return credits.reduce((sum, credit) => sum + credit.units, 0n);
}
