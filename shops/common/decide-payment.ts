// What a checkout of the service means for one order of a shop. The shop says which checkout it
// made for the order, for how much: of any other checkout nothing is believed.
import { isSameAmount } from './decimal.ts';

/** What is read of a checkout, as `GET /checkout` gives it. */
export type CheckoutFacts = {
  readonly id: string;
  readonly state: string;
  readonly total: string;
  readonly billingCurrency: string;
};

/** What the shop noted when it created the checkout. */
export type Sale = {
  readonly checkoutId: string;
  readonly total: string;
  readonly currency: string;
};

/**
 * `paid`: ship. `seen`: money is there and not final, or not enough. `open`: nothing came yet, and
 * may still come, even after its time. `ended`: cancelled. `foreign`: it is not the checkout of
 * this sale.
 */
export type PaymentVerdict = 'paid' | 'seen' | 'open' | 'ended' | 'foreign';

const VERDICTS: Readonly<Record<string, PaymentVerdict>> = {
  COMPLETED: 'paid',
  PENDING: 'seen',
  UNDERPAID: 'seen',
  CANCELLED: 'ended',
};

export function decidePayment(checkout: CheckoutFacts, sale: Sale): PaymentVerdict {
  const isOfSale =
    checkout.id === sale.checkoutId &&
    checkout.billingCurrency === sale.currency.toUpperCase() &&
    isSameAmount(checkout.total, sale.total);
  return isOfSale ? (VERDICTS[checkout.state] ?? 'open') : 'foreign';
}
