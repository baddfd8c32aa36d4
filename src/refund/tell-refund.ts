// What a merchant is told of a refund: that it rests before it is sent, and how it ended.
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { sql, type Tx } from '#db/db.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { causeAgain } from '#ledger/ledger-entry.ts';
import { stringifyExact } from '#money/exact-json.ts';
import type { Refund } from './refund.ts';

type TellRefundApp = { readonly clock: Clock; readonly random: Random };

/**
 * api-contract.md 7: to the webhook of the checkout. Under the lock of the checkout, or of the
 * transfer that carries it.
 */
export function tellRefund(
  app: TellRefundApp,
  tx: Tx,
  refund: Refund,
  type:
    | 'REFUND_RESTS'
    | 'REFUND_COMPLETED'
    | 'REFUND_FAILED'
    | 'REFUND_REOPENED'
    | 'REFUND_RETURNED',
  view: object,
): void {
  const id = newId(app.random);
  const now = app.clock.now();
  const data = stringifyExact({ refund: view });
  const sequence = refund.eventSequence + 1;
  tx.send(sql`update refund set event_sequence = ${sequence} where id = ${refund.id}`);
  enqueueEvent(tx, {
    id,
    merchantId: refund.merchantId,
    environment: refund.environment,
    type,
    subject: 'refund',
    subjectId: refund.id,
    sequence,
    causeKey: causeAgain(`refund:${refund.id}:${type}`, refund.undoneCount),
    data,
    apiKey: refund.checkoutApiKey,
    createdAt: now,
    webhookUrl: refund.webhookUrl,
  });
}
