// What a refund gives back may be taken back while the payer has not claimed it, or while it waits
// to be sent. Looked at under the lock of its checkout, which is taken before the transfer's.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Owner } from '#catalog/owner.ts';
import type { RefundPayment } from '#checkout/checkout.ts';
import { noteRefundPayments } from '#checkout/checkout-refund.ts';
import { lockCheckout, type ReadRecordsApp } from '#checkout/find-checkout.ts';
import type { Tx } from '#db/db.ts';
import type { SendingVerdict } from '#transfer/conclude-transfer.ts';
import type { Transfer } from '#transfer/transfer.ts';
import { findRefundRowByTransfer } from './refund-store.ts';

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
export async function holdRefund(
  app: HoldRefundApp,
  tx: Tx,
  transfer: Transfer,
): Promise<SendingVerdict> {
  const refund = await findRefundRowByTransfer(tx, transfer.id);
  assert(refund !== undefined, `transfer ${transfer.id} carries a refund`);
  switch (await holdRefundPayment(app, tx, refund)) {
    case 'STANDING':
      return { kind: 'send' };
    case 'UNCERTAIN':
      return { kind: 'wait' };
    case 'TAKEN_BACK':
      return {
        kind: 'never',
        reason: 'the network took back the payment that was to be refunded',
      };
  }
}
