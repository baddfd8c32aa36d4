import { Quittance } from '@quittance/client';
import { markPaid, type Order } from './orders';

/** Made for each request, so that the pages are built without a key. */
export function openQuittance(): Quittance {
  const { QUITTANCE_URL = '', QUITTANCE_KEY = '', QUITTANCE_SECRET = '' } = process.env;
  return new Quittance({ baseUrl: QUITTANCE_URL, key: QUITTANCE_KEY, secret: QUITTANCE_SECRET });
}

/** Asks the service about the checkout that the shop itself noted: a webhook is only a hint. */
export async function settle(order: Order): Promise<void> {
  if (order.state === 'paid' || order.checkoutId === null) return;
  const checkout = await openQuittance().checkout.get(order.checkoutId);
  const isForThis =
    exact(checkout.total) === exact(order.total) && checkout.billingCurrency === order.currency;
  if (checkout.state !== 'COMPLETED' || !isForThis) return;
  if (markPaid(order.number)) console.log(`ship order ${order.number}`);
}

/** The service writes 19.90 as 19.9. */
function exact(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}
