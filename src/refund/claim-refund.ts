// The payer says where a refund goes. Only the first answer counts: a second one changes nothing.

import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import type { Wake } from '#runtime/loop.ts';
import { restsUntil } from '#spending/find-limit-above.ts';
import type { SpendingApp } from '#spending/measure-amount.ts';
import { directTransfer } from '#transfer/book-transfer.ts';
import type { TransferSealKeys } from '#transfer/transfer.ts';
import { findRefundByClaim, type Refund, restingRefundView } from './refund.ts';
import { type RefundAccountApp, type RefundTarget, refundAccount } from './refund-account.ts';
import { type HoldRefundApp, holdRefundPayment } from './refunds-of.ts';
import { tellRefund } from './tell-refund.ts';

export type ClaimRefundApp = RefundAccountApp &
  SpendingApp &
  HoldRefundApp & {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly keyring: TransferSealKeys;
    readonly wakes?: { readonly transfer?: Wake | undefined } | undefined;
  };

/**
 * Refuses: missing; invalid when the address is none of the network; conflict once claimed, or when
 * the payment was taken back.
 */
export async function claimRefund(
  app: ClaimRefundApp,
  token: string,
  address: string,
  more: Pick<RefundTarget, 'memo' | 'memoType'> = {},
): Promise<Refund> {
  const refund = await findRefundByClaim(app, token);
  if (refund === undefined) throw new Refusal('missing', 'refund_missing', 'no such refund');
  const { network, environment, units } = refund;
  const account = refundAccount(app, { ...more, network, environment, units, address });
  const now = app.clock.now();
  const rests = await app.db.transact(async (tx) => {
    // The checkout first, then the transfer, as everywhere.
    if ((await holdRefundPayment(app, tx, refund)) === 'TAKEN_BACK') throw takenBack();
    const rests = await restsUntil(app, tx, refund, refund, now);
    await directTransfer(app, tx, refund.transferId, { account, restsUntil: rests }, now);
    const claimed = await tx.query(sql`
      update refund set state = 'UNDER_WAY', address = ${address}
      where id = ${refund.id} and state = 'AWAITING_ADDRESS' returning id`);
    if (claimed.length === 0) {
      throw new Refusal('conflict', 'refund_claimed', 'the refund was claimed already');
    }
    noteAct(tx, {
      ...{ actedAt: now, actor: 'payer', verb: 'refund-claim', environment },
      ...{ subject: `transfer:${refund.transferId}`, merchantId: refund.merchantId },
      details: { refund: refund.id, checkout: refund.checkoutId, address },
    });
    if (rests !== undefined) {
      tellRefund(app, tx, refund, 'REFUND_RESTS', restingRefundView(refund, rests));
    }
    return rests;
  });
  app.wakes?.transfer?.wake();
  return { ...refund, state: 'UNDER_WAY', address, account, restsUntil: rests };
}

function takenBack(): Refusal {
  return new Refusal('conflict', 'payment_taken_back', [
    'the network took back the payment that was to be refunded',
  ]);
}
