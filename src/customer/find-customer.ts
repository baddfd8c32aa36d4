import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import type { Customer, CustomerOwner } from './customer.ts';
import { findCustomerRow } from './customer-store.ts';

/** Undefined also for a deleted customer and for one of another merchant or environment (E9). */
export function findCustomer(
  app: { readonly db: Reader },
  owner: CustomerOwner,
  id: string,
): Promise<Customer | undefined> {
  return findCustomerRow(app.db, owner, id);
}

/** @throws Refusal missing `customer_missing`. */
export async function getCustomer(
  app: { readonly db: Reader },
  owner: CustomerOwner,
  id: string,
): Promise<Customer> {
  const found = await findCustomer(app, owner, id);
  if (found === undefined) throw customerMissing();
  return found;
}

export function customerMissing(): Refusal {
  return new Refusal('missing', 'customer_missing', 'no such customer');
}
