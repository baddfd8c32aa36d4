// What whoever sends transfers has to know of refunds. What a refund gives back may be taken back
// while the payer has not claimed it, or while it waits to be sent: it is looked at under the lock
// of its checkout, which is taken before the transfer's. A refund ends with the transfer that
// carries it, in its transaction.
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import type { Owner } from '#catalog/owner.ts';
import type { RefundPayment } from '#checkout/checkout-refund.ts';
import { refundCredits, restoreCredits } from '#checkout/credit.ts';
import { lockCheckout, type ReadRecordsApp } from '#checkout/find-checkout.ts';
import { noteRefundPayments } from '#checkout-settlement/settle-checkout.ts';
import { sql, type Tx } from '#db/db.ts';
import type { SendingVerdict } from '#transfer/conclude-transfer.ts';
import type { RunTransfersApp } from '#transfer/run-transfers.ts';
import type { Transfer } from '#transfer/transfer.ts';
import { isRefundable } from './decide-refund.ts';
import {
  completedRefundView,
  failedRefundView,
  findRefundOfTransfer,
  type Refund,
  tellRefund,
} from './refund.ts';

export function refundsOf(app: ConcludeRefundApp & HoldRefundApp): RunTransfersApp['refunds'] {
  return {
    hold: (tx, transfer) => holdRefund(app, tx, transfer),
    concluded: (tx, transfer) => concludeRefund(app, tx, transfer),
    reopened: (tx, transfer) => reopenRefund(app, tx, transfer),
    heldAgain: (tx, transfer) => holdFailedRefund(app, tx, transfer),
  };
}

export type HoldRefundApp = ReadRecordsApp & { readonly clock: Clock };

export async function holdRefundPayment(
  app: HoldRefundApp,
  tx: Tx,
  refund: Owner & { readonly id: string; readonly checkoutId: string },
): Promise<RefundPayment> {
  const record = await lockCheckout(app, tx, refund, refund.checkoutId);
  assert(record !== undefined, 'a refund is of a checkout');
  const noted = noteRefundPayments(tx, record, app.clock.now());
  const found = noted.find(({ id }) => id === refund.id);
  assert(found !== undefined, 'a checkout knows its refunds');
  return found.payment;
}

/** Whether the transfer of a refund may be sent. */
async function holdRefund(app: HoldRefundApp, tx: Tx, transfer: Transfer): Promise<SendingVerdict> {
  const refund = await findRefundOfTransfer(tx, transfer.id);
  assert(refund !== undefined, `transfer ${transfer.id} carries a refund`);
  switch (await holdRefundPayment(app, tx, refund)) {
    case 'STANDING':
      return { kind: 'send' };
    case 'UNCERTAIN':
      return { kind: 'wait', reason: 'the payment that is refunded is not certain now' };
    case 'TAKEN_BACK':
      return {
        kind: 'never',
        reason: 'the network took back the payment that was to be refunded',
      };
  }
}

type ConcludeRefundApp = { readonly clock: Clock; readonly random: Random };

async function concludeRefund(app: ConcludeRefundApp, tx: Tx, transfer: Transfer): Promise<void> {
  const refund = await findRefundOfTransfer(tx, transfer.id);
  assert(refund !== undefined, `transfer ${transfer.id} carries a refund`);
  const now = app.clock.now();
  const isDone = transfer.state === 'COMPLETED';
  tx.send(sql`
    update refund set state = ${isDone ? 'COMPLETED' : 'FAILED'}, finished_at = ${now}
    where id = ${refund.id}`);
  if (isDone) {
    tellRefund(app, tx, refund, 'REFUND_COMPLETED', completedRefundView(refund));
    return;
  }
  tellRefund(app, tx, refund, 'REFUND_FAILED', failedRefundView(refund, transfer.failure));
  if (refund.context === 'UNDERPAID_CHECKOUT') {
    restoreCredits(tx, { refundId: refund.id, checkoutId: refund.checkoutId }, now);
  }
}

/**
 * One that failed may land all the same: what it gives back is taken for it again, unless other
 * refunds, or the checkout, have it since.
 */
async function holdFailedRefund(
  app: ConcludeRefundApp & HoldRefundApp,
  tx: Tx,
  transfer: Transfer,
): Promise<boolean> {
  const refund = await findRefundOfTransfer(tx, transfer.id);
  assert(refund !== undefined, `transfer ${transfer.id} carries a refund`);
  const record = await lockCheckout(app, tx, refund, refund.checkoutId);
  assert(record !== undefined, 'a refund is of a checkout');
  if (!isRefundable(record, refund, transfer.units)) return false;
  if (refund.context === 'UNDERPAID_CHECKOUT') {
    refundCredits(tx, { ...refund, refundId: refund.id }, app.clock.now());
  }
  return true;
}

/** What had ended it is in no block any more. It pays for its checkout as little as before. */
async function reopenRefund(app: ConcludeRefundApp, tx: Tx, transfer: Transfer): Promise<void> {
  const refund = await findRefundOfTransfer(tx, transfer.id);
  assert(refund !== undefined, `transfer ${transfer.id} carries a refund`);
  tx.send(sql`
    update refund set state = 'UNDER_WAY', finished_at = null where id = ${refund.id}`);
  tellRefund(app, tx, refund, 'REFUND_REOPENED', completedRefundView(refund));
}

/**
 * What it gave back had arrived and came back, whole where it was pending money: it pays its
 * checkout again. Under the lock of the checkout.
 */
export function refundCameBack(
  app: ConcludeRefundApp,
  tx: Tx,
  refund: Refund,
  failure: string,
): void {
  const { id: refundId, checkoutId } = refund;
  tx.send(sql`update refund set state = 'RETURNED' where id = ${refundId}`);
  tellRefund(app, tx, refund, 'REFUND_RETURNED', failedRefundView(refund, failure));
  if (refund.context === 'UNDERPAID_CHECKOUT') {
    restoreCredits(tx, { refundId, checkoutId }, app.clock.now());
  }
}
