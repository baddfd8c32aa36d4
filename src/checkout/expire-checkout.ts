// Ends the payment window of a TEST checkout now, so that expiry and late payments can be tried
// without waiting an hour. Live windows are never moved (S7). Whoever calls it has it decided.

import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import { expireLocks, lockCheckoutRow } from './checkout-store.ts';
import type { SettleCheckoutApp } from './settle-checkout.ts';

export async function expireCheckout(
  app: Pick<SettleCheckoutApp, 'db' | 'clock'>,
  request: { readonly checkoutId: string; readonly merchantId: string | undefined },
): Promise<void> {
  await app.db.transact(async (tx) => {
    const row = await lockCheckoutRow(tx, request.checkoutId);
    const isOwn = request.merchantId === undefined || row?.merchant_id === request.merchantId;
    if (row === undefined || !isOwn || row.environment !== 'test') {
      throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such test checkout');
    }
    assert(row.environment === 'test', 'only the window of a test checkout is moved');
    expireLocks(tx, request.checkoutId, app.clock.now());
  });
}
