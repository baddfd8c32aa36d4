// The merchant takes what arrived: the checkout is completed, and credited at that. Guarantees:
// what is accepted is what is pending now, and accepting and completing are one transaction: no
// other money ever completes a checkout in its place.

import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db, Tx } from '#db/db.ts';
import { actOnDecided } from './act-on-decided.ts';
import { acceptUnderpaidRow, type CheckoutRow } from './checkout-store.ts';
import { readRecords } from './read-records.ts';
import { markCreditsAccepted } from './receipt-credit-store.ts';
import { type SettleCheckoutApp, settleLocked } from './settle-checkout.ts';

export type AcceptUnderpaidRequest = {
  readonly checkoutId: string;
  readonly owner: { readonly merchantId: string; readonly environment: Environment };
};

type AcceptUnderpaidApp = SettleCheckoutApp & { readonly db: Db; readonly clock: Clock };

/**
 * Refuses: missing; conflict `checkout_not_underpaid` in any other state, `payment_uncertain` while
 * the network is taking a part of it back. Outage without a rate, where it is worth what it is now.
 */
export async function acceptUnderpaid(
  app: AcceptUnderpaidApp,
  { checkoutId, owner }: AcceptUnderpaidRequest,
): Promise<void> {
  await actOnDecided(app, checkoutId, async (tx, row) => {
    if (row?.merchant_id !== owner.merchantId || row.environment !== owner.environment) {
      throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such checkout');
    }
    if (row.state !== 'UNDERPAID') {
      throw new Refusal('conflict', 'checkout_not_underpaid', `the checkout is ${row.state}`);
    }
    await acceptLocked(app, tx, row);
  });
}

async function acceptLocked(app: AcceptUnderpaidApp, tx: Tx, row: CheckoutRow): Promise<void> {
  const now = app.clock.now();
  acceptUnderpaidRow(tx, row.id, now);
  markCreditsAccepted(tx, row.id, now);
  const rows = Promise.resolve([{ ...row, accepted_underpaid_at: now }]);
  const [record] = await readRecords(app, tx, [row.id], rows);
  const outcome = record && (await settleLocked(app, tx, record));
  if (outcome?.kind === 'changed' && outcome.state === 'COMPLETED') return;
  if (outcome?.waitsForRate) throw new Outage('rate (what was paid cannot be valued now)');
  throw new Refusal('conflict', 'payment_uncertain', [
    'the network is taking a payment of this checkout back: wait until it is certain',
  ]);
}
