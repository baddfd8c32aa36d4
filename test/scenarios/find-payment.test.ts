// "I have paid, where is my money?", asked over HTTP without JavaScript, on a real database and the
// simulated networks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hono } from 'hono';
import { chainOf } from '#catalog/chain.ts';
import { pageToken } from '#checkout/page-token.ts';
import { findSeller } from '#merchant/seller.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { createPages } from '#pages/create-pages.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
let pages: Hono;
let asker = '192.0.2.1';
before(async () => {
  world = await openTestApp();
  for (const network of ['LITECOIN', 'STELLAR', 'ETHEREUM']) await world.observe(network);
  const { app } = world;
  pages = createPages({
    ...app,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    clientAddressOf: () => asker,
    demo: undefined,
  });
});
after(() => world.close());

const origin = 'http://localhost:8080';

async function post(path: string, form: Record<string, string>): Promise<Response> {
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' };
  const body = new URLSearchParams(form);
  return pages.fetch(new Request(origin + path, { method: 'POST', body, headers }));
}

/** A checkout whose customer chose a way to pay. */
async function open(method: string): Promise<{ id: string; path: string }> {
  const id = await world.create();
  const path = `/en/checkout/${pageToken(world.app.keyring, id)}`;
  assert.equal((await post(`${path}/choose`, { method })).status, 303);
  return { id, path };
}

type Answer = {
  readonly found: string | undefined;
  readonly text: string;
  readonly status: number;
};

async function ask(path: string, transaction: string): Promise<Answer> {
  const answer = await post(`${path}/find`, { transaction });
  const text = await answer.text();
  return { found: /data-found="([a-z-]+)"/.exec(text)?.[1], text, status: answer.status };
}

async function settle(network: string, blocks = 0): Promise<void> {
  if (blocks > 0) await mineBlocks(world.app, chainOf('test', network), blocks);
  await world.observe(network);
  await world.settle();
}

async function transactionOf(id: string): Promise<string> {
  const [receipt] = (await world.read(id)).receipts;
  assert.ok(receipt !== undefined);
  return receipt.transaction;
}

const ltc = 'LITECOIN LTC:NATIVE';

test('seen, confirmed: by the hash in any case, and by the address of an explorer', async () => {
  const { id, path } = await open(ltc);
  await post(`${path}/sandbox`, { act: 'exact' });
  await settle('LITECOIN');
  const hash = await transactionOf(id);
  for (const text of [hash, hash.toUpperCase(), ` ${hash} `, `https://x.example/tx/${hash}?a=1`]) {
    const { found, text: page } = await ask(path, text);
    assert.equal(found, 'seen', text);
    assert.match(page, /waits for its first confirmation/);
  }
  await settle('LITECOIN', 4);
  assert.match((await ask(path, hash)).text, /data-state="paid"/);
});

test('too little: what is missing is said', async () => {
  const { id, path } = await open(ltc);
  await post(`${path}/sandbox`, { act: 'under' });
  await settle('LITECOIN');
  const { found, text } = await ask(path, await transactionOf(id));
  assert.equal(found, 'wrong-amount');
  assert.match(text, /LTC is missing/);
});

test('a payment of another checkout belongs elsewhere, and nothing of it is said', async () => {
  const other = await open(ltc);
  await post(`${other.path}/sandbox`, { act: 'exact' });
  await settle('LITECOIN');
  const hash = await transactionOf(other.id);
  const { path } = await open(ltc);
  const { found, text } = await ask(path, hash);
  assert.equal(found, 'elsewhere');
  const { receipts } = await world.read(other.id);
  for (const secret of [
    other.id,
    receipts[0]?.destination ?? '',
    pageToken(world.app.keyring, other.id),
  ]) {
    assert.ok(secret !== '' && !text.includes(secret));
  }
});

test('another asset to the right address is found as that', async () => {
  const { id, path } = await open('ETHEREUM ETH:NATIVE');
  await post(`${path}/sandbox`, { act: 'other' });
  await settle('ETHEREUM');
  const { found, text } = await ask(path, await transactionOf(id));
  assert.equal(found, 'wrong-asset');
  assert.match(text, /USD Coin/);
});

test('without its memo it lies with us, and the shop can find it', async () => {
  const { id, path } = await open('STELLAR XLM:NATIVE');
  const [commitment] = (await world.read(id)).commitments;
  assert.ok(commitment !== undefined);
  const destination = commitment.instruction.address;
  const [sent] = await paySandbox(world.app, {
    chain: chainOf('test', 'STELLAR'),
    outputs: [{ destination, assetId: 'XLM:NATIVE', units: commitment.arrivingUnits }],
  });
  await settle('STELLAR', 1);
  assert.equal((await ask(path, sent?.transaction ?? '')).found, 'no-memo');
});

test('expired: the box stands open, and what came late is found', async () => {
  const { id, path } = await open(ltc);
  await world.clock.advance(2_000);
  await post(`${path}/sandbox`, { act: 'expire' });
  await settle('LITECOIN');
  await world.clock.advance(2_000);
  await world.observe('LITECOIN');
  const page = await (await pages.fetch(new Request(origin + path))).text();
  assert.match(page, /data-state="expired"/);
  assert.match(page, /<details class="find no-print" id="find" open>/);
  assert.equal((await ask(path, 'f'.repeat(64))).found, 'not-found');
  await post(`${path}/sandbox`, { act: 'late' });
  await settle('LITECOIN');
  const hash = await transactionOf(id);
  const { found, text } = await ask(path, hash);
  assert.ok(['seen', 'wrong-amount'].includes(found ?? ''));
  assert.ok(text.includes(hash));
});

test('anything may be pasted: no hash, markup, 15 kB', async () => {
  const { path } = await open(ltc);
  asker = '192.0.2.2';
  for (const text of ['', 'hello', '<script>alert(1)</script>', 'x'.repeat(15_000)]) {
    const { found, status, text: page } = await ask(path, text);
    assert.equal(status, 200);
    assert.equal(found, 'unreadable');
    assert.doesNotMatch(page, /<script>alert/);
    assert.ok(page.length < 40_000, 'what is far too long is not sent back');
  }
  assert.equal((await post(`${path}/find`, { transaction: 'x'.repeat(20_000) })).status, 413);
});

test('the answer stays while somebody reads it, and a reload leads back to the page', async () => {
  const { path } = await open(ltc);
  assert.doesNotMatch((await ask(path, 'f'.repeat(64))).text, /http-equiv="refresh"/);
  const again = await pages.fetch(new Request(`${origin}${path}/find`, { redirect: 'manual' }));
  assert.equal(again.status, 303);
  assert.equal(again.headers.get('location'), path);
});

test('asked more than ten times in a minute a checkout answers later', async () => {
  const { path } = await open(ltc);
  asker = '192.0.2.3';
  for (let times = 0; times < 10; times += 1) {
    assert.equal((await ask(path, 'f'.repeat(64))).status, 200);
  }
  const refused = await post(`${path}/find`, { transaction: 'f'.repeat(64) });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.match(await refused.text(), /Please wait a minute/);
  await world.clock.advance(60_000);
  assert.equal((await ask(path, 'f'.repeat(64))).status, 200);
});

test('one address asks no more than thirty times, about however many checkouts', async () => {
  const checkouts = await Promise.all([open(ltc), open(ltc), open(ltc), open(ltc)]);
  asker = '192.0.2.4';
  const statuses: number[] = [];
  for (let times = 0; times < 32; times += 1) {
    const path = checkouts[times % 4]?.path ?? '';
    statuses.push((await ask(path, 'f'.repeat(64))).status);
  }
  assert.deepEqual(statuses.slice(0, 30), Array(30).fill(200));
  assert.deepEqual(statuses.slice(30), [429, 429]);
});

test('a form of another site is refused', async () => {
  const { path } = await open(ltc);
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  const body = new URLSearchParams({ transaction: 'f'.repeat(64) });
  const request = new Request(`${origin}${path}/find`, { method: 'POST', body, headers });
  assert.equal((await pages.fetch(request)).status, 403);
});
