import type { RunTransfersApp } from '#transfer/run-transfers.ts';
import { type ConcludeRefundApp, concludeRefund } from './conclude-refund.ts';
import { type HoldRefundApp, holdRefund } from './hold-refund.ts';

/** What the code that sends transfers has to know about refunds. */
export function refundsOf(app: ConcludeRefundApp & HoldRefundApp): RunTransfersApp['refunds'] {
  return {
    hold: (tx, transfer) => holdRefund(app, tx, transfer),
    concluded: (tx, transfer) => concludeRefund(app, tx, transfer),
  };
}
