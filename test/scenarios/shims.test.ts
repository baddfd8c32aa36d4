// The APIs of other services that this one speaks too, over a real server: what their clients send,
// and what nobody may. The same with their own unmodified clients: npm run test:shims.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { basicValue } from '#access/api-key.ts';
import { LOOKED_MOST } from '#checkout/list-checkouts.ts';
import type { MerchantKey } from '#test/support/merchant-client.ts';
import { addNewer } from '#test/support/newer-checkouts.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { ok, openWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';

let server: ServerProcess;
let shop: Shop;
let receiver: WebhookReceiver;
let other: { readonly key: MerchantKey; readonly id: string };

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
  receiver = await openWebhookReceiver(ok, { isSecure: false });
  const made = await server.command('merchant', 'create', '--name', 'Other', '--json');
  const id = String(made.json.id);
  const words = ['--merchant', id, '--environment', 'test', '--json'];
  other = { id, key: (await server.command('key', 'create', ...words)).json as MerchantKey };
});
after(async () => {
  await receiver?.close();
  await shop?.close();
  await server?.close();
});

type Json = { readonly [name: string]: Json } & readonly Json[] & string;
type Asked = { readonly method?: string; readonly body?: unknown; readonly key?: string };

async function ask(path: string, headers: Record<string, string>, { method, body }: Asked) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${server.origin}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: text }),
  });
  const requestId = answer.headers.get('x-request-id') ?? '';
  return { status: answer.status, requestId, json: JSON.parse(await answer.text()) as Json };
}

const token = () => basicValue(shop.key.key, shop.key.secret);
const greenfield = (path: string, asked: Asked = {}) =>
  ask(`/greenfield/api/v1${path}`, { authorization: `token ${asked.key ?? token()}` }, asked);
const commerce = (path: string, asked: Asked = {}) =>
  ask(`/commerce${path}`, { 'x-cc-api-key': asked.key ?? token() }, asked);
const stores = (path: string) => `/stores/${shop.merchantId}${path}`;

const INVOICE = {
  amount: '19.90',
  currency: 'EUR',
  metadata: { orderId: 'A-1', nested: { a: 1 } },
};
const CHARGE = {
  ...{ name: 'A book', description: 'Second hand', pricing_type: 'fixed_price' },
  local_price: { amount: '19.90', currency: 'EUR' },
  metadata: { customer_id: 'c-1' },
};

test('an invoice of BTCPay Server is a checkout, from New to Settled', async () => {
  const made = await greenfield(stores('/invoices'), { body: INVOICE });
  assert.equal(made.status, 200, JSON.stringify(made.json));
  const { id, checkoutLink, amount, currency, status, additionalStatus, metadata } = made.json;
  assert.deepEqual([amount, currency, status, additionalStatus], ['19.9', 'EUR', 'New', 'None']);
  assert.deepEqual(metadata, INVOICE.metadata);
  assert.match(String(checkoutLink), /\/auto\/checkout\//);
  assert.equal(made.json.storeId, shop.merchantId);
  await shop.client.commit(String(id), 'LIGHTNING');
  const methods = await greenfield(stores(`/invoices/${id}/payment-methods`));
  const open = methods.json.find((method) => String(method.activated) === 'true');
  assert.equal(open?.paymentMethodId, 'BTC-LN');
  await shop.client.post('/sandbox/pay', { checkoutId: id });
  await shop.client.waitForState(String(id), 'COMPLETED');
  const paid = await greenfield(stores(`/invoices/${id}`));
  assert.deepEqual([paid.json.status, paid.json.additionalStatus], ['Settled', 'None']);
  const found = await greenfield(stores('/invoices?orderId=A-1'));
  assert.deepEqual(
    found.json.map((one) => one.id),
    [id],
  );
});

test('its webhooks are written and signed as BTCPay Server does', async () => {
  const secret = 'a secret of the shop'.replaceAll(' ', '-');
  const made = await greenfield(stores('/webhooks'), {
    body: { enabled: true, url: `${receiver.origin}/btcpay`, secret, authorizedEvents: {} },
  });
  assert.equal(made.status, 200, JSON.stringify(made.json));
  assert.equal(made.json.secret, secret);
  const invoice = await greenfield(stores('/invoices'), { body: INVOICE });
  const { id } = invoice.json;
  await shop.client.commit(String(id), 'LIGHTNING');
  await shop.client.post('/sandbox/pay', { checkoutId: id });
  const told = () =>
    receiver.received.find(
      ({ body }) => body.includes('InvoiceSettled') && body.includes(String(id)),
    );
  await waitUntil('the webhook', () => told() !== undefined);
  const webhook = told();
  const body = JSON.parse(webhook?.body ?? '') as Json;
  assert.deepEqual(
    [body.type, body.invoiceId, body.storeId, body.webhookId, body.metadata],
    ['InvoiceSettled', id, shop.merchantId, made.json.id, INVOICE.metadata],
  );
  const mac = createHmac('sha256', secret)
    .update(webhook?.body ?? '')
    .digest('hex');
  assert.equal(webhook?.headers['btcpay-sig'], `sha256=${mac}`);
  assert.equal(webhook?.headers['webhook-signature'], undefined);
  const listed = await greenfield(stores('/webhooks'));
  assert.equal(listed.json[0]?.secret, undefined, 'told once');
  const gone = await greenfield(stores(`/webhooks/${made.json.id}`), { method: 'DELETE' });
  assert.equal(gone.status, 200);
  assert.equal((await greenfield(stores(`/webhooks/${made.json.id}`))).status, 404);
});

test('a store, a key and a server answer what a plugin asks when it is set up', async () => {
  assert.equal((await greenfield('/health')).json.synchronized, true as never);
  const current = await greenfield('/api-keys/current');
  const wanted = `btcpay.store.cancreateinvoice:${shop.merchantId}`;
  assert.ok(current.json.permissions?.includes(wanted));
  assert.equal((await greenfield(stores(''))).json.id, shop.merchantId);
  assert.equal((await greenfield('/stores')).json.length, 1);
  assert.equal((await greenfield('/server/info')).json.fullySynched, true as never);
  const cancelled = await greenfield(stores('/invoices'), { body: INVOICE });
  const path = stores(`/invoices/${cancelled.json.id}/status`);
  const marked = await greenfield(path, { body: { status: 'Invalid' } });
  assert.deepEqual([marked.json.status, marked.json.additionalStatus], ['Invalid', 'Marked']);
  assert.equal((await greenfield(path, { body: { status: 'Settled' } })).status, 422);
});

test('a charge of Coinbase Commerce is a checkout, from NEW to COMPLETED', async () => {
  const made = await commerce('/charges', { body: CHARGE });
  assert.equal(made.status, 200, JSON.stringify(made.json));
  const { data } = made.json;
  assert.deepEqual([data?.name, data?.description], ['A book', 'Second hand']);
  assert.deepEqual(data?.metadata, CHARGE.metadata);
  assert.deepEqual(data?.pricing?.local, { amount: '19.9', currency: 'EUR' });
  await shop.client.commit(String(data?.id), 'LIGHTNING');
  await shop.client.post('/sandbox/pay', { checkoutId: data?.id });
  await shop.client.waitForState(String(data?.id), 'COMPLETED');
  const paid = await commerce(`/charges/${data?.code}`);
  const statuses = paid.json.data?.timeline?.map(({ status }) => status);
  assert.equal(statuses?.at(-1), 'COMPLETED');
  assert.equal(statuses?.[0], 'NEW');
  const page = await commerce('/charges?limit=1');
  assert.equal(page.json.data?.length, 1);
  const next = await commerce(
    `/charges?limit=1&starting_after=${page.json.pagination?.cursor_range?.[1]}`,
  );
  assert.notEqual(next.json.data?.[0]?.id, page.json.data?.[0]?.id);
});

test('its webhooks are written and signed as Coinbase Commerce does', async () => {
  const url = `${receiver.origin}/commerce`;
  const { secret } = await shop.client.post<{ secret: string }>('/webhook-endpoint', {
    url,
    format: 'COMMERCE',
  });
  const made = await commerce('/charges', { body: CHARGE });
  const { id } = made.json.data ?? ({} as Json);
  await commerce(`/charges/${id}/cancel`, { body: {} });
  const told = () =>
    receiver.received.find(({ path, body }) => path === '/commerce' && body.includes(String(id)));
  await waitUntil('the webhook', () => told() !== undefined);
  const webhook = told();
  const { event } = JSON.parse(webhook?.body ?? '') as Json;
  assert.deepEqual([event?.type, event?.data?.id], ['charge:failed', id]);
  assert.equal(event?.data?.timeline?.at(-1)?.status, 'CANCELED');
  const mac = createHmac('sha256', secret)
    .update(webhook?.body ?? '')
    .digest('hex');
  assert.equal(webhook?.headers['x-cc-webhook-signature'], mac);
});

test('nothing of another merchant is found or changed', async () => {
  const invoice = await greenfield(stores('/invoices'), { body: INVOICE });
  const key = basicValue(other.key.key, other.key.secret);
  const { id } = invoice.json;
  const foreign = `/stores/${other.id}`;
  for (const path of [
    stores(''),
    stores('/invoices'),
    stores(`/invoices/${id}`),
    stores('/webhooks'),
  ]) {
    assert.equal((await greenfield(path, { key })).status, 404, path);
  }
  for (const path of [`/invoices/${id}`, `/invoices/${id}/payment-methods`]) {
    const found = await greenfield(`${foreign}${path}`, { key });
    assert.deepEqual([found.status, found.json.code], [404, 'invoice-not-found']);
  }
  const status = await greenfield(`${foreign}/invoices/${id}/status`, {
    key,
    body: { status: 'Invalid' },
  });
  assert.equal(status.status, 404);
  assert.equal((await commerce(`/charges/${id}`, { key })).status, 404);
  assert.equal((await commerce(`/charges/${id}/cancel`, { key, body: {} })).status, 404);
  assert.equal((await shop.client.findCheckout(String(id))).state, 'NEW');
});

test('what is no such request is refused in the shape of the other service', async () => {
  const bodies: readonly (readonly [body: unknown, path: string])[] = [
    [{ ...INVOICE, amount: '-1' }, 'amount'],
    [{ ...INVOICE, amount: null }, 'amount'],
    [{ ...INVOICE, amount: true }, 'amount'],
    [{ ...INVOICE, amount: '1e400' }, 'amount'],
    [{ ...INVOICE, currency: 'ZZZ' }, 'currency'],
    [{ ...INVOICE, currency: 5 }, 'currency'],
    [{ ...INVOICE, metadata: 'text' }, 'metadata'],
    [{ ...INVOICE, checkout: { redirectURL: 'javascript:alert(1)' } }, 'checkout.redirectURL'],
    [{ ...INVOICE, checkout: { paymentMethods: ['BTC'] } }, 'checkout.paymentMethods'],
  ];
  for (const [body, path] of bodies) {
    const { status, json } = await greenfield(stores('/invoices'), { body });
    assert.deepEqual([status, json[0]?.path], [422, path], JSON.stringify([body, json]));
  }
  for (const body of ['[1]', '"text"', '{"a":1', '{"amount":1,"amount":2}']) {
    assert.equal((await greenfield(stores('/invoices'), { body })).status, 422, body);
  }
  for (const body of [
    { ...CHARGE, name: '' },
    { ...CHARGE, pricing_type: 'no_price' },
    { ...CHARGE, local_price: { amount: 'NaN', currency: 'EUR' } },
    { ...CHARGE, local_price: { amount: '1', currency: 'ZZZ' } },
    { ...CHARGE, metadata: { commerce: 1 } },
    { ...CHARGE, redirect_url: 'file:///etc/passwd' },
  ]) {
    const { status, json } = await commerce('/charges', { body });
    assert.deepEqual([status, json.error?.type], [400, 'validation_error'], JSON.stringify(body));
  }
  assert.equal((await greenfield('/nothing')).status, 404);
  assert.equal(
    (await greenfield(stores('/webhooks'), { body: { url: 'http://x', secret: 'a' } })).status,
    422,
  );
  const hooks = {
    url: `${receiver.origin}/x`,
    authorizedEvents: { specificEvents: ['InvoiceEaten'] },
  };
  assert.equal((await greenfield(stores('/webhooks'), { body: hooks })).status, 422);
});

test('a wrong key, a live key that nobody opened for it, and what moves money are refused', async () => {
  for (const key of ['', 'wrong', 'a'.repeat(64), `${shop.key.key}:wrong-wrong-wrong-wrong`]) {
    assert.equal((await greenfield('/stores', { key })).status, 401, key);
    assert.equal((await commerce('/charges', { key })).json.error?.type, 'authentication_error');
  }
  const given = { key: `${shop.key.key}:${shop.key.secret}` };
  assert.equal((await greenfield('/stores', given)).status, 200);
  const made = await server.command('key', 'create', '--environment', 'live', '--json');
  const live = made.json as MerchantKey;
  const key = basicValue(live.key, live.secret);
  assert.equal((await greenfield('/stores', { key })).status, 403);
  const limited = await server.command(
    'key',
    'create',
    '--environment',
    'test',
    '--scopes',
    'read',
    '--json',
  );
  const reader = limited.json as MerchantKey;
  const readerKey = basicValue(reader.key, reader.secret);
  const refused = await greenfield(stores('/invoices'), { key: readerKey, body: INVOICE });
  assert.equal(refused.status, 403);
  const invoice = await greenfield(stores('/invoices'), { body: INVOICE });
  const refund = stores(`/invoices/${invoice.json.id}/refund`);
  assert.equal((await greenfield(refund, { body: {} })).status, 403);
});

test('what was asked in words of others stands in the log of requests, without their credentials', async () => {
  const { json: invoice, requestId } = await greenfield(stores('/invoices'), { body: INVOICE });
  const secret = 'a-secret-that-plugins-choose';
  const hook = { url: `${receiver.origin}/noted`, secret, authorizedEvents: {} };
  const hooked = await greenfield(stores('/webhooks'), { body: hook });
  await commerce('/charges', { body: { ...CHARGE, name: '' } });
  const last = await commerce('/charges?limit=1', {
    key: `${shop.key.key}:wrong-wrong-wrong-wrong`,
  });
  type Request = { id: string; method: string; path: string; status: number; errorCode: string };
  const listed = async (path: string) =>
    (await shop.client.get<{ requests: Request[] }>('/requests', { path, limit: '250' })).requests;
  const refused = ({ status }: Request) => status >= 400;
  // Tests before this one asked much the same, so only the identifier says which request it is.
  await waitUntil('the log', async () =>
    (await listed('/commerce/')).some(({ id }) => id === last.requestId),
  );
  const charges = (await listed('/commerce/charges')).filter(refused).slice(0, 2);
  assert.deepEqual(
    charges.map(({ method, path, status, errorCode }) => [method, path, status, errorCode]),
    [
      ['GET', '/commerce/charges', 401, 'authentication_failed'],
      ['POST', '/commerce/charges', 400, 'validation_failed'],
    ],
  );
  type Whole = { request: { requestBody: string; answerBody: string; requestHeaders: string } };
  const whole = async (id: string) => (await shop.client.get<Whole>('/request', { id })).request;
  const { requestBody, answerBody, requestHeaders } = await whole(requestId);
  assert.deepEqual(JSON.parse(requestBody), INVOICE);
  assert.equal(JSON.parse(answerBody).id, invoice.id);
  assert.match(requestHeaders, /^authorization: \(cut\)$/m);
  const kept = JSON.stringify(await whole(hooked.requestId));
  assert.ok(!kept.includes(secret) && kept.includes('(cut)'));
  const unproven = await whole(last.requestId);
  assert.deepEqual([unproven.requestHeaders, unproven.requestBody], [null, null]);
  assert.equal((await listed('/greenfield/api/v1/health')).length, 0, 'a public route is nobody’s');
});

test('an old invoice of a large shop is found by its order', async () => {
  const metadata = { orderId: 'A-old' };
  const old = await greenfield(stores('/invoices'), { body: { ...INVOICE, metadata } });
  const id = `${old.json.id}`;
  await addNewer(server.db, id, LOOKED_MOST);
  const found = await greenfield(stores('/invoices?orderId=A-old'));
  assert.deepEqual(
    found.json.map((invoice) => invoice.id),
    [id],
  );
  const none = await greenfield(stores('/invoices?orderId=A-none'));
  assert.deepEqual(none.json, []);
});
