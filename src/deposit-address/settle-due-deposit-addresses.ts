// One bounded step of the loop that settles deposit addresses whose facts changed.

import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { listDueDepositAddressIds, recordSettleFailure } from './deposit-address-store.ts';
import { type SettleDepositAddressApp, settleDepositAddress } from './settle-deposit-address.ts';

export type SettleDueDepositsApp = SettleDepositAddressApp & {
  readonly log: Log;
  /** Called after each commit that wrote events. */
  readonly onTold: () => void;
};

const MOST_PER_STEP = 200;
const RETRY_SECONDS = 30;

export async function settleDueDepositAddresses(
  app: SettleDueDepositsApp,
): Promise<'idle' | 'busy'> {
  const due = await listDueDepositAddressIds(app.db, app.clock.now(), MOST_PER_STEP);
  for (const id of due) await settleOne(app, id);
  return due.length === MOST_PER_STEP ? 'busy' : 'idle';
}

/** A bug in one address never keeps the others from being settled (C21). */
async function settleOne(app: SettleDueDepositsApp, id: string): Promise<void> {
  try {
    const outcome = await settleDepositAddress(app, id);
    if (outcome.kind === 'settled' && outcome.events > 0) app.onTold();
  } catch (error) {
    if (error instanceof Outage) throw error;
    app.log.error('settling a deposit address failed', { depositAddressId: id, error });
    const retryAt = app.clock.now().add({ seconds: RETRY_SECONDS });
    const reason = error instanceof Error ? error.message : String(error);
    await app.db.single((tx) => recordSettleFailure(tx, id, reason, retryAt));
  }
}
