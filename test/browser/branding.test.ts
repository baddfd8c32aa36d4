// Pages in the colours, in the order, in the words and under the names of merchants with good and
// with bad taste.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { pageToken } from '#checkout/page-token.ts';
import { readFont } from '#look/read-font.ts';
import { PAGE_WORDS_PLACES, setPageWords } from '#merchant/customer-mails.ts';
import type { PageBlock } from '#merchant/page-settings.ts';
import { changeFont, changeLogo, changePageSettings, findSeller } from '#merchant/seller.ts';
import { redrawLogo } from '#pages/branding/redraw-logo.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { createPages } from '#pages/create-pages.ts';
import { SAMPLE_SELLER } from '#pages/demo/sample-page.ts';
import { findSampleState, SAMPLE_STATES } from '#pages/demo/sample-states.ts';
import { sendPage } from '#pages/send-page.ts';
import { makeFont } from '#test/support/make-font.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { byLength } from '#test/support/run-length.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';
import { eachView } from './views.ts';

let world: TestApp;
let origin: string;
const server = createServer();

before(async () => {
  world = await openTestApp();
  for (const network of ['LITECOIN', 'BITCOIN', 'STELLAR']) await world.observe(network);
  const { app } = world;
  const findSellerOf = (merchantId: string) => findSeller(app.db, merchantId);
  const pages = createPages({ ...app, findSeller: findSellerOf, demo: undefined });
  const site = new Hono();
  site.get('/states/:name/:brand', ({ req }) => {
    const { name, brand } = req.param();
    return sendPage(app, renderCheckout(stateOf(name, BRANDS[Number(brand)]!)));
  });
  site.mount('/', pages.fetch);
  server.on('request', getRequestListener(site.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await world.close();
});

type Brand = {
  readonly primaryColor: string | null;
  readonly backgroundColor: string | null;
  /** In which order its pages say things; the usual one when absent. */
  readonly blocks?: readonly PageBlock[];
  /** Colour of a mark with nothing around it. */
  readonly mark: string;
};

const BRANDS: readonly Brand[] = [
  { primaryColor: '#7a1fa2', backgroundColor: '#f3e5f5', mark: '#4a148c' },
  {
    ...{ primaryColor: '#ffe600', backgroundColor: '#0b1f3a', mark: '#ffffff' },
    blocks: ['order', 'pay', 'note'],
  },
  {
    ...{ primaryColor: '#808080', backgroundColor: '#777777', mark: '#777777' },
    blocks: ['note', 'order', 'pay'],
  },
  { primaryColor: '#ffffff', backgroundColor: null, mark: '#fafafa' },
  { primaryColor: null, backgroundColor: '#000000', mark: '#111111' },
];

function stateOf(name: string, colors: Brand): CheckoutPage {
  const state = findSampleState(name);
  assert.ok(state !== undefined, name);
  const page = { ...SAMPLE_SELLER.page, ...colors };
  const seller = { ...SAMPLE_SELLER, pageWords: WORDS, page };
  return state.make({ seller, sample: name });
}

const WORDS = PAGE_WORDS_PLACES.map((place) => ({
  ...{ place, language: 'en' as const },
  words: `${place} at https://fern.example/${'x'.repeat(60)}`,
}));

async function setBrand({ mark, blocks, ...colors }: Brand): Promise<void> {
  const { app, caller } = world;
  const page = { shopName: 'Fern & Folio', blocks: blocks ?? null, ...colors };
  await changePageSettings(app, caller.merchantId, page);
  await setPageWords(app, caller.merchantId, WORDS, 'all');
  const bar = { create: { width: 220, height: 20, channels: 4 as const, background: mark } };
  const input = await sharp(bar).png().toBuffer();
  const layers = [0, 20, 40].map((top, index) => ({ input, top, left: 40 * index }));
  const nothing = { width: 300, height: 60, channels: 4 as const, background: '#00000000' };
  const drawn = await sharp({ create: nothing }).composite(layers).png().toBuffer();
  await changeLogo(app, caller.merchantId, await redrawLogo(drawn));
}

async function newCheckout(request: object = {}): Promise<string> {
  const id = await world.create(request);
  return `${origin}/en/checkout/${pageToken(world.app.keyring, id)}`;
}

async function check(page: Page, name: string, width: number): Promise<void> {
  assert.deepEqual(await findAxeFaults(page), [], name);
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(wide <= width, `${name} is ${wide} wide`);
}

test('nothing that axe finds wrong in any brand: 320 and 1280 pixels, light and dark', async () => {
  const { page, context, faults } = await openBrowserPage();
  for (const [index, brand] of BRANDS.entries()) {
    // A short run looks at each brand twice: in the opposite of what it chose in, it pays.
    const turn = byLength<number | undefined>({ short: index, long: undefined });
    const opposite = turn === undefined ? undefined : 3 - (turn % 4);
    await setBrand(brand);
    await page.goto(await newCheckout());
    await eachView(page, (view, width) => check(page, `choose ${index} ${view}`, width), turn);
    await page.getByRole('button', { name: /Litecoin/ }).click();
    await page.waitForSelector('#main[data-state="pay"]');
    await eachView(page, (view, width) => check(page, `pay ${index} ${view}`, width), opposite);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

/** A short run looks at each sixth state; six and the five brands come together in all ways. */
const EVERY = byLength({ short: 6, long: 1 });

// Without a brand every state is looked at with all rules (accessible.test.ts).
test('every state can be read in the brands, in light and dark', async () => {
  const { page, context } = await openBrowserPage({ width: 320, height: 640 });
  const found: string[] = [];
  for (const [index, { name }] of SAMPLE_STATES.entries()) {
    if (index % EVERY !== 0) continue;
    await page.goto(`${origin}/states/${name}/${index % BRANDS.length}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const faults = await findAxeFaults(page, { rules: ['color-contrast', 'target-size'] });
      found.push(...faults.map((fault) => `${name} ${colorScheme}: ${fault}`));
    }
  }
  assert.deepEqual(found, []);
  await context.close();
});

test('receipts and invoices of a brand can be read, in light and dark', async () => {
  await setBrand(BRANDS[1]!);
  const id = await world.create();
  await payCheckout(world, id);
  const path = `${origin}/en/checkout/${pageToken(world.app.keyring, id)}`;
  const { page, context, faults } = await openBrowserPage({ width: 320 });
  for (const paper of ['receipt', 'invoice']) {
    await page.goto(`${path}/${paper}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await check(page, `${paper} ${colorScheme}`, 320);
    }
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test('the logo is a picture of our own origin, sharp on fine screens, in its own proportions', async () => {
  await setBrand(BRANDS[0]!);
  const { page, context, faults } = await openBrowserPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(await newCheckout());
  const size = await page.evaluate<number[]>(`(() => {
    const { complete, naturalWidth, naturalHeight } = document.querySelector('.brand img');
    return [complete, naturalWidth, naturalHeight];
  })()`);
  assert.deepEqual(size, [true, 200, 40]);
  assert.ok(
    asked.every((url) => url.startsWith(`${origin}/`)),
    asked.join('\n'),
  );
  assert.deepEqual(faults, []);
  await context.close();
});

test('a font of the shop is loaded from our own origin, and letters are drawn with it', async () => {
  const { app, caller } = world;
  const file = readFont(makeFont());
  await changeFont(app, caller.merchantId, 'regular', file);
  const { page, context, faults } = await openBrowserPage();
  const answer = await page.goto(await newCheckout());
  assert.match(answer?.headers()['content-security-policy'] ?? '', /; font-src 'self';/);
  const faces = await page.evaluate<string[]>(
    'document.fonts.ready.then((all) => [...all].map((one) => one.family + " " + one.status))',
  );
  assert.deepEqual(faces, ['own-font loaded']);
  const wide = (font: string) =>
    page.evaluate<number>(`(() => {
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = '100px ${font}';
      return pen.measureText('A').width;
    })()`);
  assert.equal(await wide('own-font'), 60, 'the letter has the width that the font says');
  const loaded = await page.evaluate<string[]>(
    'performance.getEntriesByType("resource").map(({ name }) => name)',
  );
  assert.deepEqual(
    loaded.filter((one) => one.endsWith('.woff2')),
    [`${origin}/brand/${file.hash}.woff2`],
  );
  assert.deepEqual(faults, []);
  await changeFont(app, caller.merchantId, 'regular', undefined);
  const without = await page.goto(await newCheckout());
  assert.doesNotMatch(without?.headers()['content-security-policy'] ?? '', /font-src/);
  await context.close();
});

test('a button has the colour of the brand, and no other page has it', async () => {
  await setBrand(BRANDS[0]!);
  const { page, context } = await openBrowserPage();
  const value = (name: string) =>
    page.evaluate<string>(`getComputedStyle(document.body).getPropertyValue('${name}').trim()`);
  await page.goto(await newCheckout());
  assert.equal(await value('--fill'), '#7a1fa2');
  assert.equal(await value('--ground'), '#f3e5f5');
  await page.goto(origin);
  assert.notEqual(await value('--ground'), '#f3e5f5');
  await context.close();
});

const HOSTILE = [
  `<img src=x onerror=alert(1)></style><script>alert(2)</script>`,
  `\u202egpj.elif\u202c \u2066x\u2069`,
  'W'.repeat(200),
  `${'\u0301'.repeat(150)}a`,
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}'.repeat(20),
  'متجر الكتب 12 €',
  '   a   b   ',
];

test('names and addresses that break out, reorder, or never end stay in their place', async () => {
  const { app, caller } = world;
  await setBrand(BRANDS[0]!);
  for (const text of HOSTILE) {
    await changePageSettings(app, caller.merchantId, {
      shopName: text,
      sellerInfo: `${text}\n${text}`,
      displaySellerInfo: true,
    });
    const { page, context, faults } = await openBrowserPage({ width: 320, height: 640 });
    await page.goto(await newCheckout());
    const shown = (await page.locator('.brand').textContent()) ?? '';
    assert.doesNotMatch(shown, /[\u202a-\u202e\u2066-\u2069]/);
    assert.equal(
      await page.locator('.brand script, .brand img:not(.logo), .seller *:not(bdi, br)').count(),
      0,
    );
    assert.equal(await page.locator('.brand bdi').count(), 1);
    await check(page, text.slice(0, 20), 320);
    assert.deepEqual(faults, []);
    await context.close();
  }
});
