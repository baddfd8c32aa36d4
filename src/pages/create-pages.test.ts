// The routes over a real database and the simulated networks, as a browser without JavaScript uses
// them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import { Outage } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { pageToken } from '#checkout/page-token.ts';
import { findSeller } from '#merchant/seller.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { demoShop } from '#server/demo-shop.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { webhookAuth } from '#webhook/sign-webhook.ts';
import { createPages } from './create-pages.ts';
import type { PageApp } from './page-app.ts';
import { STYLESHEET } from './page-assets.ts';

let world: TestApp;
let pageApp: PageApp;
let pages: Hono;
before(async () => {
  world = await openTestApp();
  for (const network of ['LITECOIN', 'BITCOIN']) await world.observe(network);
  const { app } = world;
  pageApp = {
    ...app,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    demo: demoShop(app),
  };
  pages = createPages(pageApp);
});
after(() => world.close());

const origin = 'http://localhost:8080';
const sameOrigin = { 'sec-fetch-site': 'same-origin', origin: 'null' };
type Headers = Record<string, string>;

async function get(path: string, headers: Headers = {}): Promise<Response> {
  return pages.fetch(new Request(origin + path, { headers, redirect: 'manual' }));
}

async function post(path: string, form: Headers, headers: Headers = sameOrigin): Promise<Response> {
  const body = new URLSearchParams(form);
  return pages.fetch(new Request(origin + path, { method: 'POST', body, headers }));
}

async function newPage(request: object = {}): Promise<{ id: string; path: string }> {
  const id = await world.create(request);
  return { id, path: `/en/checkout/${pageToken(world.app.keyring, id)}` };
}

async function stateOf(path: string): Promise<string | undefined> {
  return /data-state="([a-z]+)"/.exec(await (await get(path)).text())?.[1];
}

const litecoin = { method: 'LITECOIN LTC:NATIVE' };
const links = {
  returnUrl: 'https://shop.example/thanks?a=1#x',
  cancelUrl: 'https://shop.example/',
};

async function settle(): Promise<void> {
  await world.observe('LITECOIN');
  await world.settle();
}

test('a customer chooses, pays, waits and is done: all by forms and links', async () => {
  const { id, path } = await newPage({ pageSettings: links });
  assert.equal(await stateOf(path), 'choose');
  const chosen = await post(`${path}/choose`, litecoin);
  assert.equal(chosen.status, 303);
  const payPath = chosen.headers.get('location') ?? '';
  assert.equal(payPath, `${path}?network=LITECOIN&asset=LTC%3ANATIVE`);
  assert.equal(await stateOf(payPath), 'pay');

  const paid = await post(`${path}/sandbox`, { act: 'exact' });
  assert.equal(paid.status, 303);
  await settle();
  assert.equal(await stateOf(path), 'seen');
  await mineBlocks(world.app, chainOf('test', 'LITECOIN'), 4);
  await settle();
  assert.equal(await stateOf(path), 'paid');
  const back = await get(`${path}/return`);
  assert.equal(back.status, 303);
  assert.equal(back.headers.get('location'), `https://shop.example/thanks?a=1&checkoutId=${id}#x`);
});

test('choosing twice gives the same address; another way gives another', async () => {
  const { id, path } = await newPage();
  for (let times = 0; times < 2; times += 1) await post(`${path}/choose`, litecoin);
  assert.equal((await world.read(id)).commitments.length, 1);
  await post(`${path}/choose`, { method: 'BITCOIN BTC:NATIVE' });
  assert.equal((await world.read(id)).commitments.length, 2);
});

test('half of it is partial, and the rest completes it', async () => {
  const { path } = await newPage();
  await post(`${path}/choose`, litecoin);
  await post(`${path}/sandbox`, { act: 'under' });
  await settle();
  await mineBlocks(world.app, chainOf('test', 'LITECOIN'), 4);
  await settle();
  assert.equal(await stateOf(path), 'partial');
  await post(`${path}/sandbox`, { act: 'exact' });
  await settle();
  await mineBlocks(world.app, chainOf('test', 'LITECOIN'), 4);
  await settle();
  assert.equal(await stateOf(path), 'paid');
});

test('every act of the sandbox wallet leads back to the page or says why not', async () => {
  for (const act of ['exact', 'under', 'over', 'parts', 'late', 'mine', 'replace', 'expire']) {
    const { path } = await newPage();
    await post(`${path}/choose`, litecoin);
    const answer = await post(`${path}/sandbox`, { act });
    assert.ok([303, 409].includes(answer.status), `${act} ${answer.status}`);
    if (answer.status === 409) assert.match(await answer.text(), /role="alert">[A-Za-z]/);
    else assert.equal(answer.headers.get('location'), path);
  }
  const { path } = await newPage();
  assert.equal((await post(`${path}/sandbox`, { act: 'nonsense' })).status, 404);
});

test('paid too late is paid all the same, and the page says that it was late', async () => {
  const { path } = await newPage();
  await post(`${path}/choose`, litecoin);
  await world.clock.advance(2_000);
  await post(`${path}/sandbox`, { act: 'expire' });
  await settle();
  await world.clock.advance(2_000);
  assert.equal(await stateOf(path), 'expired');
  assert.equal((await post(`${path}/sandbox`, { act: 'late' })).status, 303);
  await settle();
  await mineBlocks(world.app, chainOf('test', 'LITECOIN'), 4);
  await settle();
  const page = await (await get(path)).text();
  assert.match(page, /data-state="paid"/);
  assert.match(page, /data-notice="late"/);
});

test('cancelling is a form on every page from the first, and leads to the address for it', async () => {
  const { id, path } = await newPage({ pageSettings: links });
  assert.match(await (await get(path)).text(), /data-state="choose"[\s\S]*id="cancel"/);
  const cancelled = await post(`${path}/cancel`, {});
  assert.equal(cancelled.status, 303);
  assert.equal(cancelled.headers.get('location'), `${path}?leave=1`);
  const leaving = await (await get(`${path}?leave=1`)).text();
  assert.ok(leaving.includes(`<meta http-equiv="refresh" content="0; url=${path}/cancel">`));
  assert.equal(await stateOf(path), 'cancelled');
  assert.doesNotMatch(await (await get(path)).text(), /http-equiv="refresh"/);
  const back = await get(`${path}/cancel`);
  assert.equal(back.headers.get('location'), `https://shop.example/?checkoutId=${id}`);
  const late = await post(`${path}/choose`, litecoin);
  assert.equal(late.status, 409);
  assert.match(await late.text(), /not open any more/);
});

test('after the time one button gets a new price for the same coin, at the same address', async () => {
  const { path } = await newPage();
  await post(`${path}/choose`, litecoin);
  const addressIn = (text: string) => /id="address" data-value="([^"]+)"/.exec(text)?.[1];
  const first = addressIn(await (await get(path)).text());
  await world.clock.advance(2_000);
  await post(`${path}/sandbox`, { act: 'expire' });
  await settle();
  await world.clock.advance(2_000);
  const over = await (await get(path)).text();
  assert.match(over, /data-state="expired"/);
  const method = /id="new-price" name="method" value="([^"]+)"/.exec(over)?.[1] ?? '';
  assert.equal((await post(`${path}/choose`, { method })).status, 303);
  const again = await (await get(path)).text();
  assert.match(again, /data-state="pay"/);
  assert.equal(addressIn(again), first);
});

test('in a frame of the shop, or without an address, the cancelled page itself is shown', async () => {
  const framed = await newPage({ pageSettings: links });
  const headers = { ...sameOrigin, 'sec-fetch-dest': 'iframe' };
  const answer = await post(`${framed.path}/cancel`, {}, headers);
  assert.equal(answer.headers.get('location'), framed.path);
  const { path } = await newPage();
  await post(`${path}/cancel`, {});
  assert.doesNotMatch(await (await get(`${path}?leave=1`)).text(), /http-equiv="refresh"/);
});

test('a pasted transaction stays in its field, with the answer beside it', async () => {
  const { path } = await newPage();
  await post(`${path}/choose`, litecoin);
  const transaction = '"><script>f';
  const markup = await (await post(`${path}/find`, { transaction })).text();
  const field = /<input id="transaction"[^>]*value="([^"]*)"/.exec(markup);
  assert.equal(field?.[1], '&quot;&gt;&lt;script&gt;f');
  assert.match(markup, /id="find-button">[^<]*<\/button><\/div>\s*<p class="notice" id="found"/);
});

test('every page leads back to the shop, where it has an address', async () => {
  const { path } = await newPage({ pageSettings: links });
  const leads = async () =>
    /href="[^"]*\/(?:return|cancel)"|id="cancel"/.test(await (await get(path)).text());
  await post(`${path}/choose`, litecoin);
  assert.equal(await stateOf(path), 'pay');
  assert.ok(await leads());
  await post(`${path}/sandbox`, { act: 'under' });
  await settle();
  assert.equal(await stateOf(path), 'seen');
  assert.ok(await leads());
  await mineBlocks(world.app, chainOf('test', 'LITECOIN'), 4);
  await settle();
  assert.equal(await stateOf(path), 'partial');
  assert.ok(await leads());
});

test('a method that was not offered changes nothing and is told on the page', async () => {
  const { id, path } = await newPage();
  for (const method of ['', 'LITECOIN', 'NONSENSE X:Y', 'LITECOIN BTC:NATIVE']) {
    assert.equal((await post(`${path}/choose`, { method })).status, 409);
  }
  assert.equal((await world.read(id)).commitments.length, 0);
});

test('forms of other sites are refused, with and without Sec-Fetch-Site', async () => {
  const { id, path } = await newPage();
  const foreign: Headers[] = [
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { 'sec-fetch-site': 'same-site', origin: 'http://other.localhost' },
    { 'sec-fetch-site': 'cross-site', origin },
    { origin: 'https://evil.example' },
    { origin: `${origin}.evil.example` },
  ];
  for (const headers of foreign) {
    for (const act of ['choose', 'cancel', 'sandbox']) {
      const answer = await post(`${path}/${act}`, { ...litecoin, act: 'exact' }, headers);
      assert.equal(answer.status, 403, `${act} ${JSON.stringify(headers)}`);
    }
  }
  assert.equal((await world.read(id)).state, 'NEW');
  const own: Headers[] = [{}, { origin }, { origin: 'null' }];
  for (const headers of own) {
    assert.equal((await post(`${path}/choose`, litecoin, headers)).status, 303);
  }
});

test('an id, a wrong token and a wrong language open nothing', async () => {
  const { id, path } = await newPage();
  const token = path.split('/').at(-1) ?? '';
  const wrong = [
    `/en/checkout/${id}`,
    `/en/checkout/${token.slice(1)}x`,
    `/xx/checkout/${token}`,
    `${path}/nothing`,
    '/en/checkout/',
    '/nothing',
    '/assets/page.css',
    '/images/nothing.svg',
  ];
  for (const one of wrong) {
    const answer = await get(one);
    assert.equal(answer.status, 404, one);
    assert.match(await answer.text(), /<h1>This page does not exist/);
  }
  assert.equal((await get(`/en/checkout/${id}/state`)).status, 404);
  assert.equal((await post(`/en/checkout/${id}/cancel`, {})).status, 404);
});

test('every page has its strict headers, and a nonce of its own', async () => {
  const { path } = await newPage();
  const nonces = new Set<string>();
  for (const one of [path, '/', '/demo', '/demo/cart', '/nothing', path]) {
    const { headers } = await get(one);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|http/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('set-cookie'), null);
    nonces.add(/'nonce-([^']+)'/.exec(policy)?.[1] ?? '');
  }
  assert.equal(nonces.size, 6);
});

test('style and script may be kept for ever: their names change with their content', async () => {
  const text = await (await get('/')).text();
  const names = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, name]) => name);
  assert.equal(names.length, 2);
  for (const name of names) {
    const answer = await get(name ?? '');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
    // Everything of a first load is to stay below 50 kB as it travels.
    const { length } = gzipSync(await answer.text());
    assert.ok(length < 8_000, `${name}: ${length}`);
  }
  assert.equal((await get('/images/networks/litecoin.svg')).status, 200);
});

test('pages, style and script travel compressed where the browser takes it', async () => {
  const { path } = await newPage();
  const names = [path, '/demo', '/nothing', '/embed.js', STYLESHEET.path, '/images/favicon.svg'];
  for (const name of names) {
    const plain = await get(name);
    assert.equal(plain.headers.get('content-encoding'), null, name);
    const answer = await get(name, { 'Accept-Encoding': 'gzip, deflate, br' });
    const text = await plain.text();
    assert.equal(answer.status, plain.status);
    assert.equal(answer.headers.get('content-encoding'), text.length < 500 ? null : 'br', name);
    assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
    const policy = answer.headers.get('content-security-policy');
    assert.equal(policy === null, plain.headers.get('content-security-policy') === null);
    const { length } = new Uint8Array(await answer.arrayBuffer());
    assert.ok(text.length < 500 || length < text.length / 2, `${name}: ${length}`);
  }
});

test('no page is for search engines, and the browsers of people are not told of it', async () => {
  const { path } = await newPage();
  for (const name of [path, '/', STYLESHEET.path, `${path}/state`]) {
    const crawler = await get(name, { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
    assert.match(crawler.headers.get('x-robots-tag') ?? '', /^noindex, nofollow/, name);
    const browser = await get(name, { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/125' });
    assert.equal(browser.headers.get('x-robots-tag'), null, name);
  }
});

test('an open page learns of a change at once, and of none after a while', async () => {
  const { id, path } = await newPage();
  await post(`${path}/choose`, litecoin);
  const first = (await (await get(`${path}/state`)).json()) as { version: string; html: string };
  assert.match(first.html, /id="address"/);
  const waiting = get(`${path}/state?version=${first.version}`);
  await post(`${path}/sandbox`, { act: 'exact' });
  await settle();
  world.app.changes.tell(id);
  const next = (await (await waiting).json()) as { version: string; state: string };
  assert.equal(next.state, 'seen');
  assert.notEqual(next.version, first.version);
  const gone = AbortSignal.abort();
  const url = `${origin}${path}/state?version=${next.version}`;
  const same = await pages.fetch(new Request(url, { signal: gone }));
  assert.deepEqual(Object.keys((await same.json()) as object).sort(), ['busy', 'version']);
});

test('language: of the address, else of the browser; the switch keeps the view', async () => {
  const { path } = await newPage();
  const german = await get(path.replace('/en/', '/auto/'), { 'accept-language': 'de-DE,en;q=0.5' });
  const text = await german.text();
  assert.match(text, /<html lang="de"/);
  assert.equal(german.headers.get('content-language'), 'de');
  const view = await (await get(`${path}?group=USDC`)).text();
  assert.ok(view.includes(`${path.replace('/en/', '/de/')}?group=USDC`));
});

test('the demo shop: cart, checkout, webhook, order', async () => {
  const added = await post('/demo/cart', { add: 'pen' });
  const cookie = (added.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  assert.match(await (await get('/demo/cart', { cookie })).text(), /Brass pen/);
  const checkout = await post('/demo/checkout', {}, { ...sameOrigin, cookie });
  const path = checkout.headers.get('location') ?? '';
  assert.match(path, /^\/auto\/checkout\/[\w-]{32}$/);
  const page = await (await get(path)).text();
  assert.match(page, /Fern &amp; Folio/);
  const id = /<code>([a-z0-9]{12})<\/code>/.exec(page)?.[1] ?? '';

  const { webhookUrl = '' } = await world.read(id);
  const visitor = webhookUrl.split('/').at(-1) ?? '';
  const orderPath = `/demo/orders/${visitor}/${id}`;
  const secret = await pageApp.demo?.readApiSecret(visitor);
  const body = JSON.stringify({
    eventType: 'CHECKOUT_COMPLETED',
    data: { checkout: { id, state: 'COMPLETED' } },
    sequence: 2,
  });
  const send = (auth: string, text: string) =>
    pages.fetch(
      new Request(webhookUrl, {
        method: 'POST',
        body: text,
        headers: { 'x-webhook-auth': auth },
      }),
    );
  await send('0'.repeat(64), body);
  const forged = await (await get(orderPath)).text();
  assert.match(forged, /signature verified: no/);
  assert.match(forged, /id="order-state">none yet</);
  await send(webhookAuth(secret ?? '', body), body);
  const back = await get(`/demo/orders/${visitor}?checkoutId=${id}`);
  assert.equal(back.headers.get('location'), orderPath);
  const order = await (await get(orderPath)).text();
  assert.match(order, /id="order-state">COMPLETED</);
  assert.match(order, /signature verified: yes/);
});

test('a cart cookie of anything is a cart or nothing', async () => {
  for (const value of [
    '',
    'x',
    'pen.0',
    'pen.-1',
    'pen.100',
    '__proto__.1',
    'pen.1;<script>',
    '%00',
  ]) {
    const answer = await get('/demo/cart', { cookie: `demo_cart=${encodeURIComponent(value)}` });
    assert.equal(answer.status, 200, value);
  }
});

test('a form of 20 kB is refused while it is read', async () => {
  const { path } = await newPage();
  const answer = await post(`${path}/choose`, { method: 'x'.repeat(20_000) });
  assert.equal(answer.status, 413);
});

test('an outage is told as one, an unexpected fault without its inside', async () => {
  const { path } = await newPage();
  const failing = (error: Error) =>
    createPages({ ...pageApp, findSeller: () => Promise.reject(error) });
  const outage = await failing(new Outage('database')).fetch(new Request(origin + path));
  assert.equal(outage.status, 503);
  assert.ok(Number(outage.headers.get('retry-after')) > 0);
  const fault = await failing(new Error('secret inside')).fetch(new Request(origin + path));
  assert.equal(fault.status, 500);
  assert.doesNotMatch(await fault.text(), /secret inside/);
});

test('without the sandbox there is no demo shop and no sandbox wallet', async () => {
  const { path } = await newPage();
  const plain = createPages({ ...pageApp, sandbox: undefined, demo: undefined });
  assert.equal((await plain.fetch(new Request(`${origin}/demo`))).status, 404);
  const page = await (await plain.fetch(new Request(origin + path))).text();
  assert.doesNotMatch(page, /sandbox/i);
  const act = new Request(`${origin}${path}/sandbox`, {
    method: 'POST',
    body: new URLSearchParams({ act: 'exact' }),
  });
  assert.equal((await plain.fetch(act)).status, 404);
});

test('the sandbox buttons of a checkout are pressed thirty times a minute at the most', async () => {
  const [{ path }, other] = [await newPage(), await newPage()];
  await post(`${path}/choose`, litecoin);
  for (let press = 0; press < 30; press += 1) {
    assert.equal((await post(`${path}/sandbox`, { act: 'mine' })).status, 303);
  }
  const refused = await post(`${path}/sandbox`, { act: 'mine' });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '2']);
  assert.equal((await post(`${other.path}/sandbox`, { act: 'mine' })).status, 303);
  await world.clock.advance(2_000);
  assert.equal((await post(`${path}/sandbox`, { act: 'mine' })).status, 303);
});

test('what a visitor of one checkout plays happens to no other checkout of the shop', async () => {
  const both = [await newPage(), await newPage()] as const;
  for (const { path } of both) {
    await post(`${path}/choose`, litecoin);
    await post(`${path}/sandbox`, { act: 'exact' });
  }
  await settle();
  const states = () => Promise.all(both.map(({ path }) => stateOf(path)));
  assert.deepEqual(await states(), ['seen', 'seen']);
  for (let block = 0; block < 4; block += 1) await post(`${both[0].path}/sandbox`, { act: 'mine' });
  await settle();
  assert.deepEqual(await states(), ['paid', 'seen']);
});

test('a visitor of the demo shop orders twenty times a minute at the most', async () => {
  let [address, cookie] = ['192.0.2.1', ''];
  const shop = createPages({ ...pageApp, clientAddressOf: () => address });
  const order = async () => {
    const url = `${origin}/demo/embedded`;
    const headers = { ...sameOrigin, accept: 'application/json', cookie };
    return shop.fetch(new Request(url, { method: 'POST', headers }));
  };
  for (let made = 0; made < 20; made += 1) {
    const answer = await order();
    assert.equal(answer.status, 200);
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
  }
  const refused = await order();
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '3']);
  address = '192.0.2.2';
  assert.equal((await order()).status, 200);
  address = '192.0.2.1';
  await world.clock.advance(3_000);
  assert.equal((await order()).status, 200);
});
