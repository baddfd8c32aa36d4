// Pending money of an underpaid checkout goes back to the payer, and comes back when that fails.
// Both under the lock of the checkout; the settle loop then decides it again.

import { sql, type Tx } from '#db/db.ts';
import { requestSettlement } from '#settle/queue.ts';

/** Pending money of one way of paying no longer pays the checkout. */
export function refundCredits(
  tx: Tx,
  refund: {
    readonly refundId: string;
    readonly checkoutId: string;
    readonly network: string;
    readonly assetId: string;
  },
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update receipt_credit set account = 'refunded', refund_id = ${refund.refundId}
    where checkout_id = ${refund.checkoutId} and network = ${refund.network}
      and asset_id = ${refund.assetId} and account = 'pending' and released_at is null
      and reversed_at is null`);
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: refund.checkoutId }], now);
}

/** The refund failed: the money pays the checkout again. */
export function restoreCredits(
  tx: Tx,
  refund: { readonly refundId: string; readonly checkoutId: string },
  now: Temporal.Instant,
): void {
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: refund.checkoutId }], now);
  tx.send(sql`
    update receipt_credit set account = 'pending', refund_id = null
    where refund_id = ${refund.refundId}`);
}
