// What a page says and does by the account of the merchant, unless the request said otherwise.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Hono } from 'hono';
import { pageToken } from '#checkout/page-token.ts';
import { changePaymentWishes } from '#merchant/merchant.ts';
import { DEFAULT_PAGE_SETTINGS, type PageSettings } from '#merchant/page-settings.ts';
import { changeLogo, changePageSettings, findSeller } from '#merchant/seller.ts';
import { createPages } from '#pages/create-pages.ts';
import { createCustomer, eraseCustomer } from '#people/customer.ts';
import { createRefund } from '#refund/create-refund.ts';
import { claimToken } from '#refund/refund.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { openTestApp, SIMPLE_CHARGE, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
let pages: Hono;
before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  const { app } = world;
  const findSellerOf = (merchantId: string) => findSeller(app.db, merchantId);
  pages = createPages({ ...app, findSeller: findSellerOf, demo: undefined });
});
afterEach(() => set(DEFAULT_PAGE_SETTINGS));
after(() => world.close());

async function set(settings: Partial<PageSettings>): Promise<void> {
  await changePageSettings(world.app, world.caller.merchantId, settings);
}

async function pathOf(request: object = {}, language = 'en'): Promise<string> {
  const id = await world.create(request);
  return `/${language}/checkout/${pageToken(world.app.keyring, id)}`;
}

async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await pages.fetch(new Request(`http://localhost:8080${path}`, { headers }));
  assert.equal(answer.status, 200);
  return answer.text();
}

const brandOf = (page: string) => /class="brand"><bdi>([^<]*)/.exec(page)?.[1];
const languageOf = (page: string) => /<html lang="([a-z]+)"/.exec(page)?.[1];

test('a name: of the request, else of the account, else the merchant’s own', async () => {
  const plain = await pathOf();
  const own = await pathOf({ pageSettings: { shopName: 'Request' } });
  assert.deepEqual(
    [brandOf(await read(plain)), brandOf(await read(own))],
    ['Test shop', 'Request'],
  );
  await set({ shopName: 'Account' });
  assert.deepEqual([brandOf(await read(plain)), brandOf(await read(own))], ['Account', 'Request']);
});

test('an address of the seller is shown as the request says, else as the account does', async () => {
  const shown = async (wish?: boolean) => {
    const path = await pathOf(
      wish === undefined ? {} : { pageSettings: { displaySellerInfo: wish } },
    );
    return (await read(path)).includes('Main Street');
  };
  await set({ sellerInfo: 'Main Street 1', displaySellerInfo: false });
  assert.deepEqual([await shown(), await shown(true), await shown(false)], [false, true, false]);
  await set({ displaySellerInfo: true });
  assert.deepEqual([await shown(), await shown(true), await shown(false)], [true, true, false]);
});

async function newCustomer(fields: object): Promise<string> {
  const nothing = {
    firstname: null,
    lastname: null,
    company: null,
    adr1: null,
    adr2: null,
    zip: null,
    city: null,
    countrycode: null,
    phonenumber: null,
    taxid: null,
    note: null,
    meta: null,
  };
  const { id } = await createCustomer(world.app, world.caller, {
    email: 'ada@mail.example',
    ...nothing,
    ...fields,
  });
  return id;
}

test('the billing address of a linked customer is shown in the language of the page, and nothing else of it', async () => {
  const customerId = await newCustomer({
    firstname: 'Ada',
    lastname: '<i>Lovelace</i>',
    adr1: 'Ockham Lane 2',
    city: 'London',
    countrycode: 'GB',
    phonenumber: '+44 123',
    note: 'pays late',
  });
  const charge = { ...SIMPLE_CHARGE, customerId };
  const path = await pathOf({ charge }, 'de');
  assert.doesNotMatch(await read(path), /Ockham/);
  await set({ displayBuyerInfo: true });
  const page = await read(path);
  for (const text of [
    'Käufer',
    'Ada &lt;i&gt;Lovelace&lt;/i&gt;',
    'Ockham Lane 2',
    'London',
    'Vereinigtes Königreich',
  ]) {
    assert.ok(page.includes(text), text);
  }
  assert.doesNotMatch(page, /mail\.example|\+44|pays late/);
  const without = await pathOf({ charge, pageSettings: { displayBuyerInfo: false } });
  assert.doesNotMatch(await read(without), /Ockham/);
  assert.doesNotMatch(await read(await pathOf()), /Buyer/);
  await eraseCustomer(world.app, world.caller, customerId);
  assert.doesNotMatch(await read(path), /Ockham|Käufer/);
});

test('a page in auto is in the language of the browser, else of the account, else English', async () => {
  const path = await pathOf({}, 'auto');
  const tongues = async () => [
    languageOf(await read(path)),
    languageOf(await read(path, { 'accept-language': 'sv, fi;q=0.5' })),
    languageOf(await read(path, { 'accept-language': 'fr;q=0.5, sv' })),
    languageOf(await read(path.replace('auto', 'es'))),
  ];
  assert.deepEqual(await tongues(), ['en', 'en', 'fr', 'es']);
  await set({ defaultLanguage: 'pl' });
  assert.deepEqual(await tongues(), ['pl', 'pl', 'fr', 'es']);
});

test('colours come with the nonce of the answer, under a policy that allows no other style', async () => {
  await set({ primaryColor: '#7a1fa2' });
  const path = await pathOf();
  const answer = await pages.fetch(new Request(`http://localhost:8080${path}`));
  const policy = answer.headers.get('content-security-policy') ?? '';
  const nonce = /style-src 'nonce-([^']+)'(?:;|$)/.exec(policy)?.[1] ?? '';
  assert.notEqual(nonce, '');
  assert.doesNotMatch(policy, /unsafe/);
  const page = await answer.text();
  assert.equal(page.split('<style').length, 2);
  assert.ok(page.includes(`<style nonce="${nonce}">@media screen{body{`));
  assert.doesNotMatch(page, /\sstyle=/);
});

test('receipts, invoices and refund pages have the name, the logo and the colours too', async () => {
  const { app, caller } = world;
  const settings = { shopName: 'Fern & Folio', primaryColor: '#7a1fa2' };
  await set(settings);
  const hash = '0'.repeat(32);
  const drawing = { hash, ink: 'dark', width: 9, height: 9, content: new Uint8Array([1]) } as const;
  await changeLogo(app, caller.merchantId, [
    { ...drawing, scale: 1 },
    { ...drawing, scale: 2 },
  ]);
  const id = await world.create();
  await payCheckout(world, id);
  // The fee of the network is on top of a refund.
  await payCheckout(world, await world.create());
  const wishes = { amount: undefined, address: undefined, network: undefined, asset: undefined };
  const refund = await createRefund(app, caller, { checkoutId: id, kind: 'full', ...wishes });
  const path = `/en/checkout/${pageToken(app.keyring, id)}`;
  const refundPath = `/en/refund/${claimToken(app.keyring, refund.id)}`;
  for (const address of [path, `${path}/receipt`, `${path}/invoice`, refundPath]) {
    const page = await read(address);
    assert.match(
      page,
      /class="brand"><img class="logo dark" [^>]+><bdi>Fern &amp; Folio</,
      address,
    );
    assert.match(page, /--fill:#7a1fa2/, address);
  }
  await changeLogo(app, caller.merchantId, []);

  await set({ defaultLanguage: 'it' });
  for (const address of [path, `${path}/receipt`, refundPath]) {
    assert.equal(languageOf(await read(address.replace('/en/', '/auto/'))), 'it', address);
  }
});

test('what the shop recommends stands first and is marked, on open pages at once', async () => {
  const { app, caller } = world;
  const path = await pathOf();
  assert.doesNotMatch(await read(path), /Recommended/);
  const methodsRecommended = ['LITECOIN LTC:NATIVE'];
  await changePaymentWishes(app, caller, { methodsRecommended });
  const first = /<li data-way="([^"]*)"[\s\S]*?<\/li>/.exec(await read(path));
  assert.match(first?.[1] ?? '', /LITECOIN LTC:NATIVE/);
  assert.match(first?.[0] ?? '', /<span class="tag">Recommended<\/span>/);
  await changePaymentWishes(app, { ...caller, environment: 'live' }, { methodsRecommended });
  await changePaymentWishes(app, caller, { methodsRecommended: [] });
  assert.doesNotMatch(await read(path), /Recommended/, 'what live keys recommend is of live');
});
