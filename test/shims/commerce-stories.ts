// coinbase-commerce-node, the official client, unmodified: only the address and the key are ours.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicValue } from '#access/api-key.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { ok, openWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { loadPackage } from './package-of.ts';

type Charge = {
  readonly id: string;
  readonly code: string;
  readonly hosted_url: string;
  readonly timeline: readonly { readonly status: string }[];
  readonly metadata: object;
};
type Commerce = {
  readonly Client: { init(key: string, baseApiUrl: string, version?: string, ms?: number): void };
  readonly resources: {
    readonly Charge: {
      create(charge: object): Promise<Charge>;
      retrieve(id: string): Promise<Charge>;
      list(query: object): Promise<readonly [readonly Charge[], object]>;
      all(query: object): Promise<readonly Charge[]>;
    };
  };
  readonly Webhook: {
    verifyEventBody(
      body: string,
      signature: string,
      secret: string,
    ): { type: string; data: Charge };
  };
};
const commerce = loadPackage<Commerce>('coinbase-commerce-node');
const { Charge } = commerce.resources;

let server: ServerProcess;
let shop: Shop;
let receiver: WebhookReceiver;

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
  receiver = await openWebhookReceiver(ok, { isSecure: false });
  const key = basicValue(shop.key.key, shop.key.secret);
  commerce.Client.init(key, `${server.origin}/commerce/`, '2018-03-22', 30_000);
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

test('its client makes a charge, verifies the webhook of its payment, and reads it', async () => {
  const { secret } = await shop.client.post<{ readonly secret: string }>('/webhook-endpoint', {
    url: `${receiver.origin}/commerce`,
    format: 'COMMERCE',
  });
  const made = await Charge.create(ASKED);
  assert.equal((await fetch(made.hosted_url)).status, 200);
  await shop.client.commit(made.id, 'LIGHTNING');
  await shop.client.post('/sandbox/pay', { checkoutId: made.id });
  const told = () => receiver.received.find(({ body }) => body.includes('charge:confirmed'));
  await waitUntil('its webhook', () => told() !== undefined);
  const { body = '', headers } = told() ?? {};
  const signature = String(headers?.['x-cc-webhook-signature']);
  const event = commerce.Webhook.verifyEventBody(body, signature, secret);
  assert.deepEqual([event.type, event.data.id], ['charge:confirmed', made.id]);
  assert.throws(() => commerce.Webhook.verifyEventBody(`${body} `, signature, secret));
  const found = await Charge.retrieve(made.code);
  assert.equal(found.timeline.at(-1)?.status, 'COMPLETED');
  assert.deepEqual({ ...found.metadata }, ASKED.metadata);
});

test('its client reads all charges page by page, and is told what is wrong with one', async () => {
  for (const amount of ['1', '2']) {
    await Charge.create({ ...ASKED, local_price: { amount, currency: 'EUR' } });
  }
  const [page] = await Charge.list({ limit: 2 });
  assert.equal(page.length, 2);
  assert.equal((await Charge.all({ limit: 2 })).length, 3);
  await assert.rejects(Charge.create({ ...ASKED, pricing_type: 'no_price' }), /fixed_price/);
  await assert.rejects(Charge.retrieve('NOTHING00000'), /Not found/);
});
