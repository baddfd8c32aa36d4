// The customer a checkout is made out to, where the merchant wants the address shown.
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { Reader } from '#db/db.ts';
import type { Customer } from '#people/customer.ts';
import { findCustomer } from '#people/customer.ts';
import type { OrderSummary } from './order-summary.ts';

/** Undefined when none is linked, when it was deleted, and when it is not to be shown. */
export async function findBuyer(
  app: { readonly db: Reader },
  record: CheckoutRecord,
  { isBuyerShown }: Pick<OrderSummary, 'isBuyerShown'>,
): Promise<Customer | undefined> {
  const { customerId, merchantId, environment } = record;
  if (!isBuyerShown || customerId === undefined) return undefined;
  return findCustomer(app, { merchantId, environment }, customerId);
}
