// Pending money of an underpaid checkout goes back to the payer, and comes back when that fails.
// Both under the lock of the checkout; the settle loop then decides it again.

import type { Tx } from '#db/db.ts';
import { requestSettlement } from '#settle/queue.ts';
import { markCreditsPending, markCreditsRefunded } from './receipt-credit-store.ts';

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
  markCreditsRefunded(tx, refund);
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: refund.checkoutId }], now);
}

export function restoreCredits(
  tx: Tx,
  refund: { readonly refundId: string; readonly checkoutId: string },
  now: Temporal.Instant,
): void {
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: refund.checkoutId }], now);
  markCreditsPending(tx, refund.refundId);
}
