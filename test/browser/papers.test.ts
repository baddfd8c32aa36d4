// Receipts, invoices and the choice of language in a real Chromium, most of it without JavaScript.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { LANGUAGES } from '#catalog/language.ts';
import { pageToken } from '#checkout/page-token.ts';
import { changePageSettings, findSeller } from '#merchant/seller.ts';
import { createPages } from '#pages/create-pages.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';
import { follow } from './follow.ts';
import { eachView } from './views.ts';

let world: TestApp;
let origin: string;
let token: string;
let openToken: string;
const server = createServer();

const charge = {
  billingCurrency: 'EUR',
  lineItems: [
    { description: 'Brass pen, medium nib', netAmount: '49.9', quantity: '2' },
    { description: 'Donaudampfschifffahrtselektrizitäten'.repeat(3), netAmount: '12' },
  ],
  discountItems: [{ description: 'Spring', netAmount: '4.80' }],
  shippingCostItems: [{ description: 'By post', netAmount: '3', taxable: true }],
  taxItems: [{ name: 'VAT', percent: '0.19' }],
};

before(async () => {
  world = await openTestApp();
  const { app, caller } = world;
  await world.observe('LITECOIN');
  await changePageSettings(app, caller.merchantId, {
    shopName: 'Fern & Folio',
    sellerInfo: 'Fern & Folio Ltd\n2 Shop Lane\nLondon',
    displaySellerInfo: true,
  });
  const pages = createPages({
    ...app,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    demo: undefined,
  });
  server.on('request', getRequestListener(pages.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [paid, open] = [await world.create({ charge }), await world.create({ charge })];
  await payCheckout(world, paid);
  token = pageToken(app.keyring, paid);
  openToken = pageToken(app.keyring, open);
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await world.close();
});

const receipt = (language: string) => `${origin}/${language}/checkout/${token}/receipt`;
const invoice = (language: string) => `${origin}/${language}/invoice/${openToken}`;

async function assertFits(page: Page, what: string): Promise<void> {
  const [content, width] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  assert.ok((content ?? 1) <= (width ?? 0), `${what}: ${content} in ${width}`);
}

test('papers are accessible and fit: 320 and 1280 pixels, in light and dark', async () => {
  const { page, context, faults } = await openBrowserPage();
  for (const address of [receipt('de'), invoice('pl')]) {
    await page.goto(address);
    await eachView(page, async (view) => {
      await assertFits(page, `${address} ${view}`);
      assert.deepEqual(await findAxeFaults(page), [], view);
    });
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test('whoever holds a receipt checks it without JavaScript; what he reads is accessible and fits', async () => {
  const { page, context } = await openBrowserPage({ width: 320, javaScriptEnabled: false });
  await page.goto(receipt('de'));
  const link = page.locator('a[href*="/verify"]');
  const written = new URL((await link.getAttribute('href')) ?? '');
  const code = (await page.locator('.paper code').allInnerTexts()).find((one) => /-/.test(one));
  assert.equal(written.searchParams.get('code'), code);
  await page.goto(`${origin}/verify?language=de`);
  await page.fill('#code', (code ?? '').toUpperCase());
  await follow(page, '#check');
  assert.equal(await page.locator('[data-standing]').getAttribute('data-standing'), 'paid');
  assert.match(await page.innerText('main'), /Das ist bezahlt[\s\S]*Fern & Folio/);
  await context.close();
  const seeing = await openBrowserPage();
  for (const query of [`code=${code}&language=pl`, 'code=wrong&language=de', 'language=tr']) {
    await seeing.page.goto(`${origin}/verify?${query}`);
    await eachView(seeing.page, async (view) => {
      await assertFits(seeing.page, `${query} ${view}`);
      assert.deepEqual(await findAxeFaults(seeing.page), [], `${query} ${view}`);
    });
  }
  await seeing.context.close();
});

test('the language is chosen without JavaScript, by keyboard, on the smallest phone', async () => {
  const { page, context } = await openBrowserPage({ width: 320, javaScriptEnabled: false });
  for (const start of [`${origin}/en/checkout/${openToken}`, invoice('en'), receipt('en')]) {
    await page.goto(start);
    const summary = page.locator('.languages summary');
    assert.equal(await page.locator('.languages a:visible').count(), 0);
    await summary.focus();
    await page.keyboard.press('Enter');
    for (const { languageCode, name } of LANGUAGES) {
      const link = page.locator(`.languages a[lang="${languageCode}"]`);
      assert.equal(await link.textContent(), name);
      const box = await link.boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, name);
      assert.ok(box.height >= 44, `${name} ${box.height}`);
    }
    await assertFits(page, 'open list');
    await follow(page, '.languages a:has-text("Türkçe")');
    assert.equal(page.url(), start.replace('/en/', '/tr/'));
    assert.equal(await page.locator('html').getAttribute('lang'), 'tr');
  }
  await context.close();
});

test('from right to left everything stands mirrored, fits, and addresses stay as they are', async () => {
  const { page, context } = await openBrowserPage({ width: 320, javaScriptEnabled: true });
  for (const address of [`${origin}/de/checkout/${openToken}`, receipt('de'), invoice('de')]) {
    await page.goto(address);
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    await page.locator('.languages summary').click();
    await assertFits(page, address);
    const list = await page.locator('.languages ul').boundingBox();
    assert.ok(list !== null && list.x >= 0 && list.x < 60, String(list?.x));
    const direction = `getComputedStyle(document.querySelector('code')).direction`;
    assert.equal(await page.evaluate<string>(direction), 'ltr');
  }
  await context.close();
});

test('on paper there is the bill alone, in dark ink', async () => {
  const { page, context } = await openBrowserPage({ colorScheme: 'dark' });
  for (const address of [receipt('fr'), invoice('fr')]) {
    await page.goto(address);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await page.locator('.no-print:visible').count(), 0);
    for (const part of ['h1', '.bill tfoot td', '.lines dt', '.lines code', '.party']) {
      const color = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('${part}')).color`,
      );
      const parts = (color.match(/\d+/g) ?? []).slice(0, 3).map(Number);
      assert.ok(Math.max(...parts) < 110, `${part} ${color}`);
    }
    const printed = await page.pdf({ format: 'A4' });
    const sheets = printed.toString('latin1').match(/\/Type \/Page\b(?!s)/g) ?? [];
    assert.equal(sheets.length, 1);
    assert.ok(printed.length > 10_000 && printed.length < 300_000, String(printed.length));
    await page.emulateMedia({ media: 'screen' });
  }
  await context.close();
});

test('the PDF is kept, not opened', async () => {
  const { page, context } = await openBrowserPage();
  await page.goto(receipt('es'));
  const waiting = page.waitForEvent('download');
  await page.locator('#pdf').click();
  assert.match((await waiting).suggestedFilename(), /^receipt-[a-z0-9]{12}\.pdf$/);
  await context.close();
});
