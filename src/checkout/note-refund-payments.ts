import type { Tx } from '#db/db.ts';
import type { CheckoutRecord } from './checkout.ts';
import type { CheckoutRefund } from './checkout-refund.ts';
import { updateRefundPayment } from './checkout-refund-store.ts';
import { decideRefundPayment } from './decide-refund-payment.ts';

/** The refunds of a checkout, each with what became of the payment that it gives back. */
export function refundsAfter(record: CheckoutRecord): CheckoutRefund[] {
  return record.refunds.map((refund) => {
    if (refund.state === 'FAILED') return refund;
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
    if (payment !== record.refunds[index]?.payment) updateRefundPayment(tx, id, payment, now);
  });
  return after;
}
