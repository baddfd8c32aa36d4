// The gallery over HTTP, and the buttons of the sandbox wallet, as a browser without JavaScript
// uses them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hono } from 'hono';
import { chainOf } from '#catalog/chain.ts';
import { pageToken } from '#checkout/page-token.ts';
import { findSeller } from '#merchant/seller.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { PAGE_KINDS } from '#pages/checkout/decide-page.ts';
import { createPages } from '#pages/create-pages.ts';
import type { PageApp } from '#pages/page-app.ts';
import { demoShop } from '#server/demo-shop.ts';
import { TELLING_LANGUAGES } from '#test/support/telling-languages.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { SAMPLE_STATES } from './sample-states.ts';

let world: TestApp;
let pageApp: PageApp;
let pages: Hono;
before(async () => {
  world = await openTestApp();
  for (const network of ['LITECOIN', 'ETHEREUM', 'BITCOIN', 'LIGHTNING']) {
    await world.observe(network);
  }
  const { app } = world;
  const find = (merchantId: string) => findSeller(app.db, merchantId);
  pageApp = { ...app, findSeller: find, demo: demoShop(app) };
  pages = createPages(pageApp);
});
after(() => world.close());

const origin = 'http://localhost:8080';

const get = (path: string) => pages.fetch(new Request(origin + path, { redirect: 'manual' }));

async function post(path: string, form: Record<string, string>, site = pages): Promise<Response> {
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' };
  const body = new URLSearchParams(form);
  return site.fetch(new Request(origin + path, { method: 'POST', body, headers }));
}

test('the demo shop leads to a list with a button for every state of the page', async () => {
  assert.match(await (await get('/demo')).text(), /href="\/demo\/states"/);
  const text = await (await get('/demo/states?language=fr')).text();
  for (const { name } of SAMPLE_STATES) {
    assert.ok(text.includes(`href="/demo/states/${name}?language=fr"`), name);
  }
  const kinds = new Set(SAMPLE_STATES.map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), [...PAGE_KINDS].sort());
  assert.equal(new Set(SAMPLE_STATES.map(({ name }) => name)).size, SAMPLE_STATES.length);
});

test('every state has its own address in every language, and is what its name says', async () => {
  for (const { languageCode: code } of TELLING_LANGUAGES) {
    for (const { name, kind } of SAMPLE_STATES) {
      const answer = await get(`/demo/states/${name}?language=${code}`);
      const text = await answer.text();
      assert.equal(answer.status, 200, name);
      assert.ok(text.includes(`data-state="${kind}"`), name);
      assert.ok(text.includes(`<html lang="${code}"`), name);
      assert.doesNotMatch(
        text,
        /undefined|\[object|NaN|\{time\}<|data-source|http-equiv="refresh"/,
      );
      assert.doesNotMatch(text, /\/checkout\/T{32}\/(?:choose|cancel|find|sandbox)/);
    }
  }
});

test('what is pressed in a sample leads back to it, and out of it to the list', async () => {
  const location = async (answer: Promise<Response> | Response) =>
    (await answer).headers.get('location');
  assert.equal(
    await location(post('/demo/states/pay/cancel?language=de', {})),
    '/demo/states?language=de',
  );
  assert.equal(
    await location(post('/demo/states/expired/find?language=de', { transaction: 'x' })),
    '/demo/states/expired?language=de',
  );
  assert.equal(await location(get('/demo/states/paid/return')), '/demo/states?language=en');
  assert.equal((await get('/demo/states/nonsense')).status, 404);
  const view = await (await get('/demo/states/choose?group=USDC&language=en')).text();
  assert.equal(view.match(/name="method"/g)?.length, 3);
});

test('without the demo shop there is no gallery', async () => {
  const plain = createPages({ ...pageApp, demo: undefined });
  for (const path of ['/demo/states', '/demo/states/pay']) {
    assert.equal((await plain.fetch(new Request(origin + path))).status, 404);
  }
});

async function open(method: string): Promise<{ id: string; path: string }> {
  const id = await world.create();
  const path = `/en/checkout/${pageToken(world.app.keyring, id)}`;
  if (method !== '') assert.equal((await post(`${path}/choose`, { method })).status, 303);
  return { id, path };
}

async function act(path: string, name: string, network: string, blocks = 0): Promise<string> {
  const answer = await post(`${path}/sandbox`, { act: name });
  assert.equal(answer.status, 303, name);
  if (blocks > 0) await mineBlocks(world.app, chainOf('test', network), blocks);
  await world.observe(network);
  await world.settle();
  return (await get(path)).text();
}

const stateOf = (text: string) => /data-state="([a-z]+)"/.exec(text)?.[1];

test('a part, then a button for the rest; it completes the checkout', async () => {
  const { path } = await open('LITECOIN LTC:NATIVE');
  const part = await act(path, 'under', 'LITECOIN', 4);
  assert.equal(stateOf(part), 'partial');
  assert.match(part, /id="sandbox-rest"/);
  assert.doesNotMatch(part, /id="sandbox-exact"/);
  assert.equal(stateOf(await act(path, 'rest', 'LITECOIN', 4)), 'paid');
});

test('another asset is a button where the network carries several, and is told', async () => {
  const { path } = await open('ETHEREUM ETH:NATIVE');
  assert.match(await (await get(path)).text(), /id="sandbox-other"/);
  const text = await act(path, 'other', 'ETHEREUM');
  assert.match(text, /data-notice="wrong-asset"/);
  const litecoin = await open('LITECOIN LTC:NATIVE');
  assert.doesNotMatch(await (await get(litecoin.path)).text(), /id="sandbox-other"/);
});

test('a payment that is replaced, and one that a reorganisation takes away, are told', async () => {
  const replaced = await open('LITECOIN LTC:NATIVE');
  await act(replaced.path, 'exact', 'LITECOIN');
  assert.match(await act(replaced.path, 'replace', 'LITECOIN'), /data-notice="replaced"/);
  await mineBlocks(world.app, chainOf('test', 'LITECOIN'), 3);
  const undone = await open('LITECOIN LTC:NATIVE');
  await act(undone.path, 'exact', 'LITECOIN', 1);
  // What paid is spent elsewhere: before the next block, and for good with it.
  const isAskedAgain = /data-state="pay"[\s\S]*data-notice="replaced"/;
  assert.match(await act(undone.path, 'reorg', 'LITECOIN'), isAskedAgain);
  assert.match(await act(undone.path, 'mine', 'LITECOIN'), isAskedAgain);
});

test('too much is thanked for, with what happens with the difference', async () => {
  const { path } = await open('LITECOIN LTC:NATIVE');
  const text = await act(path, 'over', 'LITECOIN', 4);
  assert.equal(stateOf(text), 'paid');
  assert.match(text, /data-notice="over"/);
});

test('one code for Bitcoin and Lightning: a button locks the other as well', async () => {
  const { id, path } = await open('BITCOIN BTC:NATIVE');
  const text = await (await get(path)).text();
  const unify =
    /<input type="hidden" name="back" value="([^"]+)">\s*<button[^>]*id="unify" name="method" value="([^"]+)"/;
  const [, back = '', method = ''] = unify.exec(text) ?? [];
  const answer = await post(`${path}/choose`, { back, method });
  const location = answer.headers.get('location') ?? '';
  assert.equal(location, `${path}?network=BITCOIN&asset=BTC%3ANATIVE&qr=both`);
  const { commitments } = await world.read(id);
  assert.deepEqual(commitments.map(({ network }) => network).sort(), ['BITCOIN', 'LIGHTNING']);
  const invoice = commitments.find(({ network }) => network === 'LIGHTNING')?.instruction.address;
  assert.ok((await (await get(location)).text()).includes(`&amp;lightning=${invoice}`));
});

test('a price or a network that is away is told on the page, and nothing is lost', async () => {
  const { id, path } = await open('');
  const { networks } = pageApp;
  const without = (name: string) =>
    createPages({
      ...pageApp,
      networks: new Map([...networks].filter(([chain]) => chain !== `test:${name}`)),
    });
  const method = 'LITECOIN LTC:NATIVE';
  const answer = await post(`${path}/choose`, { method }, without('LITECOIN'));
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /role="alert">This network does not answer us/);
  await world.clock.advance(61 * 60_000);
  const noRates = createPages({
    ...pageApp,
    rates: { ...pageApp.rates, price: () => undefined },
  });
  const missing = await post(`${path}/choose`, { method }, noRates);
  assert.equal(missing.status, 503);
  assert.match(await missing.text(), /role="alert">There is no current price/);
  assert.equal((await world.read(id)).commitments.length, 0);
});
