// The hosted checkout and the demo shop in a real Chromium, over the real site, with the simulated
// networks driven by hand: with JavaScript, without it, by keyboard, in both colours.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import jsQRModule from 'jsqr';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { chainOf } from '#catalog/chain.ts';
import { pageToken } from '#checkout/page-token.ts';
import { findSeller } from '#merchant/seller.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { createPages } from '#pages/create-pages.ts';
import { demoShop } from '#server/demo-shop.ts';
import { byLength } from '#test/support/run-length.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';
import { follow } from './follow.ts';

// The types of the package know no default export, Node gives it as one.
const jsQR = jsQRModule as unknown as typeof jsQRModule.default;

let world: TestApp;
let origin: string;
const server = createServer();

before(async () => {
  world = await openTestApp();
  for (const network of ['LITECOIN', 'BITCOIN', 'STELLAR']) await world.observe(network);
  const { app } = world;
  const pages = createPages({
    ...app,
    findSeller: (merchantId) => findSeller(app.db, merchantId),
    demo: demoShop(app),
  });
  server.on('request', getRequestListener(pages.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await world.close();
});

async function newCheckout(request: object = {}): Promise<{ id: string; url: string }> {
  const id = await world.create(request);
  return { id, url: `${origin}/en/checkout/${pageToken(world.app.keyring, id)}` };
}

/** What the watching and settling loops of the program do. */
async function settle(checkoutId: string, blocks = 0): Promise<void> {
  if (blocks > 0) await mineBlocks(world.app, chainOf('test', 'LITECOIN'), blocks);
  await world.observe('LITECOIN');
  await world.settle();
  world.app.changes.tell(checkoutId);
}

const state = (page: Page) => page.locator('#main').getAttribute('data-state');
const inState = (page: Page, name: string) => page.waitForSelector(`#main[data-state="${name}"]`);

async function readQrCode(page: Page): Promise<string | undefined> {
  const code = page.locator('#qr svg.qr');
  // On a phone it is folded.
  if (!(await code.isVisible())) await page.locator('#code summary').click();
  const { data, width, height } = PNG.sync.read(await code.screenshot());
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

test('an open page follows the payment by itself, without a fault in the console', async () => {
  const { id, url } = await newCheckout();
  const { page, context, faults } = await openBrowserPage();
  await page.goto(url);
  await page.getByRole('button', { name: /Litecoin/ }).click();
  await inState(page, 'pay');
  await page.locator('#amount-copy').waitFor();
  assert.equal(await readQrCode(page), await page.locator('#payment-uri').textContent());
  await page.locator('#qr-address').click();
  await page.waitForURL(/qr=address/);
  assert.equal(await readQrCode(page), await page.locator('#address').getAttribute('data-value'));

  const other = await context.newPage();
  await other.goto(page.url());
  await follow(other, '#sandbox-exact');
  await settle(id);
  await inState(page, 'seen');
  assert.match(await page.title(), /We see your payment/);
  assert.equal(await page.locator('#live').textContent(), 'We see your payment');
  await settle(id, 1);
  await page.waitForSelector('[data-confirmations="1"]');
  await settle(id, 3);
  await inState(page, 'paid');
  assert.deepEqual(faults, []);
  await context.close();
});

test('copying takes exactly the amount and the address, and says so', async () => {
  const { url } = await newCheckout();
  const { page, context } = await openBrowserPage();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.goto(url);
  await page.getByRole('button', { name: /Litecoin/ }).click();
  for (const id of ['amount', 'address']) {
    // It says so for a moment: whoever looks after the click may come too late.
    const isSaid = page.locator(`#${id}-copy`, { hasText: 'Copied' }).waitFor();
    await Promise.all([isSaid, page.locator(`#${id}-copy`).click()]);
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.equal(copied, await page.locator(`#${id}`).getAttribute('data-value'));
  }
  await context.close();
});

test('the demo shop works without JavaScript, from the shelf to the paid order', async () => {
  const { page, context } = await openBrowserPage({ javaScriptEnabled: false });
  await page.goto(`${origin}/demo`);
  await page.getByRole('button', { name: 'Add to cart: Moss ink' }).click();
  await follow(page, '#checkout');
  assert.equal(await state(page), 'choose');
  const id = (await page.locator('.reference code').textContent()) ?? '';
  await follow(page, 'button[value^="LITECOIN "]');
  assert.equal(await state(page), 'pay');
  assert.equal(await page.locator('.copy:visible').count(), 0);
  await follow(page, '#sandbox-parts');
  await settle(id, 4);
  await page.reload();
  assert.equal(await state(page), 'paid');
  assert.equal(await page.locator('.payments li').count(), 2);
  const target = page.locator('#return');
  assert.match((await target.getAttribute('href')) ?? '', /\/return$/);
  await context.close();
});

test('by keyboard alone: skip link, arrows, Enter', async () => {
  const { url } = await newCheckout();
  const { page, context } = await openBrowserPage({ width: 1280, height: 800 });
  await page.goto(url);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate<string>('document.activeElement.className'), 'skip');
  await page.locator('.choice').first().focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(
    await page.evaluate<boolean>(
      `document.activeElement === document.querySelectorAll('.choice')[1]`,
    ),
    true,
  );
  await page.keyboard.press('Enter');
  await inState(page, 'pay');
  await context.close();
});

test('a page whose merchant writes scripts runs none of them', async () => {
  const text = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
  const { url } = await newCheckout({
    charge: {
      billingCurrency: 'EUR',
      lineItems: [{ description: text, netAmount: '10' }],
      taxItems: [{ name: text, percent: '0.1' }],
    },
    pageSettings: { shopName: text },
  });
  const { page, context, faults } = await openBrowserPage();
  await page.goto(url);
  assert.equal(await page.locator('.brand').textContent(), text);
  assert.deepEqual(faults, []);
  await context.close();
});

test('nothing that axe finds wrong, and nothing wider than 320 pixels, in light and dark', async () => {
  const { id, url } = await newCheckout();
  const { page, context } = await openBrowserPage({ width: 320, height: 640 });
  let looks = 0;
  const check = async (name: string) => {
    looks += 1;
    const turn = looks % 2 === 0 ? 'light' : 'dark';
    // A short run takes them in turn.
    for (const colorScheme of byLength({ short: [turn], long: ['light', 'dark'] } as const)) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await findAxeFaults(page), [], `${name} ${colorScheme}`);
    }
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= 320, `${name} is ${width} wide`);
  };
  for (const path of ['/', '/demo', '/demo/cart', `/demo/orders/${'0'.repeat(64)}/abcdefghij12`]) {
    await page.goto(origin + path);
    await check(path);
  }
  await page.goto(url);
  await check('choose');
  await page.getByRole('button', { name: /Litecoin/ }).click();
  await inState(page, 'pay');
  await check('pay');
  await follow(page, '#sandbox-under');
  await settle(id);
  await inState(page, 'seen');
  await check('seen');
  await settle(id, 4);
  await inState(page, 'partial');
  await check('partial');
  await follow(page, '#sandbox-rest');
  await settle(id, 4);
  await inState(page, 'paid');
  await check('paid');
  await context.close();
});
