// The merchant takes what arrived: the checkout is completed, and credited at that. Guarantees:
// what is accepted is what is pending now, and accepting and completing are one transaction: no
// other money ever completes a checkout in its place.

import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { actOnDecided } from './act-on-decided.ts';
import type { Checkout } from './checkout.ts';
import { readRecords } from './read-records.ts';
import { type SettleCheckoutApp, settleLocked } from './settle-checkout.ts';

export type AcceptUnderpaidRequest = {
  readonly checkoutId: string;
  readonly owner: Owner;
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
  await actOnDecided(app, checkoutId, async (tx, checkout) => {
    if (checkout?.merchantId !== owner.merchantId || checkout.environment !== owner.environment) {
      throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such checkout');
    }
    if (checkout.state !== 'UNDERPAID') {
      throw new Refusal('conflict', 'checkout_not_underpaid', `the checkout is ${checkout.state}`);
    }
    await acceptLocked(app, tx, checkout);
  });
}

async function acceptLocked(app: AcceptUnderpaidApp, tx: Tx, checkout: Checkout): Promise<void> {
  const now = app.clock.now();
  tx.send(sql`
    update checkout set accepted_underpaid_at = ${now}, changed_in = pg_current_xact_id()
    where id = ${checkout.id}`);
  // Exactly this money is accepted, and nothing that comes in its place.
  tx.send(sql`
    update receipt_credit set accepted_at = ${now}
    where checkout_id = ${checkout.id} and account = 'pending' and released_at is null
      and reversed_at is null`);
  const accepted = Promise.resolve([{ ...checkout, acceptedUnderpaidAt: now }]);
  const [record] = await readRecords(app, tx, [checkout.id], accepted);
  const outcome = record && (await settleLocked(app, tx, record));
  if (outcome?.kind === 'changed' && outcome.state === 'COMPLETED') return;
  if (outcome?.waitsForRate) throw new Outage('rate (what was paid cannot be valued now)');
  throw new Refusal('conflict', 'payment_uncertain', [
    'the network is taking a payment of this checkout back: wait until it is certain',
  ]);
}
