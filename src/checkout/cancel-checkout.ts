// Cancels a checkout that no money was seen for. It stays watched: what arrives is still credited.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { actOnDecided } from './act-on-decided.ts';
import { cancelCheckoutRow } from './checkout-store.ts';
import type { SettleCheckoutApp } from './settle-checkout.ts';

export type CancelRequest = {
  readonly checkoutId: string;
  readonly owner: { readonly merchantId: string; readonly environment: Environment } | 'page';
};

/**
 * Refuses: missing; conflict once money was seen, or when it is over. Repeating it changes nothing.
 */
export async function cancelCheckout(
  app: SettleCheckoutApp & { readonly db: Db; readonly clock: Clock },
  { checkoutId, owner }: CancelRequest,
): Promise<void> {
  await actOnDecided(app, checkoutId, (tx, row) => {
    const isOwner =
      row !== undefined &&
      (owner === 'page' ||
        (row.merchant_id === owner.merchantId && row.environment === owner.environment));
    if (row === undefined || !isOwner) {
      throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such checkout');
    }
    switch (row.state) {
      case 'NEW':
      case 'AWAITING_PAYMENT':
      case 'EXPIRED':
        return cancelCheckoutRow(tx, checkoutId, app.clock.now());
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
