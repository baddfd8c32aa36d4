// A shop on plain Node whose buyers pay in a window above its page. What the window tells is shown
// to them; what is shipped is decided by the webhook, and by asking the service.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { Quittance, WebhookVerificationError, webhooks } from '@quittance/client';

const { PORT = '3000', SHOP_URL = `http://localhost:${PORT}` } = process.env;
const { QUITTANCE_URL = '', QUITTANCE_WEBHOOK_SECRET = '' } = process.env;
const integrity = 'sha384-F+eovcuYR4CFuyR/bs5ANKON13MfHhx+BlN2qIa88Ph5zhxvLG7Wh3etZ2ZuEmRG';
const price = '19.90';
const quittance = new Quittance({
  baseUrl: QUITTANCE_URL,
  key: process.env.QUITTANCE_KEY ?? '',
  secret: process.env.QUITTANCE_SECRET ?? '',
});

const database = new DatabaseSync('shop.db');
database.exec(`create table if not exists orders (number text primary key, checkout text unique,
  state text not null default 'open')`);
const statements = {
  open: database.prepare('insert into orders (number) values (?)'),
  note: database.prepare('update orders set checkout = ? where number = ?'),
  find: database.prepare('select * from orders where number = ?'),
  findByCheckout: database.prepare('select * from orders where checkout = ?'),
  pay: database.prepare("update orders set state = 'paid' where number = ? and state = 'open'"),
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
  if (method === 'GET' && pathname === '/') return shelf();
  if (method === 'GET' && pathname === '/window.js') return windowScript();
  if (method === 'POST' && pathname === '/buy') return await buy(request);
  if (method === 'POST' && pathname === '/quittance') return await takeWebhook(request);
  if (pathname === '/thanks') return await thank(searchParams.get('order') ?? '');
  const [, first, number = ''] = pathname.split('/');
  if (first === 'orders') return tell(number);
  return { status: 404, text: 'There is no such page.' };
}

/** Without its script the button leads to the hosted page. */
function shelf() {
  return page(`<form method="post" action="/buy"><button>A good book, ${price} EUR</button></form>
<p role="status"></p>
<script src="${QUITTANCE_URL}/embed/v1.js" integrity="${integrity}" crossorigin="anonymous"></script>
<script src="/window.js"></script>`);
}

function windowScript() {
  const text = `const form = document.querySelector('form');
const status = document.querySelector('[role=status]');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const headers = { accept: 'application/json' };
  const answer = await fetch(form.action, { method: 'POST', headers });
  const { url, thanks } = await answer.json();
  Quittance.open(url, { onComplete: () => location.assign(thanks) });
});
document.addEventListener('quittance:seen', () => { status.textContent = 'Your money is seen.'; });
document.addEventListener('quittance:closed', () => { status.textContent = 'Not paid yet.'; });`;
  return { status: 200, text, headers: { 'content-type': 'text/javascript' } };
}

async function buy(request) {
  const number = randomUUID();
  statements.open.run(number);
  const thanks = `${SHOP_URL}/thanks?order=${number}`;
  const { id, url } = await quittance.checkout.createHosted(
    {
      charge: {
        billingCurrency: 'EUR',
        lineItems: [{ description: 'A good book', netAmount: price, quantity: '1' }],
      },
      pageSettings: { returnUrl: thanks, cancelUrl: SHOP_URL },
      webhook: `${SHOP_URL}/quittance`,
      meta: { order: number },
    },
    { idempotencyKey: `order-${number}` },
  );
  statements.note.run(id, number);
  if (request.headers.accept !== 'application/json')
    return { status: 303, text: '', headers: { location: url } };
  const headers = { 'content-type': 'application/json' };
  return { status: 200, text: JSON.stringify({ url, thanks }), headers };
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
  const order = statements.findByCheckout.get(event.data.checkout?.id ?? '');
  if (order !== undefined) await look(order);
  return { status: 204, text: '' };
}

/** Asks the service how far the order is: no event, webhook or customer is believed. */
async function look({ number, checkout: id, state }) {
  if (state !== 'open' || id === null) return;
  const checkout = await quittance.checkout.get(id);
  const isPrice = exact(checkout.total) === exact(price) && checkout.billingCurrency === 'EUR';
  if (checkout.state !== 'COMPLETED' || !isPrice) return;
  if (statements.pay.run(number).changes === 1) console.log(`ship order ${number}`);
}

/** The service writes amounts without zeros at the end: 19.9. */
function exact(amount) {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}

async function thank(number) {
  const found = statements.find.get(number);
  if (found === undefined) return { status: 404, text: 'There is no such order.' };
  await look(found);
  const { state } = statements.find.get(number);
  return page(state === 'paid' ? '<p>Thank you!</p>' : '<p>We wait for your payment.</p>');
}

function tell(number) {
  const found = statements.find.get(number);
  if (found === undefined) return { status: 404, text: '{}' };
  return { status: 200, text: JSON.stringify({ state: found.state }) };
}

function page(body) {
  const text = `<!doctype html><html lang="en"><title>A good book</title>${body}</html>`;
  return { status: 200, text, headers: { 'content-type': 'text/html; charset=utf-8' } };
}
