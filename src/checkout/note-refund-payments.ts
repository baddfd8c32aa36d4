import type { Tx } from '#db/db.ts';
import type { CheckoutRecord } from './checkout.ts';
import type { CheckoutRefund } from './checkout-refund.ts';
import { updateRefundPayment } from './checkout-refund-store.ts';
import { decideRefundPayment } from './decide-refund-payment.ts';

/** Under the lock of the checkout; the refunds as they are afterwards. */
export function noteRefundPayments(
  tx: Tx,
  record: CheckoutRecord,
  now: Temporal.Instant,
): CheckoutRefund[] {
  return record.refunds.map((refund) => {
    if (refund.state === 'FAILED') return refund;
    const payment = decideRefundPayment(record, refund);
    if (payment !== refund.payment) updateRefundPayment(tx, refund.id, payment, now);
    return { ...refund, payment };
  });
}
