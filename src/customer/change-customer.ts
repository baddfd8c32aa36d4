import type { Clock } from '#base/clock.ts';
import type { Db } from '#db/db.ts';
import type { Customer, CustomerFields, CustomerOwner } from './customer.ts';
import { updateCustomer } from './customer-store.ts';
import { customerMissing } from './find-customer.ts';

/** Changes the given fields only. @throws Refusal missing `customer_missing`. */
export async function changeCustomer(
  app: { readonly db: Db; readonly clock: Clock },
  owner: CustomerOwner,
  id: string,
  changes: Partial<CustomerFields>,
): Promise<Customer> {
  const now = app.clock.now();
  const changed = await app.db.single((tx) => updateCustomer(tx, owner, id, changes, now));
  if (changed === undefined) throw customerMissing();
  return changed;
}
