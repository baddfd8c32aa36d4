// The merchant takes what arrived: the checkout is completed, and credited at that.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { actOnDecided } from './act-on-decided.ts';
import { acceptUnderpaidRow } from './checkout-store.ts';
import type { SettleCheckoutApp } from './settle-checkout.ts';

export type AcceptUnderpaidRequest = {
  readonly checkoutId: string;
  readonly owner: { readonly merchantId: string; readonly environment: Environment };
};

/** Refuses: missing; conflict `checkout_not_underpaid` in any other state. */
export async function acceptUnderpaid(
  app: SettleCheckoutApp & { readonly db: Db; readonly clock: Clock },
  { checkoutId, owner }: AcceptUnderpaidRequest,
): Promise<void> {
  await actOnDecided(app, checkoutId, (tx, row) => {
    if (row?.merchant_id !== owner.merchantId || row.environment !== owner.environment) {
      throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such checkout');
    }
    if (row.state !== 'UNDERPAID') {
      throw new Refusal('conflict', 'checkout_not_underpaid', `the checkout is ${row.state}`);
    }
    acceptUnderpaidRow(tx, checkoutId, app.clock.now());
  });
}
