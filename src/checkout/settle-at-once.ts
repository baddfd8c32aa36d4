import type { Db } from '#db/db.ts';
import { lockCheckoutRow } from './checkout-store.ts';
import { type SettleCheckoutApp, type SettleOutcome, settleCheckout } from './settle-checkout.ts';

const TRIES_MOST = 5;

/**
 * For an act whose answer shows what came of it: when another is at the checkout, waits for it to
 * end. What is still not decided after a few times is left to the settle loop.
 */
export async function settleAtOnce(
  app: SettleCheckoutApp & { readonly db: Db },
  checkoutId: string,
): Promise<SettleOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await settleCheckout(app, checkoutId);
    if (outcome.kind !== 'busy' || tries === TRIES_MOST) return outcome;
    await app.db.transact(async (tx) => {
      await lockCheckoutRow(tx, checkoutId);
    });
  }
}
