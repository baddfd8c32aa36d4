// Two visitors of the demo shop, without JavaScript, on a real database and the simulated networks:
// each has a shop of his own, and nothing of the other's.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hono } from 'hono';
import { chainOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { findSeller } from '#merchant/seller.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { createPages } from '#pages/create-pages.ts';
import { visitorOf } from '#pages/demo/demo-routes.ts';
import { listPageLanguages } from '#pages/languages/texts.ts';
import { demoShop, SHOPS_AN_HOUR, SHOPS_MAX } from '#server/demo-shop.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { webhookAuth } from '#webhook/sign-webhook.ts';

let world: TestApp;
let pages: Hono;
let address = '192.0.2.1';
before(async () => {
  world = await openTestApp();
  await mineBlocks(world.app, chainOf('test', 'LITECOIN'), 100);
  await world.observe('LITECOIN');
  pages = sitePages('http://localhost:8080');
});
after(() => world.close());

function sitePages(publicUrl: string): Hono {
  const app = { ...world.app, publicUrl };
  return createPages({
    ...app,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    clientAddressOf: () => address,
    demo: demoShop(app),
  });
}

/** A browser: it keeps the cookies that it is given. */
class Visitor {
  readonly #site: Hono;
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  readonly setCookies: string[] = [];
  /** What the browser asks for. */
  language = 'en';

  constructor(site = pages, origin = 'http://localhost:8080') {
    this.#site = site;
    this.#origin = origin;
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      'sec-fetch-site': 'same-origin',
      origin: 'null',
      cookie,
      'accept-language': this.language,
    };
    const answer = await this.#site.fetch(
      new Request(this.#origin + path, { ...init, headers, redirect: 'manual' }),
    );
    for (const text of answer.headers.getSetCookie()) {
      this.setCookies.push(text);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }

  get = (path: string) => this.#fetch(path, {});
  post = (path: string, form: Record<string, string> = {}) =>
    this.#fetch(path, { method: 'POST', body: new URLSearchParams(form) });
  text = async (path: string) => (await this.get(path)).text();

  /** Buys a pen; the customer chose how to pay. */
  async order(): Promise<{ id: string; path: string }> {
    await this.post('/demo/cart', { add: 'pen' });
    const path = (await this.post('/demo/checkout')).headers.get('location') ?? '';
    await this.post(`${path}/choose`, { method: 'LITECOIN LTC:NATIVE' });
    const id = /<code>([a-z0-9]{12})<\/code>/.exec(await this.text(path))?.[1] ?? '';
    assert.notEqual(id, '');
    return { id, path };
  }

  /** As the service knows him. */
  name = () => visitorOf(this.#cookies.get('demo_visitor') ?? '');
  orderPath = (id: string) => `/demo/orders/${this.name()}/${id}`;
  state = async (path: string) => /data-state="([a-z]+)"/.exec(await this.text(path))?.[1];
}

async function settle(): Promise<void> {
  await world.observe('LITECOIN');
  await world.settle();
}

async function countMerchants(): Promise<number> {
  const [row] = await world.app.db.query<{ n: number }>(sql`select count(*)::int n from merchant`);
  return row?.n ?? 0;
}

/** What the delivery sends: to the receiver that the checkout names, signed with its key. */
async function deliver(id: string): Promise<number> {
  const { webhookUrl = '' } = await world.read(id);
  const shop = /^\/demo\/webhook\/([0-9a-f]{64})$/.exec(new URL(webhookUrl).pathname)?.[1] ?? '';
  const data = { checkout: { id, state: 'COMPLETED' } };
  const body = JSON.stringify({ eventType: 'CHECKOUT_COMPLETED', data, sequence: 2 });
  const secret = (await demoShop(world.app).readApiSecret(shop)) ?? 'of another now';
  const headers = { 'x-webhook-auth': webhookAuth(secret, body) };
  return (await pages.fetch(new Request(webhookUrl, { method: 'POST', body, headers }))).status;
}

test('looking makes nothing; the first order makes a shop, the second one is of the same', async () => {
  const visitor = new Visitor();
  const before = await countMerchants();
  for (const path of [
    '/demo',
    '/demo/cart',
    '/demo/embedded',
    `/demo/orders/${'0'.repeat(64)}/abcdefghij12`,
  ]) {
    assert.equal((await visitor.get(path)).status, 200);
  }
  await visitor.post('/demo/cart', { add: 'pen' });
  assert.equal(await countMerchants(), before);
  const [one, two] = [await visitor.order(), await visitor.order()];
  assert.equal(await countMerchants(), before + 1);
  const [first, second] = [await world.read(one.id), await world.read(two.id)];
  assert.equal(first.merchantId, second.merchantId);
  assert.notEqual(first.merchantId, world.caller.merchantId);
  assert.equal(first.environment, 'test');
});

test('the shelf and the cart are in the language of the browser, whichever it is', async () => {
  for (const { code, texts } of listPageLanguages()) {
    const visitor = new Visitor();
    visitor.language = code;
    const shelf = await visitor.text('/demo');
    assert.match(shelf, new RegExp(`<html lang="${code}"`));
    const { products, less } = texts.shop;
    for (const { name } of Object.values(products)) assert.ok(shelf.includes(name), name);
    await visitor.post('/demo/cart', { add: 'pen' });
    assert.ok((await visitor.text('/demo/cart')).includes(less(products.pen.name)), code);
  }
});

test('what was ordered in German is paid for in German', async () => {
  const visitor = new Visitor();
  visitor.language = 'de-AT';
  const paying = await visitor.text((await visitor.order()).path);
  for (const word of ['Stift aus Messing', 'Briefversand', 'MwSt.']) {
    assert.ok(paying.includes(word), word);
  }
});

test('a visitor sees nothing of the orders of another', async () => {
  const [ann, bob] = [new Visitor(), new Visitor()];
  const [ofAnn, ofBob] = [await ann.order(), await bob.order()];
  const merchants = [await world.read(ofAnn.id), await world.read(ofBob.id)].map(
    ({ merchantId }) => merchantId,
  );
  assert.equal(new Set(merchants).size, 2);
  assert.equal(await deliver(ofAnn.id), 200);
  assert.match(await ann.text(ann.orderPath(ofAnn.id)), /id="order-state">COMPLETED</);
  for (const stranger of [bob, new Visitor()]) {
    const seen = await stranger.text(stranger.orderPath(ofAnn.id));
    assert.match(seen, /id="order-state">none yet</);
    assert.doesNotMatch(seen, /CHECKOUT_COMPLETED/);
  }
  assert.match(await bob.text(bob.orderPath(ofBob.id)), /id="order-state">none yet</);
});

test('what one visitor mines, undoes or silences happens to no payment of another', async () => {
  const [ann, bob] = [new Visitor(), new Visitor()];
  const [ofAnn, ofBob] = [await ann.order(), await bob.order()];
  await ann.post(`${ofAnn.path}/sandbox`, { act: 'exact' });
  await bob.post(`${ofBob.path}/sandbox`, { act: 'exact' });
  await settle();
  const states = () => Promise.all([ann.state(ofAnn.path), bob.state(ofBob.path)]);
  assert.deepEqual(await states(), ['seen', 'seen']);
  for (let block = 0; block < 4; block += 1)
    await ann.post(`${ofAnn.path}/sandbox`, { act: 'mine' });
  await settle();
  assert.deepEqual(await states(), ['paid', 'seen']);
  for (let block = 0; block < 4; block += 1)
    await bob.post(`${ofBob.path}/sandbox`, { act: 'mine' });
  await settle();
  assert.deepEqual(await states(), ['paid', 'paid']);

  // All that a merchant can do to his own, so also what no button of a page does.
  const { merchantId, environment } = await world.read(ofAnn.id);
  const owner = { merchantId, environment };
  await world.app.sandbox?.freeze(owner, { network: 'LITECOIN', seconds: 600 });
  const [again, later] = [await ann.order(), await bob.order()];
  await ann.post(`${again.path}/sandbox`, { act: 'exact' });
  await bob.post(`${later.path}/sandbox`, { act: 'exact' });
  await world.app.sandbox?.reorg(owner, { network: 'LITECOIN', depth: 10 });
  await settle();
  assert.deepEqual(await Promise.all([ann.state(again.path), bob.state(later.path)]), [
    'pay',
    'seen',
  ]);
  assert.equal(await bob.state(ofBob.path), 'paid');
});

test('the cookie is a secret that scripts do not read; on https it is sent over TLS alone', async () => {
  const visitor = new Visitor();
  await visitor.order();
  const own = visitor.setCookies.filter((text) => text.startsWith('demo_visitor='));
  const shape =
    /^demo_visitor=[a-z0-9]{4}(?:-[a-z0-9]{4}){5}; Path=\/demo; HttpOnly; SameSite=Lax$/;
  assert.equal(own.length, 1);
  assert.match(own[0] ?? '', shape);
  const origin = 'https://pay.example';
  const safe = new Visitor(sitePages(origin), origin);
  await safe.order();
  const secure = safe.setCookies.find((text) => text.startsWith('demo_visitor=')) ?? '';
  assert.match(secure, /; Path=\/demo; HttpOnly; SameSite=Lax; Secure$/);
  // One that somebody made up opens no shop under that name.
  const cookie = `demo_visitor=${'aaaa-'.repeat(5)}aaaa`;
  const answer = await pages.fetch(
    new Request('http://localhost:8080/demo/embedded', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', origin: 'null', cookie },
    }),
  );
  assert.match(answer.headers.get('set-cookie') ?? '', /^demo_visitor=(?!aaaa-aaaa)/);
});

test('an address opens twenty shops an hour; who has one goes on ordering', async () => {
  address = '192.0.2.7';
  const known = new Visitor();
  await known.order();
  for (let made = 1; made < 20; made += 1) {
    assert.equal((await new Visitor().post('/demo/embedded')).status, 303);
    await world.clock.advance(4_000);
  }
  const refused = await new Visitor().post('/demo/embedded');
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 60);
  assert.equal((await known.post('/demo/embedded')).status, 303);
  address = '192.0.2.8';
  assert.equal((await new Visitor().post('/demo/embedded')).status, 303);
});

test('there are so many an hour and so many in all; then the longest unused is handed on', async () => {
  const shops = demoShop(world.app);
  const name = (number: number) => number.toString(16).padStart(64, '0');
  await world.clock.advance(3_600_000);
  const count = async () => {
    const [row] = await world.app.db.query<{ n: number }>(
      sql`select count(*)::int n from demo_shop`,
    );
    return row?.n ?? 0;
  };
  const old = new Visitor();
  address = '192.0.2.9';
  const { id, path } = await old.order();
  const { merchantId } = await world.read(id);
  assert.equal(await deliver(id), 200);
  await world.clock.advance(1_000);
  const hour = SHOPS_AN_HOUR - 1;
  for (let at = 0; at < hour; at += 1) await shops.openShop(name(at));
  await assert.rejects(shops.openShop(name(hour)), { kind: 'too-many' });

  // The others are made at once: a thousand accounts take long. They never had an account.
  const now = world.clock.now();
  const missing = SHOPS_MAX - (await count());
  await world.app.db.single((tx) =>
    tx.query(sql`
      insert into demo_shop (visitor, taken_at, used_at)
      select 'f' || lpad(n::text, 63, '0'), ${now.subtract({ hours: 2 })}, ${now.add({ hours: 30 })}
      from generate_series(1, ${missing}::int) n`),
  );
  await world.clock.advance(3_700_000);
  await assert.rejects(shops.openShop(name(hour)), { kind: 'too-many' }, 'all are in use');

  await world.clock.advance(24 * 3_600_000);
  const merchants = await countMerchants();
  const all = await world.app.db.query<{ visitor: string }>(sql`
    select visitor from demo_shop order by used_at, visitor`);
  const before = all.findIndex(({ visitor }) => visitor === old.name());
  for (let at = 0; at <= before && at < SHOPS_AN_HOUR; at += 1)
    await shops.openShop(name(900 + at));
  assert.equal(await countMerchants(), merchants, 'no further account is made');
  assert.equal(await count(), SHOPS_MAX);
  assert.equal(await shops.useShop(old.name()), false);

  // His page goes on, his shop is another's: what is told of the old order reaches nobody.
  await settle();
  assert.equal(await old.state(path), 'expired');
  assert.equal((await world.read(id)).merchantId, merchantId);
  assert.equal(await deliver(id), 200);
  const again = await old.order();
  assert.equal(old.setCookies.filter((text) => text.startsWith('demo_visitor=')).length, 2);
  assert.match(await old.text(old.orderPath(id)), /id="order-state">none yet</);
  assert.notEqual(again.id, id);
});
