// One bounded step of the loop that moves outgoing money: claims what is due under a lease, and
// advances each row by one step.

import { sql } from '#db/db.ts';
import { type AdvanceTransferApp, advanceTransfer } from './advance-transfer.ts';
import { OPEN_TRANSFER, type Transfer } from './transfer.ts';

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
  // A lease: whoever gets a row alone works on it until then, and another one after that.
  const claimed = await app.db.single((tx) =>
    tx.query<object>(sql`
      update transfer set next_step_at = ${leaseUntil}
      where id = any(array(select id from transfer where next_step_at <= ${now}
        order by next_step_at limit ${MOST_PER_STEP} for update skip locked))
      returning ${OPEN_TRANSFER.columns}`),
  );
  const due = claimed.map((row) => OPEN_TRANSFER.parse(row));
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
    if (transfer.stepFailures > 0) {
      await app.db.single((tx) =>
        tx.query(sql`
          update transfer set step_failures = 0, step_error = null where id = ${transfer.id}`),
      );
    }
    if (hasEnded) app.onTransferEnded?.();
  } catch (error) {
    app.log.error('a step of a transfer failed', { transferId: transfer.id, error });
    const reason = error instanceof Error ? error.message : String(error);
    // After several failures in a row a person is shown the reason. It is tried again when its
    // lease ends.
    await app.db.single((tx) =>
      tx.query(sql`
        update transfer set step_failures = step_failures + 1,
          step_error = case when step_failures >= 4 then ${reason} else step_error end
        where id = ${transfer.id} and finished_at is null`),
    );
  }
}
