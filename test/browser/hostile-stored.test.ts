// The same 2,000 texts the whole way: sent in requests, stored, read again and served by the real
// site, as a shop, its goods, its taxes and its address.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { Refusal } from '#base/refusal.ts';
import { hasLoneSurrogate, hasNul } from '#base/text.ts';
import { pageToken } from '#checkout/page-token.ts';
import { changePageSettings, findSeller } from '#merchant/seller.ts';
import { createPages } from '#pages/create-pages.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { hostileTexts } from './hostile-texts.ts';
import { openWatchedPage } from './watched-page.ts';

let world: TestApp;
let origin: string;
const server = createServer();
before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  const { app } = world;
  const findSellerOf = (merchantId: string) => findSeller(app.db, merchantId);
  const pages = createPages({ ...app, findSeller: findSellerOf, demo: undefined });
  server.on('request', getRequestListener(pages.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await world.close();
});

const isStorable = (text: string) => !hasNul(text) && !hasLoneSurrogate(text);
const TEXTS = hostileTexts(2_000).map((text) => text.slice(0, 200));
const perCheckout = 100;

function requestWith(texts: readonly string[]): object {
  const [shopName = ''] = texts;
  return {
    charge: {
      billingCurrency: 'EUR',
      lineItems: texts.map((text) => ({
        description: text,
        productId: text.slice(0, 20),
        netAmount: '10',
      })),
      discountItems: texts.map((description) => ({ description, netAmount: '0.5' })),
      shippingCostItems: texts.map((description) => ({ description, netAmount: '1' })),
      taxItems: texts.map((name) => ({ name, percent: '0.001' })),
    },
    pageSettings: { shopName },
    meta: Object.fromEntries(texts.slice(0, 10).map((text) => [text, text])),
  };
}

const harmless = (text: string) => text.replace(/\S/gu, 'x');

/** Elements with the names of their attributes, in order. */
const OUTLINE = `[...document.querySelectorAll('*')]
  .map((one) => one.localName + '[' + [...one.attributes].map(({ name }) => name).join() + ']').join(' ')`;

test('stored and served: none of the texts runs, and none changes the page', async () => {
  const storable = TEXTS.filter(isStorable);
  assert.ok(storable.length > 1_800);
  const { page, context, heard } = await openWatchedPage(origin, false);
  const { app, caller } = world;
  const outlineOf = async (texts: readonly string[]) => {
    await changePageSettings(app, caller.merchantId, {
      sellerInfo: `House ${texts[0]!.replace(/\s/g, ' ')}`,
      displaySellerInfo: true,
      shopName: texts[1]!,
    });
    const token = pageToken(app.keyring, await world.create(requestWith(texts)));
    const outlines: string[] = [];
    for (const path of [`en/checkout/${token}`, `en/invoice/${token}`]) {
      await page.goto(`${origin}/${path}`);
      outlines.push(await page.evaluate<string>(OUTLINE));
      assert.deepEqual(await page.evaluate<string[]>('shots'), []);
    }
    return outlines;
  };
  const expected = new Map<number, string[]>();
  for (let from = 0; from < storable.length; from += perCheckout) {
    const texts = storable.slice(from, from + perCheckout);
    const outlines = await outlineOf(texts);
    const plain = expected.get(texts.length) ?? (await outlineOf(texts.map(harmless)));
    expected.set(texts.length, plain);
    assert.deepEqual(outlines, plain);
  }
  assert.deepEqual(heard, []);
  await context.close();
});

/** Halves of surrogate pairs are no JSON already. */
const isRefused = (error: Error) =>
  error instanceof Refusal || /^malformed JSON/.test(error.message);

test('what is no text is refused before it is stored', async () => {
  const unfit = TEXTS.filter((text) => !isStorable(text));
  assert.ok(unfit.length > 50);
  for (const text of unfit) {
    await assert.rejects(world.create({ pageSettings: { shopName: text } }), isRefused);
  }
});
