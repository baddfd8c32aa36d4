// Cancels a checkout that no money was seen for. It stays watched: what arrives is still credited.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, sql } from '#db/db.ts';
import { actOnDecided } from './act-on-decided.ts';
import type { SettleCheckoutApp } from './settle-checkout.ts';

export type CancelRequest = {
  readonly checkoutId: string;
  readonly owner: Owner | 'page';
};

/**
 * Refuses: missing; conflict once money was seen, or when it is over. Repeating it changes nothing.
 */
export async function cancelCheckout(
  app: SettleCheckoutApp & { readonly db: Db; readonly clock: Clock },
  { checkoutId, owner }: CancelRequest,
): Promise<void> {
  await actOnDecided(app, checkoutId, (tx, checkout) => {
    const isOwner =
      checkout !== undefined &&
      (owner === 'page' ||
        (checkout.merchantId === owner.merchantId && checkout.environment === owner.environment));
    if (checkout === undefined || !isOwner) {
      throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such checkout');
    }
    const now = app.clock.now();
    switch (checkout.state) {
      case 'NEW':
      case 'AWAITING_PAYMENT':
      case 'EXPIRED':
        return tx.send(sql`
          update checkout set cancelled_at = coalesce(cancelled_at, ${now}), settle_at = ${now},
            changed_in = pg_current_xact_id()
          where id = ${checkoutId}`);
      case 'CANCELLED':
        return;
      case 'COMPLETED':
        throw new Refusal('conflict', 'checkout_completed', 'the checkout is paid already');
      case 'PENDING':
      case 'UNDERPAID':
        throw new Refusal('conflict', 'checkout_has_money', 'a payment was seen already');
    }
  });
}
