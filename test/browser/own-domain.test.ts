// A customer pays under the merchant's own domain, in a real Chromium, through a proxy that ends TLS
// as docs/operate/own-domain.md describes it: from the address of the API to the receipt.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type DnsServer, openDnsServer } from '#test/support/dns-server.ts';
import { selfSignedCertificate, selfSignedKey } from '#test/support/self-signed.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { launchChromium, PATIENCE_MS } from './chromium.ts';
import { follow, reloadUntil } from './follow.ts';

const HOST = 'pay.shop.example';
const ORIGIN = `https://${HOST}`;

let dns: DnsServer;
let server: ServerProcess;
let shop: Shop;
let browser: Browser;

/** Host and body as they come; nothing else is told to the service. */
const proxy = createServer({ key: selfSignedKey, cert: selfSignedCertificate }, (taken, answer) => {
  const { method, url, headers } = taken;
  const passed = request(`${server.origin}${url}`, { method, headers, agent: false }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  answer.on('close', () => passed.destroy());
  taken.pipe(passed);
});

before(async () => {
  dns = await openDnsServer();
  server = await openServerProcess({ settings: { DNS_SERVERS: dns.address } });
  await server.start();
  const { json } = await server.command('merchant', 'domain', 'add', HOST, '--json');
  const { record } = json.domain as { record: { name: string; value: string } };
  dns.records.set(record.name, [[record.value]]);
  const { exitCode, stderr } = await server.command('merchant', 'domain', 'verify', HOST);
  assert.equal(exitCode, 0, stderr);
  shop = await openShop(server, 'test');
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  browser = await launchChromium([
    `--host-resolver-rules=MAP ${HOST}:443 127.0.0.1:${port}, MAP * ~NOTFOUND`,
  ]);
});
after(async () => {
  await browser?.close();
  proxy.closeAllConnections();
  proxy.close();
  await shop?.close();
  await server?.close();
  await dns?.close();
});

async function open(options: { readonly javaScriptEnabled?: boolean } = {}) {
  const viewport = { width: 390, height: 800 };
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  const elsewhere: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (asked) => {
    const { origin, protocol } = new URL(asked.url());
    if (origin !== ORIGIN && protocol !== 'data:') elsewhere.push(asked.url());
  });
  return { page, context, faults, elsewhere };
}

async function newCheckout(): Promise<{ id: string; url: string }> {
  const id = await shop.create({ currency: 'EUR', amount: '23' });
  const { hostedCheckoutUrl: url } = await shop.client.findCheckout(id);
  assert.ok(url.startsWith(`${ORIGIN}/`), url);
  return { id, url };
}

async function pay(id: string): Promise<void> {
  await server.command('sandbox', 'pay', id);
  await server.command('sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '6');
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'live' : 'without JavaScript';
  test(`from the choice to the receipt under the domain, ${how}`, async () => {
    const { page, context, faults, elsewhere } = await open({ javaScriptEnabled });
    const { id, url } = await newCheckout();
    await page.goto(url);
    await page
      .locator('button[value*="LITECOIN"], [type=radio][value*="LITECOIN"]')
      .first()
      .click();
    await page.waitForSelector('#main[data-state="pay"]');
    assert.ok(page.url().startsWith(url), page.url());
    await pay(id);
    const paid = page.waitForSelector('#main[data-state="paid"]');
    if (!javaScriptEnabled) {
      await shop.client.waitForState(id, 'COMPLETED');
      await reloadUntil(page, 'paid');
    }
    await paid;
    await follow(page, 'a[href$="/receipt"] >> nth=0');
    await page.waitForSelector('#main[data-state="receipt"]');
    assert.equal(new URL(page.url()).origin, ORIGIN);
    assert.match(await page.locator('body').innerText(), /My shop/);
    assert.deepEqual([faults, elsewhere], [[], []]);
    await context.close();
  });
}

test('nothing else of the service is found there', async () => {
  const { page, context } = await open();
  for (const path of ['/', '/demo', '/docs', '/health', '/api/v1/time']) {
    const answer = await page.goto(`${ORIGIN}${path}`);
    assert.equal(answer?.status(), 404, path);
    assert.equal(await page.locator('#main').getAttribute('data-state'), 'message', path);
  }
  await context.close();
});
