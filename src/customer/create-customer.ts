import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import type { Db } from '#db/db.ts';
import type { Customer, CustomerFields, CustomerOwner } from './customer.ts';
import { insertCustomer } from './customer-store.ts';

export async function createCustomer(
  app: { readonly db: Db; readonly clock: Clock; readonly random: Random },
  owner: CustomerOwner,
  given: CustomerFields,
): Promise<Customer> {
  const customer = { ...given, id: newId(app.random), createdAt: app.clock.now() };
  await app.db.single((tx) => insertCustomer(tx, owner, customer));
  return customer;
}
