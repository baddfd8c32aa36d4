// A shop on plain Node that was made from the manual alone: it sells one book, refunds it, and
// shows each customer how far his order is.
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { Quittance, WebhookVerificationError, webhooks } from '@quittance/client';

const { PORT = '3000', SHOP_URL = `http://localhost:${PORT}` } = process.env;
const { QUITTANCE_WEBHOOK_SECRET = '', SHOP_ADMIN_TOKEN = '' } = process.env;
const price = '19.90';
const quittance = new Quittance({
  baseUrl: process.env.QUITTANCE_URL ?? '',
  key: process.env.QUITTANCE_KEY ?? '',
  secret: process.env.QUITTANCE_SECRET ?? '',
});

const database = new DatabaseSync('shop.db');
database.exec(`create table if not exists orders (number text primary key, checkout text unique,
  state text not null default 'open', refund text, claim_url text)`);
const statements = {
  open: database.prepare('insert into orders (number) values (?)'),
  note: database.prepare('update orders set checkout = ? where number = ?'),
  find: database.prepare('select * from orders where number = ?'),
  findByCheckout: database.prepare('select * from orders where checkout = ?'),
  findByRefund: database.prepare('select * from orders where refund = ?'),
  move: database.prepare('update orders set state = ? where number = ? and state = ?'),
  noteRefund: database.prepare('update orders set refund = ?, claim_url = ? where number = ?'),
};

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, text, headers = {} }) => response.writeHead(status, headers).end(text),
    (error) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(PORT), '127.0.0.1');

async function answer(request) {
  const { method = '', url = '/' } = request;
  const { pathname, searchParams } = new URL(url, SHOP_URL);
  const [, first, number = '', act] = pathname.split('/');
  if (method === 'GET' && pathname === '/')
    return page(`<form method="post" action="/buy">
    <button>A good book, ${price} EUR</button></form>`);
  if (method === 'POST' && pathname === '/buy') return await buy();
  if (method === 'POST' && pathname === '/quittance') return await takeWebhook(request);
  if (method === 'GET' && pathname === '/thanks')
    return await show(searchParams.get('order') ?? '');
  if (first === 'orders' && method === 'GET') return tell(number);
  if (first === 'orders' && method === 'POST' && act === 'refund')
    return await refund(request, number);
  return { status: 404, text: 'There is no such page.' };
}

async function buy() {
  const number = randomUUID();
  statements.open.run(number);
  const { id, url } = await quittance.checkout.createHosted(
    {
      charge: {
        billingCurrency: 'EUR',
        lineItems: [{ description: 'A good book', netAmount: price, quantity: '1' }],
      },
      pageSettings: { returnUrl: `${SHOP_URL}/thanks?order=${number}`, cancelUrl: SHOP_URL },
      webhook: `${SHOP_URL}/quittance`,
      meta: { order: number },
    },
    { idempotencyKey: `order-${number}` },
  );
  statements.note.run(id, number);
  return { status: 303, text: '', headers: { location: url } };
}

async function takeWebhook(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let event;
  try {
    event = await webhooks.verify(Buffer.concat(chunks), request.headers, QUITTANCE_WEBHOOK_SECRET);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { status: 400, text: error.code };
  }
  const order = event.data.refund
    ? statements.findByRefund.get(event.data.refund.id)
    : statements.findByCheckout.get(event.data.checkout?.id ?? '');
  if (order !== undefined) await look(order);
  return { status: 204, text: '' };
}

/** Asks the service how far the order is: no webhook and no customer is believed. */
async function look({ number, checkout: id, state, refund: refundId }) {
  if (state === 'open' && id !== null) {
    const checkout = await quittance.checkout.get(id);
    const isPrice = exact(checkout.total) === exact(price) && checkout.billingCurrency === 'EUR';
    if (checkout.state !== 'COMPLETED' || !isPrice) return;
    if (statements.move.run('paid', number, 'open').changes === 1)
      console.log(`ship order ${number}`);
  }
  if (state === 'refunding') {
    const { state: end } = await quittance.refunds.get(refundId);
    if (end === 'COMPLETED') statements.move.run('refunded', number, 'refunding');
    if (end === 'FAILED') statements.move.run('paid', number, 'refunding');
  }
}

/** The service writes amounts without zeros at the end: 19.9. */
function exact(amount) {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

async function show(number) {
  const found = statements.find.get(number);
  if (found === undefined) return { status: 404, text: 'There is no such order.' };
  await look(found);
  const { state, claim_url: claimUrl } = statements.find.get(number);
  if (state === 'open') {
    return page('<meta http-equiv="refresh" content="5"><p>We wait for your payment.</p>');
  }
  if (state === 'paid') return page('<p>Thank you. Your book is on its way.</p>');
  if (state === 'refunded') return page('<p>Your money was sent back.</p>');
  return page(`<p>You get your money back: <a href="${claimUrl}">say where to</a>.</p>`);
}

function tell(number) {
  const order = statements.find.get(number);
  if (order === undefined) return { status: 404, text: '{}' };
  const text = JSON.stringify({ order: number, state: order.state });
  return { status: 200, text, headers: { 'content-type': 'application/json' } };
}

/**
 * For whoever has the token of the shop. Twice is once: the key of the request is that of the
 * order.
 */
async function refund(request, number) {
  if (!isAdmin(request.headers.authorization ?? '')) return { status: 403, text: 'Not for you.' };
  const order = statements.find.get(number);
  if (order?.state !== 'paid') return { status: 409, text: 'It is not paid.' };
  const made = await quittance.refunds.create(
    { checkoutId: order.checkout, kind: 'full' },
    { idempotencyKey: `refund-${number}` },
  );
  statements.noteRefund.run(made.id, made.claimUrl ?? null, number);
  statements.move.run('refunding', number, 'paid');
  return tell(number);
}

function isAdmin(header) {
  const [given, wanted] = [Buffer.from(header), Buffer.from(`Bearer ${SHOP_ADMIN_TOKEN}`)];
  if (SHOP_ADMIN_TOKEN === '' || given.length !== wanted.length) return false;
  return timingSafeEqual(given, wanted);
}

function page(text) {
  return { status: 200, text, headers: { 'content-type': 'text/html; charset=utf-8' } };
}
