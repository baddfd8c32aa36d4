// One bounded step of a settle loop: decides every thing of one purpose whose facts changed or
// whose time came.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import type { DepositPurpose } from '#deposit/deposit-instruction.ts';
import { listDue, recordFailure } from './queue.ts';

type SettleDueApp = { readonly db: Db; readonly clock: Clock; readonly log: Log };

const MOST_PER_STEP = 200;
const RETRY_SECONDS = 30;

export async function settleDue(
  app: SettleDueApp,
  due: {
    readonly purpose: DepositPurpose;
    readonly atOnce: number;
    /** Settles one, and wakes whoever waits for what it told. */
    readonly settle: (id: string) => Promise<void>;
  },
): Promise<'idle' | 'busy'> {
  const ids = await listDue(app.db, due.purpose, app.clock.now(), MOST_PER_STEP);
  let next = 0;
  const work = async () => {
    for (let id = ids[next++]; id !== undefined; id = ids[next++]) {
      await settleOne(app, due, id);
    }
  };
  await Promise.all(Array.from({ length: due.atOnce }, work));
  return ids.length === MOST_PER_STEP ? 'busy' : 'idle';
}

/** A bug in one is recorded, and never keeps the others from being settled (C21). */
async function settleOne(
  app: SettleDueApp,
  { purpose, settle }: Parameters<typeof settleDue>[1],
  id: string,
): Promise<void> {
  try {
    await settle(id);
  } catch (error) {
    if (error instanceof Outage) throw error;
    app.log.error('settling failed', { purpose, id, error });
    const retryAt = app.clock.now().add({ seconds: RETRY_SECONDS });
    const reason = error instanceof Error ? error.message : String(error);
    await app.db.single((tx) => recordFailure(tx, purpose, id, { reason, retryAt }));
  }
}
