// Transfers that had arrived and were sent back (a closed account, a wrong name): the money that
// came is recognised and goes back to where the transfer took it, and the merchant is told.
// Guarantees: a transfer comes back once, whatever the network says and how often this runs; what
// is not certainly it stays in suspense for a person. Lock order: the checkout, the money in
// suspense, the transfer, ledger accounts.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { lockNamedCheckout } from '#checkout-settlement/take-assigned.ts';
import type { Db, Tx } from '#db/db.ts';
import { postEntries } from '#ledger/post-entry.ts';
import { findRefundOfTransfer, type Refund } from '#refund/refund.ts';
import { refundCameBack } from '#refund/refunds-of.ts';
import { listCameBack, lockSuspense, type Suspense, updateSuspense } from '#settle/suspense.ts';
import { insertSuspenseAct, type SuspenseAct, suspenseActEntry } from '#settle/suspense-act.ts';
import { ensureTransferAccounts } from '#transfer/book-transfer.ts';
import { tellTransfer } from '#transfer/conclude-transfer.ts';
import {
  listTransfersByIds,
  lockTransfer,
  noteReturned,
  type Transfer,
} from '#transfer/transfer.ts';
import { decideCameBack } from './decide-came-back.ts';

type CameBackApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

const BATCH = 500;

/** How many came back; somebody has to be told of them. */
export async function settleCameBack(app: CameBackApp): Promise<number> {
  let settled = 0;
  for (const { suspenseId, transferId, remark } of await listCameBack(app.db, BATCH)) {
    const [transfer] = await listTransfersByIds(app.db, [transferId]);
    if (transfer === undefined || transfer.state !== 'COMPLETED') continue;
    try {
      if (!(await settleOne(app, suspenseId, transfer, remark))) continue;
      settled += 1;
      app.log.warn('a transfer that had arrived was sent back', { transferId, remark });
    } catch (error) {
      // A bug in one keeps the others from nothing.
      app.log.error('what came back could not be booked', { transferId, error });
    }
  }
  return settled;
}

async function settleOne(
  app: CameBackApp,
  suspenseId: bigint,
  seen: Transfer,
  remark: string,
): Promise<boolean> {
  const now = app.clock.now();
  await ensureTransferAccounts(app.db, seen);
  return app.db.transact(async (tx) => {
    const refund = seen.kind === 'REFUND' ? await findRefundOfTransfer(tx, seen.id) : undefined;
    if (refund !== undefined) await lockNamedCheckout(tx, refund.checkoutId);
    const suspense = await lockSuspense(tx, suspenseId);
    const locked = await lockTransfer(tx, seen.id);
    if (suspense?.state !== 'OPEN' || locked === undefined) return false;
    const { kind } = decideCameBack(suspense, locked);
    if (kind !== 'book' && kind !== 'stays') return false;
    const isTold = locked.kind === 'TRANSFER';
    const returned: Transfer = {
      ...locked,
      state: 'RETURNED',
      returnedUnits: suspense.units,
      failure: remark,
      eventSequence: locked.eventSequence + (isTold ? 1 : 0),
    };
    noteReturned(tx, returned);
    if (isTold) tellTransfer(app, tx, returned, now);
    if (refund !== undefined) refundCameBack(app, tx, refund, remark);
    // What was returned out of suspense is there again, and waits for a person as before.
    if (kind === 'book') book(tx, suspense, returned, { refund, remark, now });
    return true;
  });
}

type Because = {
  readonly refund: Refund | undefined;
  readonly remark: string;
  readonly now: Temporal.Instant;
};

function book(tx: Tx, suspense: Suspense, transfer: Transfer, because: Because): void {
  const { refund, remark, now } = because;
  const isPending = transfer.source === 'merchant:pending';
  const act: SuspenseAct = {
    suspenseId: suspense.id,
    number: suspense.actCount + 1,
    kind: 'CAME_BACK',
    actor: 'statement',
    reason: remark,
    merchantId: transfer.merchantId,
    checkoutId: isPending ? refund?.checkoutId : undefined,
    address: undefined,
    transaction: undefined,
    transferId: transfer.id,
    isPayment: false,
    actedAt: now,
  };
  insertSuspenseAct(tx, act);
  updateSuspense(tx, suspense.id, { state: 'ASSIGNED', resolvedAt: now });
  postEntries(tx, [suspenseActEntry(suspense, act)]);
}
