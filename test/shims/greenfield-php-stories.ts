// The PHP client of BTCPay Server, which plugins for WordPress and others are made of, unmodified: only
// the address and the key are ours.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicValue } from '#access/api-key.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { ok, openWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { packageFolder } from './package-of.ts';
import { type RunClient, runClient } from './run-client.ts';

type Invoice = { readonly id: string; readonly status: string; readonly checkoutLink: string };

let server: ServerProcess;
let shop: Shop;
let receiver: WebhookReceiver;
let client: RunClient;

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
  receiver = await openWebhookReceiver(ok, { isSecure: false });
  client = runClient('php', 'greenfield.php', {
    GREENFIELD_FOLDER: packageFolder(),
    GREENFIELD_BASE: `${server.origin}/greenfield`,
    GREENFIELD_KEY: basicValue(shop.key.key, shop.key.secret),
  });
});
after(async () => {
  await receiver?.close();
  await shop?.close();
  await server?.close();
});

test('the PHP client makes an invoice, verifies the webhook of its payment, and reads it', async () => {
  const [store = ''] = client<string[]>(['stores']);
  const url = `${receiver.origin}/btcpay`;
  const { secret } = client<{ readonly secret: string }>(['listen', store, url]);
  const made = client<Invoice>(['make', store, '19.90', 'A-1']);
  assert.equal(made.status, 'New');
  assert.equal((await fetch(made.checkoutLink)).status, 200);
  await shop.client.commit(made.id, 'LITECOIN');
  const ways = client<readonly { destination: string }[]>(['methods', store, made.id]);
  assert.ok(ways.some(({ destination }) => destination?.startsWith('tltc1')));
  await shop.client.post('/sandbox/pay', { checkoutId: made.id });
  await shop.client.post('/sandbox/mine', { checkoutId: made.id, blocks: 12 });
  const settled = () => receiver.received.find(({ body }) => body.includes('"InvoiceSettled"'));
  await waitUntil('its webhook', () => settled() !== undefined);
  const { body = '', headers } = settled() ?? {};
  const signature = String(headers?.['btcpay-sig']);
  assert.equal(client(['verify', '', signature, secret], body), true);
  assert.equal(client(['verify', '', signature, secret], `${body} `), false);
  assert.equal(client<Invoice>(['read', store, made.id]).status, 'Settled');
  client(['make', store, '5', 'A-2']);
  assert.deepEqual(client(['find', store, 'A-1']), [made.id]);
});
