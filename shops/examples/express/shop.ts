// A shop on Express. It sells one book, sends the customer to a hosted page, and ships when the
// service says that this checkout of this order is paid.
import process from 'node:process';
import { Quittance, WebhookVerificationError, webhooks } from '@quittance/client';
import express from 'express';
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
const app = express();

app.get('/', (_request, response) => {
  response.send('<form method="post" action="/buy"><button>A good book, 19.90 EUR</button></form>');
});

app.post('/buy', async (_request, response) => {
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
  response.redirect(303, url);
});

// The bytes as they came: JSON that is parsed and written again is another text.
app.post('/quittance', express.raw({ type: () => true }), async (request, response) => {
  try {
    const event = await webhooks.verify(request.body, request.headers, QUITTANCE_WEBHOOK_SECRET);
    if ('checkout' in event.data) {
      const order = findByCheckout(event.data.checkout.id);
      if (order !== undefined) await settle(order);
    }
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.code);
  }
});

// Anybody can open this address: what it says is what the service says.
app.get('/thanks', async (request, response) => {
  const order = findOrder(String(request.query.order));
  if (order === undefined) return void response.status(404).send('There is no such order.');
  await settle(order);
  const isPaid = findOrder(order.number)?.state === 'paid';
  response.send(isPaid ? 'Thank you. Your book is on its way.' : 'We wait for your payment.');
});

app.get('/orders/:number', (request, response) => {
  const order = findOrder(request.params.number);
  if (order === undefined) return void response.status(404).json({ error: 'no such order' });
  response.json({ order: order.number, state: order.state });
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

app.listen(Number(PORT), '127.0.0.1');
