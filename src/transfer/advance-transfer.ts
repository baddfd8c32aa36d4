// One step of one transfer, by whoever holds its lease. What may die at any point:
//   prepare -> store what was signed and its hash -> submit -> ask what became of it.
// Guarantees: nothing is submitted that was not stored before; what was stored is submitted again,
// never signed anew, so that two transactions cannot both land; nothing is sent inside a
// transaction of the database. Not guaranteed: that a step runs in one worker only. Two of them do
// no harm.

import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { type ConcludeTransferApp, concludeTransfer } from './conclude-transfer.ts';
import type { Executors, ReceivingAccount, TransferExecutor } from './executor.ts';
import type { Transfer } from './transfer.ts';
import { lockTransferRow, markFinished, markSubmitted, storePrepared } from './transfer-store.ts';

export type AdvanceTransferApp = ConcludeTransferApp & {
  readonly executors: Executors;
  readonly log: Log;
};

/** How often an outcome is asked for: often while it is new. */
const ASK_SECONDS = 3;
const ASK_LATER_SECONDS = 30;
const NEW_FOR_SECONDS = 120;

/** Resolves with whether anything ended: then somebody is to be told. */
export async function advanceTransfer(
  app: AdvanceTransferApp,
  transfer: Transfer,
): Promise<boolean> {
  if (transfer.state === 'QUOTED') return expireQuote(app, transfer.id);
  const { account } = transfer;
  if (account === undefined) {
    const reason = 'the refund was not claimed in time';
    return concludeTransfer(app, transfer, { kind: 'failed', reason });
  }
  const executor = app.executors.get(chainOf(transfer.environment, transfer.network));
  if (executor === undefined) {
    app.log.warn('a transfer waits for its executor', { transferId: transfer.id });
    return false;
  }
  if (transfer.signedTransaction === undefined)
    return prepareAndSend(app, executor, transfer, account);
  return followUp(app, executor, transfer);
}

async function prepareAndSend(
  app: AdvanceTransferApp,
  executor: TransferExecutor,
  transfer: Transfer,
  account: ReceivingAccount,
): Promise<boolean> {
  const { id: transferId, assetId, targetUnits: units } = transfer;
  try {
    const prepared = await executor.prepare({ transferId, assetId, account, units });
    const isStored = await app.db.single((tx) => storePrepared(tx, transferId, prepared));
    if (isStored) await submit(app, executor, { ...transfer, ...prepared });
    return false;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // It was never signed, so nothing of it can land.
    return concludeTransfer(app, transfer, { kind: 'failed', reason: error.details.join('; ') });
  }
}

/** Sent or not, and whatever became of it: the executor knows, and sending again does no harm. */
async function followUp(
  app: AdvanceTransferApp,
  executor: TransferExecutor,
  transfer: Transfer,
): Promise<boolean> {
  const outcome = await executor.outcome(transfer.transaction ?? '');
  if (outcome === 'completed') return concludeTransfer(app, transfer, { kind: 'completed' });
  if (outcome !== 'pending') {
    return concludeTransfer(app, transfer, { kind: 'failed', reason: outcome.failed });
  }
  await submit(app, executor, transfer);
  return false;
}

async function submit(
  app: AdvanceTransferApp,
  executor: TransferExecutor,
  transfer: Transfer,
): Promise<void> {
  await executor.submit(transfer.signedTransaction ?? '');
  const now = app.clock.now();
  const ageMs = now.epochMilliseconds - (transfer.submittedAt ?? now).epochMilliseconds;
  const seconds = ageMs < NEW_FOR_SECONDS * 1000 ? ASK_SECONDS : ASK_LATER_SECONDS;
  const nextStepAt = now.add({ seconds });
  await app.db.single((tx) => markSubmitted(tx, transfer.id, { now, nextStepAt }));
}

async function expireQuote(app: AdvanceTransferApp, id: string): Promise<boolean> {
  const finishedAt = app.clock.now();
  await app.db.transact(async (tx) => {
    const locked = await lockTransferRow(tx, id);
    if (locked?.state !== 'QUOTED') return;
    markFinished(tx, id, { state: 'EXPIRED', failure: undefined, eventSequence: 0, finishedAt });
  });
  return false;
}
