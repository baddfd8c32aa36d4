// btcpay-greenfield-node-client, unmodified, generated from BTCPay Server's own document: only the
// address and the key are ours.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { basicValue } from '#access/api-key.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { ok, openWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { loadPackage } from './package-of.ts';

type Invoice = {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly checkoutLink: string;
};
type Client = {
  readonly OpenAPI: { BASE: string; TOKEN: string };
  readonly InvoicesService: {
    invoicesCreateInvoice(call: object): Promise<Invoice>;
    invoicesGetInvoice(call: object): Promise<Invoice>;
    invoicesGetInvoices(call: object): Promise<readonly Invoice[]>;
    invoicesGetInvoicePaymentMethods(call: object): Promise<readonly { destination: string }[]>;
    invoicesMarkInvoiceStatus(call: object): Promise<Invoice>;
  };
  readonly StoresService: { storesGetStores(): Promise<readonly { id: string }[]> };
  readonly WebhooksService: {
    postWebhooksService(call: object): Promise<{ readonly id: string; readonly secret: string }>;
    webhokksGetWebhooks(call: object): Promise<readonly { readonly id: string }[]>;
  };
};
const client = loadPackage<Client>('btcpay-greenfield-node-client');

let server: ServerProcess;
let shop: Shop;
let receiver: WebhookReceiver;

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
  receiver = await openWebhookReceiver(ok, { isSecure: false });
  client.OpenAPI.BASE = `${server.origin}/greenfield`;
  client.OpenAPI.TOKEN = basicValue(shop.key.key, shop.key.secret);
});
after(async () => {
  await receiver?.close();
  await shop?.close();
  await server?.close();
});

test('its client makes an invoice, hears that it is settled, and reads it', async () => {
  const [store] = await client.StoresService.storesGetStores();
  const storeId = store?.id ?? '';
  const webhook = await client.WebhooksService.postWebhooksService({
    storeId,
    requestBody: { enabled: true, url: `${receiver.origin}/btcpay` },
  });
  const listed = await client.WebhooksService.webhokksGetWebhooks({ storeId });
  assert.deepEqual(
    listed.map(({ id }) => id),
    [webhook.id],
  );
  const requestBody = { amount: '19.90', currency: 'EUR', metadata: { orderId: 'A-1' } };
  const made = await client.InvoicesService.invoicesCreateInvoice({ storeId, requestBody });
  assert.equal(made.status, 'New');
  const page = await fetch(made.checkoutLink);
  assert.equal(page.status, 200);
  await shop.client.commit(made.id, 'LITECOIN');
  const invoice = { storeId, invoiceId: made.id };
  const methods = await client.InvoicesService.invoicesGetInvoicePaymentMethods(invoice);
  assert.ok(methods.some(({ destination }) => destination?.startsWith('tltc1')));
  await shop.client.post('/sandbox/pay', { checkoutId: made.id });
  await shop.client.post('/sandbox/mine', { checkoutId: made.id, blocks: 12 });
  const settled = () => receiver.received.find(({ body }) => body.includes('"InvoiceSettled"'));
  await waitUntil('its webhook', () => settled() !== undefined);
  const { body = '', headers } = settled() ?? {};
  const mac = createHmac('sha256', webhook.secret).update(body).digest('hex');
  assert.equal(headers?.['btcpay-sig'], `sha256=${mac}`);
  assert.equal((await client.InvoicesService.invoicesGetInvoice(invoice)).status, 'Settled');
  const all = await client.InvoicesService.invoicesGetInvoices({ storeId });
  assert.deepEqual(
    all.map(({ id }) => id),
    [made.id],
  );
});

test('its client marks an invoice as invalid, and is told why it may not settle one', async () => {
  const storeId = shop.merchantId;
  const requestBody = { amount: 5, currency: 'EUR' };
  const made = await client.InvoicesService.invoicesCreateInvoice({ storeId, requestBody });
  const invoice = { storeId, invoiceId: made.id };
  const mark = (status: string) =>
    client.InvoicesService.invoicesMarkInvoiceStatus({ ...invoice, requestBody: { status } });
  await assert.rejects(mark('Settled'), { status: 422 });
  assert.equal((await mark('Invalid')).status, 'Invalid');
});
