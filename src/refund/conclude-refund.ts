// A refund ends with the transfer that carries it, in its transaction.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { restoreCredits } from '#checkout/checkout-refund.ts';
import { metaView } from '#checkout/checkout-view.ts';
import type { Tx } from '#db/db.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { stringifyExact } from '#money/exact-json.ts';
import type { Transfer } from '#transfer/transfer.ts';
import type { Refund } from './refund.ts';
import { findRefundRowByTransfer, markRefundEnded } from './refund-store.ts';

export type ConcludeRefundApp = { readonly clock: Clock; readonly random: Random };

export async function concludeRefund(
  app: ConcludeRefundApp,
  tx: Tx,
  transfer: Transfer,
): Promise<void> {
  const refund = await findRefundRowByTransfer(tx, transfer.id);
  assert(refund !== undefined, `transfer ${transfer.id} carries a refund`);
  const now = app.clock.now();
  if (transfer.state === 'COMPLETED') {
    markRefundEnded(tx, refund.id, { state: 'COMPLETED', eventSequence: 1, finishedAt: now });
    const { id, checkoutId, context } = refund;
    tellRefund(app, tx, refund, { type: 'REFUND_COMPLETED', told: { id, checkoutId, context } });
    return;
  }
  markRefundEnded(tx, refund.id, { state: 'FAILED', eventSequence: 1, finishedAt: now });
  const { id, checkoutId, context, payment } = refund;
  const told = { id, checkoutId, context, payment, failure: transfer.failure ?? null };
  tellRefund(app, tx, refund, { type: 'REFUND_FAILED', told });
  if (refund.context === 'UNDERPAID_CHECKOUT') {
    restoreCredits(tx, { refundId: refund.id, checkoutId: refund.checkoutId }, now);
  }
}

/** api-contract.md 7: to the webhook of the checkout, with nothing of it but its `meta`. */
function tellRefund(
  app: ConcludeRefundApp,
  tx: Tx,
  refund: Refund,
  { type, told }: { readonly type: 'REFUND_COMPLETED' | 'REFUND_FAILED'; readonly told: object },
): void {
  const id = newId(app.random);
  const now = app.clock.now();
  const data = stringifyExact({ refund: { ...told, ...metaView(refund.checkoutMeta) } });
  enqueueEvent(tx, {
    id,
    merchantId: refund.merchantId,
    environment: refund.environment,
    type,
    subject: 'refund',
    subjectId: refund.id,
    sequence: 1,
    causeKey: `refund:${refund.id}:${type}`,
    data,
    apiKey: refund.checkoutApiKey,
    createdAt: now,
    webhookUrl: refund.webhookUrl,
  });
}
