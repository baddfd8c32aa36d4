// An agent with the public client of x402 (@x402/fetch, @x402/evm), unmodified, pays for routes of a shop
// on Hono and on Express, which stand behind the middleware of our client library: with the real
// service, its signer and an EVM node.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { contractOf, USDC } from '#test/nodes/evm-shop.ts';
import { openX402Shop, type X402Shop } from '#test/nodes/x402-shop.ts';
import {
  paidExpress,
  paidHono,
  X402,
  type X402Payment,
} from '../../clients/typescript/src/x402/index.ts';
import { loadPackage } from './package-of.ts';

type Fetch = typeof fetch;
const { wrapFetchWithPayment, x402Client, decodePaymentResponseHeader } = loadPackage<{
  wrapFetchWithPayment(fetch: Fetch, client: object): Fetch;
  x402Client: new () => { setSpendControls(controls: false): object };
  decodePaymentResponseHeader(header: string): Readonly<Record<string, unknown>>;
}>('@x402/fetch');
const { registerExactEvmScheme } = loadPackage<{
  registerExactEvmScheme(client: object, config: { signer: PrivateKeyAccount }): void;
}>('@x402/evm/exact/client');
type ExpressApp = {
  (request: unknown, response: unknown): void;
  get(path: string, ...handlers: readonly unknown[]): void;
};
const express = loadPackage<() => ExpressApp>('express');

const payer = privateKeyToAccount(generatePrivateKey());
const poor = privateKeyToAccount(generatePrivateKey());
const closers: (() => Promise<unknown>)[] = [];
let shop: X402Shop;
let onHono: string;
let onExpress: string;
let isFailing = false;
let beat: NodeJS.Timeout | undefined;

before(async () => {
  shop = await openX402Shop(payer.address);
  closers.push(() => shop.close());
  const x402 = new X402({
    baseUrl: shop.server.origin,
    key: shop.key.key,
    secret: shop.key.secret,
    network: 'ETHEREUM',
    asset: USDC,
    webhook: `${shop.receiver.origin}/hooks/agents`,
  });
  const price = { amount: '0.25', currency: 'USDC', description: 'The weather of a day' };
  const hono = new Hono<{ Variables: { payment: X402Payment } }>();
  hono.get('/weather/:day', paidHono(x402, price), (context) => {
    if (isFailing) return context.json({ error: 'no weather' }, 500);
    return context.json({ weather: 'rain', checkoutId: context.get('payment').checkoutId });
  });
  const honoServer = serve({ fetch: hono.fetch, hostname: '127.0.0.1', port: 0 });
  const app = express();
  type Answering = { readonly locals: { readonly payment: X402Payment }; json(body: object): void };
  app.get('/tide', paidExpress(x402, price), (_: unknown, response: Answering) => {
    response.json({ tide: 'low', checkoutId: response.locals.payment.checkoutId });
  });
  const expressServer = createServer(app).listen(0, '127.0.0.1');
  for (const server of [honoServer, expressServer]) {
    if (server.address() === null) await once(server, 'listening');
    closers.unshift(() => {
      const closed = once(server, 'close');
      server.close();
      // Agents keep theirs open.
      if ('closeAllConnections' in server) server.closeAllConnections();
      return closed;
    });
  }
  onHono = `http://127.0.0.1:${(honoServer.address() as AddressInfo).port}`;
  onExpress = `http://127.0.0.1:${(expressServer.address() as AddressInfo).port}`;
  // A chain goes on by itself.
  beat = setInterval(() => void shop.include().catch(() => undefined), 250);
});
after(async () => {
  clearInterval(beat);
  for (const close of closers) await close();
});

/** An agent, and what it sent: the signature is read where any wire would show it. */
function agentOf(signer: PrivateKeyAccount) {
  const sent: string[] = [];
  const client = new x402Client();
  registerExactEvmScheme(client, { signer });
  // Of tokens that the client does not know it pays none, and of a chain of one's own it knows none.
  client.setSpendControls(false);
  const watched: Fetch = (input, init) => {
    // By its form: the server of Hono puts a class of its own in the place of Request.
    const { headers } = input as Request;
    const signature = headers.get('payment-signature');
    if (signature !== null) sent.push(signature);
    return fetch(input, init);
  };
  return { pay: wrapFetchWithPayment(watched, client), sent };
}

const again = (url: string, signature: string) =>
  fetch(url, { headers: { 'payment-signature': signature } });

for (const [name, urlOf, word] of [
  ['Hono', () => `${onHono}/weather/monday`, 'rain'],
  ['Express', () => `${onExpress}/tide`, 'low'],
] as const) {
  test(`an agent pays for a route on ${name}, and the sale is in the books`, async () => {
    const agent = agentOf(payer);
    const response = await agent.pay(urlOf());
    const body = (await response.json()) as Record<string, string>;
    assert.equal(response.status, 200, JSON.stringify(body));
    assert.ok(Object.values(body).includes(word));
    assert.equal(response.headers.get('cache-control'), 'private');
    const told = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '');
    assert.equal(told.success, true);
    const { checkoutId = '' } = body;
    await shop.client.waitForState(checkoutId, 'COMPLETED');
    const [transaction] = await shop.transactionsOf(checkoutId);
    assert.equal(transaction?.tx, told.transaction);
    await shop.waitForEvent(checkoutId, 'CHECKOUT_COMPLETED');
  });
}

test('what is not paid for is told how, in the header and in the body', async () => {
  const response = await fetch(`${onHono}/weather/tuesday`);
  assert.equal(response.status, 402);
  const body = (await response.json()) as { accepts: readonly Record<string, unknown>[] };
  const header = response.headers.get('payment-required') ?? '';
  assert.deepEqual(JSON.parse(Buffer.from(header, 'base64').toString()), body);
  const { scheme, network, asset, amount } = body.accepts[0] ?? {};
  assert.deepEqual(
    { scheme, network, asset, amount },
    { scheme: 'exact', network: 'eip155:31337', asset: contractOf(USDC), amount: '250000' },
  );
});

test('what was signed for one route pays for that alone, as often as its answer is lost', async () => {
  const agent = agentOf(payer);
  isFailing = true;
  const failed = await agent.pay(`${onHono}/weather/wednesday`);
  assert.equal(failed.status, 500);
  isFailing = false;
  const [signature = ''] = agent.sent;
  for (const other of [`${onHono}/weather/thursday`, `${onExpress}/tide`]) {
    const refused = await again(other, signature);
    assert.equal(refused.status, 402);
    const { error } = (await refused.json()) as { error: string };
    assert.equal(error, 'this was signed for another resource');
    assert.equal(refused.headers.get('payment-response'), null);
  }
  const [one, other] = await Promise.all([1, 2].map(() => again(failed.url, signature)));
  assert.equal(one?.status, 200);
  assert.deepEqual(await one?.json(), await other?.json(), 'and of one checkout');
});

test('an agent without the money is told so, and can still pay', async () => {
  const response = await agentOf(poor).pay(`${onHono}/weather/friday`);
  assert.equal(response.status, 402);
  const { error } = (await response.json()) as { error: string };
  assert.equal(error, 'insufficient_funds');
  const told = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '');
  assert.deepEqual([told.success, told.errorReason], [false, 'insufficient_funds']);
});

test('the books agree with the chain', async () => {
  clearInterval(beat);
  await shop.finish();
  await shop.checkBooks();
});
