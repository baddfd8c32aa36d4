// What becomes of the payments that refunds give back, as their checkout is settled.

import type { CheckoutRecord } from '#checkout/checkout.ts';
import { type CheckoutRefund, isUndone, writeRefundPayment } from '#checkout/checkout-refund.ts';
import type { Tx } from '#db/db.ts';
import { decideRefundPayment } from './decide-refund-payment.ts';

/** The refunds of a checkout, each with what became of the payment that it gives back. */
export function refundsAfter(record: CheckoutRecord): CheckoutRefund[] {
  return record.refunds.map((refund) => {
    if (isUndone(refund)) return refund;
    return { ...refund, payment: decideRefundPayment(record, refund) };
  });
}

/** Under the lock of the checkout; the refunds as they are afterwards. */
export function noteRefundPayments(
  tx: Tx,
  record: CheckoutRecord,
  now: Temporal.Instant,
): CheckoutRefund[] {
  const after = refundsAfter(record);
  after.forEach(({ id, payment }, index) => {
    if (payment !== record.refunds[index]?.payment) writeRefundPayment(tx, id, payment, now);
  });
  return after;
}
