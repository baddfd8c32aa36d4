// Sends money in suspense back to whom it came from, by a transfer. Guarantees: it cannot be
// assigned or returned again while it is on its way; it is reserved before anything is sent; a
// transfer that fails puts it back, and whoever decides next starts anew.

import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { listReceiptsByIds } from '#chain/receipt.ts';
import { lockNamedCheckout, noteAssignment } from '#checkout-settlement/take-assigned.ts';
import type { Tx } from '#db/db.ts';
import { type RefundAccountApp, refundAccount } from '#refund/refund-account.ts';
import { refundsOf } from '#refund/refunds-of.ts';
import { lockSuspense, type Suspense, updateSuspense } from '#settle/suspense.ts';
import {
  findSuspenseOfTransfer,
  insertSuspenseAct,
  listSuspenseActs,
  type SuspenseAct,
} from '#settle/suspense-act.ts';
import { checkApproval } from '#spending/approval.ts';
import {
  ensureTransferAccounts,
  reserveTransfer,
  transferToApprove,
} from '#transfer/book-transfer.ts';
import type { SendingVerdict } from '#transfer/conclude-transfer.ts';
import { type Executors, requireExecutor } from '#transfer/executor.ts';
import type { RunTransfersApp } from '#transfer/run-transfers.ts';
import {
  openTransfer,
  type Transfer,
  type TransferSealKeys,
  type TransferTerms,
} from '#transfer/transfer.ts';
import {
  lockWithNamed,
  noteSuspense,
  requireOpen,
  requireSuspense,
  requireWords,
  type SuspenseApp,
} from './act-on-suspense.ts';
import { tellResolved } from './suspense-view.ts';

type ReturnSuspenseApp = SuspenseApp &
  RefundAccountApp & { readonly executors: Executors; readonly keyring: TransferSealKeys };

type ReturnRequest = {
  readonly id: bigint;
  readonly actor: string;
  readonly reason: string;
  readonly address: string;
  /** On whose behalf, where it names nobody. */
  readonly merchantId: string | undefined;
};

export async function returnSuspense(
  app: ReturnSuspenseApp,
  request: ReturnRequest,
): Promise<Suspense> {
  requireWords(request);
  const found = await requireSuspense(app, request.id);
  const { environment, network, assetId } = found;
  const merchantId = found.merchantId ?? request.merchantId;
  if (merchantId === undefined) {
    throw new Refusal('invalid', 'usage', [
      'it names no merchant: say on whose behalf it is returned with --merchant, or send it ' +
        'yourself and say how with --transaction',
    ]);
  }
  const executor = requireExecutor(app.executors, chainOf(environment, network));
  // A command is a process that has asked no node yet.
  await executor.readFees?.();
  const networkFeeUnits = executor.networkFeeUnits(assetId, found.units);
  if (found.units <= networkFeeUnits) {
    throw new Refusal('conflict', 'amount_too_small', 'it does not pay the network fee');
  }
  const { address } = request;
  const units = found.units - networkFeeUnits;
  const account = refundAccount(app, { network, environment, address, units });
  await ensureTransferAccounts(app.db, { merchantId, environment, assetId });
  return app.db.transact(async (tx) => {
    const { suspense, named } = await lockWithNamed(tx, found, undefined);
    if (await isUnderWay(tx, suspense, request.address)) return suspense;
    await requireOpen(tx, suspense);
    const now = app.clock.now();
    const fee = { networkFeeUnits, merchantId, account };
    const transfer = openTransfer(app, tx, termsOf(suspense, fee, now));
    const act: SuspenseAct = {
      suspenseId: suspense.id,
      number: suspense.actCount + 1,
      kind: 'RETURN',
      actor: request.actor,
      reason: request.reason,
      merchantId,
      checkoutId: undefined,
      address: request.address,
      transaction: undefined,
      transferId: transfer.id,
      isPayment: false,
      actedAt: now,
    };
    insertSuspenseAct(tx, act);
    noteSuspense(tx, suspense, act);
    updateSuspense(tx, suspense.id, { state: 'RETURNING', resolvedAt: undefined });
    if (named !== undefined) noteAssignment(tx, named, false, now);
    // Above the limit of one person it waits for another one than this.
    await checkApproval(app, tx, transferToApprove(app.keyring, transfer, request.actor));
    reserveTransfer(tx, transfer, now);
    return { ...suspense, state: 'RETURNING', merchantId, actCount: suspense.actCount + 1 };
  });
}

async function isUnderWay(tx: Tx, suspense: Suspense, address: string): Promise<boolean> {
  if (suspense.state !== 'RETURNING') return false;
  return (await listSuspenseActs(tx, [suspense.id])).at(-1)?.address === address;
}

function termsOf(
  { environment, network, assetId, units }: Suspense,
  {
    networkFeeUnits,
    merchantId,
    account,
  }: Pick<Transfer, 'networkFeeUnits' | 'merchantId' | 'account'>,
  now: Temporal.Instant,
): TransferTerms {
  return {
    merchantId,
    environment,
    kind: 'RETURN',
    beneficiaryId: undefined,
    network,
    assetId,
    account,
    units,
    networkFeeUnits,
    feeUnits: 0n,
    targetUnits: units - networkFeeUnits,
    source: `suspense:${network}`,
    state: 'RESERVED',
    apiKey: undefined,
    createdAt: now,
    expiresAt: now,
    committedAt: now,
    restsUntil: undefined,
    nextStepAt: now,
  };
}

type ReturnsApp = Pick<SuspenseApp, 'clock' | 'random'>;

/** What transfers rest on, whatever they carry. */
export function transferGrounds(
  app: ReturnsApp & Parameters<typeof refundsOf>[0],
): Pick<RunTransfersApp, 'refunds' | 'returns'> {
  return { refunds: refundsOf(app), returns: returnsOf(app) };
}

/** What the code that sends transfers has to know about returns. */
export function returnsOf(app: ReturnsApp): RunTransfersApp['returns'] {
  return {
    hold: (tx, transfer) => holdReturn(tx, transfer),
    concluded: (tx, transfer) => concludeReturn(app, tx, transfer),
    reopened: (tx, transfer) => reopenReturn(app, tx, transfer),
    heldAgain: (tx, transfer) => isOpenStill(tx, transfer),
  };
}

async function holdReturn(tx: Tx, transfer: Transfer): Promise<SendingVerdict> {
  const suspense = await lockReturned(tx, transfer);
  if (suspense?.state !== 'RETURNING') {
    return { kind: 'never', reason: 'the network took back the money that was to be returned' };
  }
  const [receipt] = await listReceiptsByIds(tx, [suspense.receiptId]);
  const isFinal = receipt?.status === 'FINAL' && receipt.generation === suspense.generation;
  if (isFinal) return { kind: 'send' };
  return { kind: 'wait', reason: 'the payment that is returned is not final now' };
}

async function lockReturned(tx: Tx, { id }: Transfer): Promise<Suspense | undefined> {
  const found = await findSuspenseOfTransfer(tx, id);
  if (found === undefined) return undefined;
  if (found.purpose === 'checkout' && found.purposeId !== undefined) {
    await lockNamedCheckout(tx, found.purposeId);
  }
  return lockSuspense(tx, found.id);
}

async function concludeReturn(app: ReturnsApp, tx: Tx, transfer: Transfer): Promise<void> {
  const suspense = await lockReturned(tx, transfer);
  if (suspense?.state !== 'RETURNING') return;
  const now = app.clock.now();
  const isDone = transfer.state === 'COMPLETED';
  const state = isDone ? 'RETURNED' : 'OPEN';
  const resolvedAt = isDone ? now : undefined;
  updateSuspense(tx, suspense.id, { state, resolvedAt });
  const { purpose, purposeId } = suspense;
  const isNamed = purpose === 'checkout' && purposeId !== undefined;
  const named = isNamed ? await lockNamedCheckout(tx, purposeId) : undefined;
  if (named !== undefined) noteAssignment(tx, named, false, now);
  const act = (await listSuspenseActs(tx, [suspense.id])).at(-1);
  if (!isDone || act === undefined) return;
  await tellResolved(app, tx, { ...suspense, state, resolvedAt }, act, named);
}

/** Of one that failed: nobody decided anything else since. */
async function isOpenStill(tx: Tx, transfer: Transfer): Promise<boolean> {
  const suspense = await lockReturned(tx, transfer);
  if (suspense?.state !== 'OPEN') return false;
  return (await listSuspenseActs(tx, [suspense.id])).at(-1)?.transferId === transfer.id;
}

/** What had ended it is in no block any more: until it ends anew nothing else is decided. */
async function reopenReturn(app: ReturnsApp, tx: Tx, transfer: Transfer): Promise<void> {
  const suspense = await lockReturned(tx, transfer);
  if (suspense?.state !== 'RETURNED' && suspense?.state !== 'OPEN') return;
  updateSuspense(tx, suspense.id, { state: 'RETURNING', resolvedAt: undefined });
  const { purpose, purposeId } = suspense;
  if (purpose !== 'checkout' || purposeId === undefined) return;
  noteAssignment(tx, await lockNamedCheckout(tx, purposeId), false, app.clock.now());
}
