// Ends the payment window of a TEST checkout now, so that expiry and late payments can be tried
// without waiting an hour. Live windows are never moved (S7). Whoever calls it has it decided.

import { Refusal } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import { lockCheckoutRow } from './checkout.ts';
import type { SettleCheckoutApp } from './settle-checkout.ts';

export async function expireCheckout(
  app: Pick<SettleCheckoutApp, 'db' | 'clock'>,
  request: { readonly checkoutId: string; readonly merchantId: string | undefined },
): Promise<void> {
  await app.db.transact(async (tx) => {
    const checkout = await lockCheckoutRow(tx, request.checkoutId);
    const isOwn = request.merchantId === undefined || checkout?.merchantId === request.merchantId;
    if (checkout === undefined || !isOwn || checkout.environment !== 'test') {
      throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such test checkout');
    }
    const now = app.clock.now();
    tx.send(sql`
      update commitment
      set expires_at = greatest(${now}::timestamptz, committed_at + interval '1 millisecond')
      where checkout_id = ${checkout.id} and expires_at > ${now}`);
    tx.send(sql`
      update checkout set expires_at = least(expires_at, ${now}::timestamptz), settle_at = ${now},
        changed_in = pg_current_xact_id()
      where id = ${checkout.id}`);
  });
}
