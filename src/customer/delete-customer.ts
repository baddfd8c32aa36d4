import type { Clock } from '#base/clock.ts';
import type { Db } from '#db/db.ts';
import type { CustomerOwner } from './customer.ts';
import { clearCustomer } from './customer-store.ts';
import { customerMissing } from './find-customer.ts';

/**
 * Clears everything personal for good. The id is never used again: checkouts of the past keep it.
 * @throws Refusal missing `customer_missing`.
 */
export async function deleteCustomer(
  app: { readonly db: Db; readonly clock: Clock },
  owner: CustomerOwner,
  id: string,
): Promise<void> {
  const now = app.clock.now();
  if (!(await app.db.single((tx) => clearCustomer(tx, owner, id, now)))) throw customerMissing();
}
