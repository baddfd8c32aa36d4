// A person acts on the state of a checkout, but a payment may have been recorded that is not
// decided yet, and then the state is out of date. Guarantees: what was recorded before the act took
// the lock is decided before it looks. Not guaranteed while decisions fail or never come to rest:
// after a few times it acts on what there is.

import type { Clock } from '#base/clock.ts';
import type { Db, Tx } from '#db/db.ts';
import { transactWithAccounts } from '#settle/settle.ts';
import { type Checkout, lockCheckoutRow } from './checkout.ts';
import { type SettleCheckoutApp, settleAtOnce } from './settle-checkout.ts';

const TRIES_MOST = 3;

/** `act` is given the checkout under its lock; what it writes is decided before this returns. */
export async function actOnDecided<Answer>(
  app: SettleCheckoutApp & { readonly db: Db; readonly clock: Clock },
  checkoutId: string,
  act: (tx: Tx, checkout: Checkout | undefined) => Answer | Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const acted = await transactWithAccounts(app.db, async (tx) => {
      const checkout = await lockCheckoutRow(tx, checkoutId);
      if (tries < TRIES_MOST && isUndecided(checkout, app.clock.now())) return undefined;
      return { answer: await act(tx, checkout) };
    });
    await settleAtOnce(app, checkoutId);
    if (acted !== undefined) return acted.answer;
  }
}

function isUndecided(checkout: Checkout | undefined, now: Temporal.Instant): boolean {
  const settleAt = checkout?.settleAt;
  return settleAt !== undefined && Temporal.Instant.compare(settleAt, now) <= 0;
}
