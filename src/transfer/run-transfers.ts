// One bounded step of the loop that moves outgoing money: claims what is due under a lease, and
// advances each row by one step.

import { type AdvanceTransferApp, advanceTransfer } from './advance-transfer.ts';
import type { Transfer } from './transfer.ts';
import { claimDueTransfers, clearStepFailures, recordStepFailure } from './transfer-store.ts';

export type RunTransfersApp = AdvanceTransferApp & {
  /** Called after each commit that told something. */
  readonly onTransferEnded?: (() => void) | undefined;
};

const MOST_PER_STEP = 50;
const AT_ONCE = 4;
/** Longer than any step takes; after a failure the row is tried again when it ends. */
const LEASE_SECONDS = 30;

export async function runTransfers(app: RunTransfersApp): Promise<'idle' | 'busy'> {
  const now = app.clock.now();
  const leaseUntil = now.add({ seconds: LEASE_SECONDS });
  const due = await app.db.single((tx) =>
    claimDueTransfers(tx, { now, leaseUntil, most: MOST_PER_STEP }),
  );
  let next = 0;
  const work = async () => {
    for (let one = due[next++]; one !== undefined; one = due[next++]) await advanceOne(app, one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return due.length === MOST_PER_STEP ? 'busy' : 'idle';
}

/** A bug, or an executor that is down, in one transfer never keeps the others from being sent. */
async function advanceOne(app: RunTransfersApp, transfer: Transfer): Promise<void> {
  try {
    const hasEnded = await advanceTransfer(app, transfer);
    if ((transfer.stepFailures ?? 0) > 0) {
      await app.db.single((tx) => clearStepFailures(tx, transfer.id));
    }
    if (hasEnded) app.onTransferEnded?.();
  } catch (error) {
    app.log.error('a step of a transfer failed', { transferId: transfer.id, error });
    const reason = error instanceof Error ? error.message : String(error);
    await app.db.single((tx) => recordStepFailure(tx, transfer.id, reason));
  }
}
