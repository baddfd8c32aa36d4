// Traces, from a request or a credit to the webhook that tells of it, over two processes and the
// outbox between them, as a collector gets them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { after, before, test } from 'node:test';
import { isTest, SOURCE } from '#test/support/list-code.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import {
  type CollectedSpan,
  openTraceCollector,
  type TraceCollector,
} from '#test/support/trace-collector.ts';

const TOKEN = 'token-of-the-collector-0815';
const SECRET_PATH = 'hunter2-in-a-path';

let collector: TraceCollector;
let server: ServerProcess;
let deliverer: ServerProcess;
let shop: Shop;

before(async () => {
  collector = await openTraceCollector();
  server = await openServerProcess();
  const headers = join(server.dataDirectory, 'collector-headers');
  await writeFile(headers, `authorization = Bearer ${TOKEN}\nx-tenant=shop\n`, { mode: 0o600 });
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: headers,
  };
  await server.start({ ...traced, ROLES: 'serve,watch,settle' });
  deliverer = await openServerProcess({
    settings: { DATABASE_URL: server.databaseUrl, KEY_FILE: server.keyFile },
  });
  await deliverer.start({ ...traced, ROLES: 'deliver' });
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await deliverer?.close();
  await server?.close();
  await collector?.close();
});

const webhooksIn = (traceId: string) =>
  collector.spans.filter((span) => span.name === 'webhook' && span.traceId === traceId);

/** The webhook that hangs on a span of this name, and that span. */
async function deliveryOf(name: string): Promise<{ cause: CollectedSpan; webhook: CollectedSpan }> {
  const find = () => {
    for (const cause of collector.spans.filter((span) => span.name === name)) {
      const webhook = webhooksIn(cause.traceId).find(
        ({ parentSpanId }) => parentSpanId === cause.spanId,
      );
      if (webhook !== undefined) return { cause, webhook };
    }
    return undefined;
  };
  await waitUntil(`a webhook of ${name}`, async () => find() !== undefined);
  const found = find();
  assert.ok(found);
  return found;
}

test('the webhook of a cancelled checkout belongs to the request that cancelled it', async () => {
  const id = await shop.create({ currency: 'EUR', amount: '19.90' });
  await shop.client.post('/checkout/cancel', { checkoutId: id });
  const { cause, webhook } = await deliveryOf('POST /api/v1/checkout/cancel');
  assert.deepEqual([cause.service, cause.kind, cause.parentSpanId], ['quittance', 2, '']);
  assert.deepEqual(cause.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/v1/checkout/cancel',
    'http.response.status_code': 200,
  });
  assert.equal(webhook.kind, 3);
  assert.deepEqual(webhook.attributes, {
    'http.request.method': 'POST',
    'quittance.attempt': 1,
    'quittance.state': 'DELIVERED',
    'http.response.status_code': 200,
  });
  assert.equal(webhook.isFailed, false);
});

test('the webhook of a paid checkout belongs to the credit that completed it', async () => {
  const { checkoutId: id } = await shop.open({ currency: 'EUR', amount: '19.90' }, 'LITECOIN');
  await shop.client.post('/sandbox/pay', { checkoutId: id });
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 4 });
  await shop.client.waitForState(id, 'COMPLETED');
  const { cause } = await deliveryOf('settle checkout');
  assert.deepEqual([cause.kind, cause.parentSpanId], [1, '']);
  assert.deepEqual(cause.attributes, { 'quittance.purpose': 'checkout' });
});

test('a receiver that does not take it is seen in the same trace, attempt by attempt', async () => {
  shop.behave((response) => void response.writeHead(500).end());
  const id = await shop.create({ currency: 'EUR', amount: '5.00' });
  await shop.client.post('/checkout/cancel', { checkoutId: id });
  const failed = () =>
    collector.spans.filter(({ name, isFailed }) => name === 'webhook' && isFailed);
  await waitUntil('an attempt that failed', async () => failed().length > 0);
  const [first] = failed();
  assert.equal(first?.attributes['http.response.status_code'], 500);
  assert.equal(first?.attributes['error.type'], '500');
  assert.equal(first?.attributes['quittance.state'], 'PENDING');
  // Another process tells of the request, whenever its next batch is due.
  await waitUntil('the request that it belongs to', () =>
    collector.spans.some(({ spanId }) => spanId === first?.parentSpanId),
  );
});

test('nothing in a trace is secret or of anybody: no key, address, id, path or text', async () => {
  shop.behave((response) => void response.writeHead(200).end());
  const { checkoutId: id, depositInstructions } = await shop.open(
    { currency: 'EUR', amount: '7.00' },
    'LITECOIN',
  );
  const page = new URL((await shop.client.findCheckout(id)).hostedCheckoutUrl);
  await fetch(new URL(page.pathname, server.origin));
  await fetch(new URL(`/${SECRET_PATH}?password=hunter3`, server.origin), {
    headers: { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` },
  });
  await waitUntil('the last request to be told', async () =>
    collector.spans.some(({ attributes }) => attributes['http.response.status_code'] === 404),
  );
  const text = collector.text();
  const secrets = [
    ...[TOKEN, SECRET_PATH, 'hunter3', page.pathname, id, shop.merchantId],
    ...[shop.key.key, shop.key.secret, depositInstructions.address ?? '-none-'],
    ...[server.databaseUrl, shop.receiver.origin, 'ab'.repeat(16)],
  ];
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
  const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
  assert.deepEqual([...names].sort(), [
    ...['error.type', 'http.request.method', 'http.response.status_code', 'http.route'],
    ...['quittance.attempt', 'quittance.purpose', 'quittance.state'],
  ]);
  for (const { authorization, 'x-tenant': tenant } of collector.headers()) {
    assert.deepEqual([authorization, tenant], [`Bearer ${TOKEN}`, 'shop']);
  }
  for (const { output } of [server, deliverer]) assert.ok(!output().includes(TOKEN));
});

test('probes are not traced, and a collector that fails holds nobody up', async () => {
  for (const path of ['/live', '/ready', '/health']) await fetch(new URL(path, server.origin));
  collector.fail();
  const id = await shop.create({ currency: 'EUR', amount: '5.00' });
  await waitUntil('it to be said', async () =>
    /"message":"traces could not be sent"/.test(server.output()),
  );
  assert.equal((await shop.client.findCheckout(id)).id, id);
  assert.ok(!server.output().includes('a word of the collector'));
  assert.ok(!collector.spans.some(({ name }) => /\/(?:live|ready|health)$/.test(name)));
  assert.equal(await server.stop(), 0);
  assert.equal(await deliverer.stop(), 0);
});

test('without a collector nothing of the libraries is loaded', () => {
  const naming = SOURCE.filter((file) => !isTest(file) && /['"`]@opentelemetry\//.test(file.text));
  assert.deepEqual(
    naming.map(({ path }) => path),
    ['src/tracing/open-tracer.ts'],
  );
  const program = `
    import { createRequire } from 'node:module';
    const { cache } = createRequire(import.meta.url);
    const loaded = () => Object.keys(cache).filter((path) => path.includes('@opentelemetry')).length;
    await import('#server/start.ts');
    const before = loaded();
    const { openTracer } = await import('#tracing/open-tracer.ts');
    const idle = loaded();
    const log = { warn() {} };
    const to = { url: 'http://127.0.0.1:9/v1/traces', headers: {}, share: 1 };
    await (await openTracer(to, { log, version: '0' })).close();
    console.log(JSON.stringify({ before, idle, after: loaded() > 10 }));`;
  const words = ['--input-type=module', '--eval', program];
  const told = execFileSync(execPath, words, {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '..', '..'),
  });
  assert.deepEqual(JSON.parse(told), { before: 0, idle: 0, after: true });
});
