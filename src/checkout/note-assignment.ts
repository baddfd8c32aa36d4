// A person decided on money in suspense that names a checkout: what it shows of it changes. Under
// the lock of the checkout.

import { assert } from '#base/assert.ts';
import { timestamp } from '#base/timestamp.ts';
import { sql, type Tx } from '#db/db.ts';
import { requestSettlement } from '#settle/queue.ts';
import { type Checkout, type CheckoutFlags, lockCheckoutRow } from './checkout.ts';

export async function lockNamedCheckout(tx: Tx, id: string): Promise<Checkout> {
  const checkout = await lockCheckoutRow(tx, id);
  assert(checkout !== undefined, 'a checkout is never removed');
  return checkout;
}

export function noteAssignment(
  tx: Tx,
  { id, flags }: Checkout,
  isAssigned: boolean,
  now: Temporal.Instant,
): void {
  if (isAssigned) {
    const noted: CheckoutFlags = { ...flags, manual: { at: timestamp(now) } };
    tx.send(sql`
      update checkout set flags = ${JSON.stringify(noted)}, changed_in = pg_current_xact_id()
      where id = ${id}`);
  }
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: id }], now);
}
