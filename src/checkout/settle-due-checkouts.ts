// One bounded step of the settle loop: decides every checkout whose facts changed or whose time
// came.

import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { listDueCheckoutIds } from './checkout-store.ts';
import { type SettleCheckoutApp, settleCheckout } from './settle-checkout.ts';
import { recordSettleFailure } from './settled-checkout-store.ts';

export type SettleDueApp = SettleCheckoutApp & {
  readonly log: Log;
  /** Called after each commit that changed something: deliver, tell open pages. */
  readonly onCheckoutChanged: (checkoutId: string, events: number) => void;
};

const MOST_PER_STEP = 200;
/** Fewer than the connections of the pool: an act may need a second one for a new account. */
const AT_ONCE = 6;
const RETRY_SECONDS = 30;

export async function settleDueCheckouts(
  app: SettleDueApp,
  { atOnce = AT_ONCE }: { readonly atOnce?: number } = {},
): Promise<'idle' | 'busy'> {
  const due = await listDueCheckoutIds(app.db, app.clock.now(), MOST_PER_STEP);
  let next = 0;
  const work = async () => {
    for (let id = due[next++]; id !== undefined; id = due[next++]) await settleOne(app, id);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return due.length === MOST_PER_STEP ? 'busy' : 'idle';
}

/** A bug in one checkout is recorded and never keeps the others from being settled (C21). */
async function settleOne(app: SettleDueApp, id: string): Promise<void> {
  try {
    const outcome = await settleCheckout(app, id);
    if (outcome.kind === 'changed') app.onCheckoutChanged(id, outcome.events);
  } catch (error) {
    if (error instanceof Outage) throw error;
    app.log.error('settling a checkout failed', { checkoutId: id, error });
    const retryAt = app.clock.now().add({ seconds: RETRY_SECONDS });
    const reason = error instanceof Error ? error.message : String(error);
    await app.db.single((tx) => recordSettleFailure(tx, id, reason, retryAt));
  }
}
