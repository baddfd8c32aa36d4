// The payer says where a refund goes. Once: who comes second, or twice, changes nothing.

import type { Clock } from '#base/clock.ts';
import type { Wake } from '#base/loop.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import { directTransfer } from '#transfer/book-transfer.ts';
import { findRefundByClaim } from './find-refund.ts';
import type { Refund } from './refund.ts';
import { type RefundAccountApp, refundAccount } from './refund-account.ts';
import { markClaimed } from './refund-store.ts';

export type ClaimRefundApp = RefundAccountApp & {
  readonly db: Db;
  readonly clock: Clock;
  readonly wakes?: { readonly transfer?: Wake | undefined } | undefined;
};

/** Refuses: missing; invalid when the address is none of the network; conflict once claimed. */
export async function claimRefund(
  app: ClaimRefundApp,
  token: string,
  address: string,
): Promise<Refund> {
  const refund = await findRefundByClaim(app, token);
  if (refund === undefined) throw new Refusal('missing', 'refund_missing', 'no such refund');
  const { network, environment } = refund;
  const account = refundAccount(app, { network, environment, address });
  const now = app.clock.now();
  await app.db.transact(async (tx) => {
    // The transfer first, as everywhere.
    directTransfer(tx, refund.transferId, account, now);
    if (!(await markClaimed(tx, refund.id, address))) {
      throw new Refusal('conflict', 'refund_claimed', 'the refund was claimed already');
    }
  });
  app.wakes?.transfer?.wake();
  return { ...refund, state: 'UNDER_WAY', address };
}
