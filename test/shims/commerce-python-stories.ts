// coinbase-commerce of PyPI, unmodified: only the address and the key are ours.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { basicValue } from '#access/api-key.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { ok, openWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { packageFolder } from './package-of.ts';
import { type RunClient, runClient } from './run-client.ts';

type Charge = {
  readonly id: string;
  readonly code: string;
  readonly hosted_url: string;
  readonly timeline: readonly { readonly status: string }[];
  readonly metadata: object;
};

let server: ServerProcess;
let shop: Shop;
let receiver: WebhookReceiver;
let client: RunClient;

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
  receiver = await openWebhookReceiver(ok, { isSecure: false });
  client = runClient(join(packageFolder(), 'bin', 'python'), 'commerce.py', {
    COMMERCE_KEY: basicValue(shop.key.key, shop.key.secret),
    COMMERCE_BASE: `${server.origin}/commerce/`,
  });
});
after(async () => {
  await receiver?.close();
  await shop?.close();
  await server?.close();
});

const ASKED = {
  ...{ name: 'A book', description: 'Second hand', pricing_type: 'fixed_price' },
  local_price: { amount: '19.90', currency: 'EUR' },
  metadata: { customer_id: 'c-1' },
};
const asked = (more: object = {}) => JSON.stringify({ ...ASKED, ...more });

test('the Python client makes a charge, verifies the webhook of its payment, and reads it', async () => {
  const { secret } = await shop.client.post<{ readonly secret: string }>('/webhook-endpoint', {
    url: `${receiver.origin}/commerce`,
    format: 'COMMERCE',
  });
  const made = client<Charge>(['make', asked()]);
  assert.equal((await fetch(made.hosted_url)).status, 200);
  await shop.client.commit(made.id, 'LIGHTNING');
  await shop.client.post('/sandbox/pay', { checkoutId: made.id });
  const told = () => receiver.received.find(({ body }) => body.includes('charge:confirmed'));
  await waitUntil('its webhook', () => told() !== undefined);
  const { body = '', headers } = told() ?? {};
  const signature = String(headers?.['x-cc-webhook-signature']);
  const event = { type: 'charge:confirmed', id: made.id };
  assert.deepEqual(client(['verify', signature, secret], body), event);
  assert.deepEqual(client(['verify', signature, secret], `${body} `), { type: null });
  const found = client<Charge>(['read', made.code]);
  assert.equal(found.timeline.at(-1)?.status, 'COMPLETED');
  assert.deepEqual(found.metadata, ASKED.metadata);
});

test('the Python client walks all charges, and is told what is wrong with one', () => {
  for (const amount of ['1', '2']) {
    client(['make', asked({ local_price: { amount, currency: 'EUR' } })]);
  }
  assert.equal(client<string[]>(['walk']).length, 3);
  const { said } = client<{ said: string }>(['refused', asked({ pricing_type: 'no_price' })]);
  assert.match(said, /fixed_price/);
});
