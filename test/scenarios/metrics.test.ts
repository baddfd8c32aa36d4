// What an operator sees of a running service: it is asked, pays and is paid, and then scraped.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findFreePort } from '#test/support/free-port.ts';
import { type MetricFamily, readExposition } from '#test/support/read-exposition.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

const TOKEN = 'token-of-the-operator-0815';

let server: ServerProcess;
let shop: Shop;
let watchOrigin: string;

before(async () => {
  const port = await findFreePort();
  watchOrigin = `http://127.0.0.1:${port}`;
  server = await openServerProcess({ settings: { METRICS_PORT: String(port) } });
  const tokenFile = join(server.dataDirectory, 'watch-token');
  await writeFile(tokenFile, `${TOKEN}\n`, { mode: 0o600 });
  await server.start({ WATCH_TOKEN_FILE: tokenFile });
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

const withToken = { headers: { authorization: `Bearer ${TOKEN}` } };

async function scrape(): Promise<{
  text: string;
  families: ReadonlyMap<string, MetricFamily>;
}> {
  const answer = await fetch(`${watchOrigin}/metrics`, withToken);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  return { text, families: readExposition(text) };
}

type Scraped = Awaited<ReturnType<typeof scrape>>;

function measured({ families }: Scraped, name: string, labels: Record<string, string> = {}) {
  const found = families
    .get(name)
    ?.samples.find((one) =>
      Object.entries(labels).every(([label, text]) => one.labels[label] === text),
    );
  return found?.value;
}

test('a sale is seen in the metrics, in the log, and nobody in either', async () => {
  const committed = await shop.open({ currency: 'EUR', amount: '19.90' }, 'LITECOIN');
  const { checkoutId: id, depositInstructions } = committed;
  await shop.client.post('/sandbox/pay', { checkoutId: id });
  await shop.client.waitFor(id, ({ blockchainTransactions }) => blockchainTransactions.length > 0);
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 4 });
  await shop.client.waitForState(id, 'COMPLETED');
  const page = new URL((await shop.client.findCheckout(id)).hostedCheckoutUrl);
  assert.equal((await fetch(new URL(page.pathname, server.origin))).status, 200);
  await fetch(new URL('/wp-login.php?password=hunter2', server.origin));
  let scraped = await scrape();
  await waitUntil('the sale to be counted', async () => {
    scraped = await scrape();
    return measured(scraped, 'quittance_events_total', { type: 'CHECKOUT_COMPLETED' }) === 1;
  });

  const asked = { route: '/api/v1/checkout', method: 'GET', status: '200' };
  assert.ok((measured(scraped, 'quittance_http_requests_total', asked) ?? 0) >= 2);
  const took = { route: '/api/v1/checkout', status: '2xx', le: '+Inf' };
  assert.ok((measured(scraped, 'quittance_http_request_duration_seconds', took) ?? 0) >= 2);
  const routes = scraped.families
    .get('quittance_http_requests_total')
    ?.samples.map(({ labels }) => labels.route);
  assert.ok(
    routes?.some((route) => /^\/:\w+\/checkout|^\/checkout\/:/.test(route ?? '')),
    `${routes}`,
  );
  assert.equal(measured(scraped, 'quittance_http_requests_total', { route: 'other' }), 1);
  const chain = { chain: 'test:LITECOIN' };
  assert.equal(measured(scraped, 'quittance_chain_brake', chain), 0);
  assert.equal(measured(scraped, 'quittance_chain_led', chain), 1);
  assert.equal(measured(scraped, 'quittance_chain_leader', chain), 1);
  assert.ok((measured(scraped, 'quittance_chain_heard_age_seconds', chain) ?? 99) < 30);
  assert.equal(measured(scraped, 'quittance_measured'), 1);
  assert.equal(measured(scraped, 'quittance_outbox_oldest_seconds', { kind: 'mail' }), 0);
  assert.ok((measured(scraped, 'process_resident_memory_bytes') ?? 0) > 1e6);
  assert.equal(measured(scraped, 'quittance_database_connections', { state: 'allowed' }), 10);

  // What it printed comes by another way than what it answered.
  const completed = /"message":"happened","type":"CHECKOUT_COMPLETED","environment":"test"/;
  await waitUntil('the log to tell it', () => completed.test(server.output()));
  const log = server.output();
  assert.match(log, /"message":"request","method":"POST","route":"\/api\/v1\/checkout/);
  const { pathname } = page;
  for (const secret of [TOKEN, 'hunter2', pathname, depositInstructions.address ?? '-none-']) {
    assert.ok(!log.includes(secret), `${secret} in the log`);
    assert.ok(!scraped.text.includes(secret), `${secret} in the metrics`);
  }
  assert.ok(!scraped.text.includes(id) && !scraped.text.includes(shop.merchantId));
});

test('without the token nobody reads it, and everybody learns whether it runs', async () => {
  const refused = await fetch(`${watchOrigin}/metrics`);
  assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer']);
  for (const origin of [watchOrigin, server.origin]) {
    const told = await fetch(`${origin}/health`);
    assert.deepEqual([told.status, Object.keys((await told.json()) as object)], [200, ['status']]);
    const health = (await (await fetch(`${origin}/health`, withToken)).json()) as object;
    assert.ok('chains' in health, origin);
    assert.equal((await fetch(`${origin}/ready`)).status, 200);
    assert.equal((await fetch(`${origin}/live`)).status, 200);
  }
  assert.equal((await fetch(`${watchOrigin}/api/v1/time`)).status, 404);
  assert.equal((await fetch(`${watchOrigin}/metrics`, { method: 'POST' })).status, 405);
  assert.equal((await fetch(`${server.origin}/metrics`)).status, 404);
});

test('twenty scrapes at once are one look at the database', async () => {
  const texts = await Promise.all(Array.from({ length: 20 }, () => scrape()));
  const heights = new Set(
    texts.map((one) =>
      measured(one, 'quittance_chain_heard_age_seconds', { chain: 'test:LITECOIN' }),
    ),
  );
  assert.equal(heights.size, 1);
});
