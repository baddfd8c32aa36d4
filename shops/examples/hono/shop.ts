// A shop on Hono. It sells one book, sends the customer to a hosted page, and ships when the
// service says that this checkout of this order is paid.
import process from 'node:process';
import { serve } from '@hono/node-server';
import { Quittance, WebhookVerificationError, webhooks } from '@quittance/client';
import { Hono } from 'hono';
import {
  findByCheckout,
  findOrder,
  markPaid,
  noteCheckout,
  type Order,
  openOrder,
} from './orders.ts';

const {
  QUITTANCE_URL = '',
  QUITTANCE_KEY = '',
  QUITTANCE_SECRET = '',
  QUITTANCE_WEBHOOK_SECRET = '',
  PORT = '3000',
  SHOP_URL = `http://127.0.0.1:${PORT}`,
} = process.env;
const quittance = new Quittance({
  baseUrl: QUITTANCE_URL,
  key: QUITTANCE_KEY,
  secret: QUITTANCE_SECRET,
});
const app = new Hono();

app.get('/', (context) =>
  context.html('<form method="post" action="/buy"><button>A good book, 19.90 EUR</button></form>'),
);

app.post('/buy', async (context) => {
  const number = openOrder('19.90', 'EUR');
  const { id, url } = await quittance.checkout.createHosted(
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
  return context.redirect(url, 303);
});

app.post('/quittance', async (context) => {
  try {
    // The text as it came: JSON that is parsed and written again is another one.
    const body = await context.req.text();
    const event = await webhooks.verify(body, context.req.raw.headers, QUITTANCE_WEBHOOK_SECRET);
    if ('checkout' in event.data) {
      const order = findByCheckout(event.data.checkout.id);
      if (order !== undefined) await settle(order);
    }
    return context.body(null, 204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return context.text(error.code, 400);
  }
});

// Anybody can open this address: what it says is what the service says.
app.get('/thanks', async (context) => {
  const order = findOrder(context.req.query('order') ?? '');
  if (order === undefined) return context.text('There is no such order.', 404);
  await settle(order);
  const isPaid = findOrder(order.number)?.state === 'paid';
  return context.text(isPaid ? 'Thank you. Your book is on its way.' : 'We wait for your payment.');
});

app.get('/orders/:number', (context) => {
  const order = findOrder(context.req.param('number'));
  if (order === undefined) return context.json({ error: 'no such order' }, 404);
  return context.json({ order: order.number, state: order.state });
});

/** Asks the service about the checkout that the shop itself noted: a webhook is only a hint. */
async function settle(order: Order): Promise<void> {
  if (order.state === 'paid' || order.checkoutId === null) return;
  const checkout = await quittance.checkout.get(order.checkoutId);
  const isForThis =
    exact(checkout.total) === exact(order.total) && checkout.billingCurrency === order.currency;
  if (checkout.state !== 'COMPLETED' || !isForThis) return;
  if (markPaid(order.number)) console.log(`ship order ${order.number}`);
}

/** The service writes 19.90 as 19.9. */
function exact(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
