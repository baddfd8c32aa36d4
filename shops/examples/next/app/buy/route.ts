import { noteCheckout, openOrder } from '../../shop/orders';
import { openQuittance } from '../../shop/settle';

export async function POST(): Promise<Response> {
  const { SHOP_URL = 'http://127.0.0.1:3000' } = process.env;
  const number = openOrder('19.90', 'EUR');
  const { id, url } = await openQuittance().checkout.createHosted(
    {
      charge: {
        billingCurrency: 'EUR',
        lineItems: [{ description: 'A good book', netAmount: '19.90' }],
      },
      pageSettings: { returnUrl: `${SHOP_URL}/thanks?order=${number}`, cancelUrl: SHOP_URL },
      webhook: `${SHOP_URL}/quittance`,
      meta: { order: number },
    },
    // A request that is sent twice makes one checkout.
    { idempotencyKey: `order-${number}` },
  );
  noteCheckout(number, id);
  return Response.redirect(url, 303);
}
