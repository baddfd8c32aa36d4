// What tells whoever looks elsewhere that it is paid, and what takes a page to another device.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import jsQRModule from 'jsqr';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { PAGES } from '#test/support/checkout-pages.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { openBrowserPage } from './browser.ts';

// The types of the package know no default export, Node gives it as one.
const jsQR = jsQRModule as unknown as typeof jsQRModule.default;

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

const LISTEN = `window.shaken = 0;
  navigator.vibrate = () => { shaken += 1; return true; };`;
/** What the script of the page does when it hears that the payment is complete. */
const BECOME_PAID = `{
  document.getElementById('main').dataset.state = 'paid';
  document.dispatchEvent(new Event('quittance:page'));
}`;
const shaken = (page: Page) => page.evaluate<number>('shaken');

test('nothing sounds or shakes until somebody asked for it, and then on every page of this device', async () => {
  const { page, context, faults } = await openBrowserPage();
  await page.addInitScript(LISTEN);
  await page.goto(site.urlOf('seen'));
  const isOn = () => page.locator('#signal').getAttribute('aria-pressed');
  assert.equal(await isOn(), 'false');
  await page.evaluate(BECOME_PAID);
  assert.equal(await shaken(page), 0);
  await page.goto(site.urlOf('seen'));
  await page.locator('#signal').click();
  await page.goto(site.urlOf('pay'));
  assert.equal(await isOn(), 'true');
  await page.evaluate(BECOME_PAID);
  assert.equal(await shaken(page), 1);
  // It is told once, however often the page changes after it.
  await page.evaluate(BECOME_PAID);
  assert.equal(await shaken(page), 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test('a page that was paid before it was opened is silent', async () => {
  const { page, context } = await openBrowserPage();
  await page.addInitScript(LISTEN);
  await page.goto(site.urlOf('seen'));
  await page.locator('#signal').click();
  await page.goto(site.urlOf('paid'));
  assert.equal(await shaken(page), 0);
  await context.close();
});

test('a code takes the page to another device, with and without JavaScript', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, context } = await openBrowserPage({ javaScriptEnabled });
    await page.goto(site.urlOf('pay', 'de'));
    await page.locator('#device summary').click();
    const code = page.locator('#device .qr');
    const { data, width, height } = PNG.sync.read(await code.screenshot());
    const read = jsQR(new Uint8ClampedArray(data), width, height)?.data;
    assert.equal(read, `https://pay.example/de/checkout/${'T'.repeat(32)}`);
    assert.equal(await page.locator('#signal').isVisible(), javaScriptEnabled);
    await context.close();
  }
});

test('a receipt is shared by the device, or its address is copied and that is said', async () => {
  const url = site.show(renderCheckout(PAGES.paid!()));
  const receipt = `${site.origin}/en/checkout/${'T'.repeat(32)}/receipt`;
  for (const canShare of [true, false]) {
    const { page, context, faults } = await openBrowserPage();
    await page.addInitScript(`window.told = [];
      navigator.share = ${canShare ? 'async ({ url }) => { told.push(String(url)); }' : 'undefined'};
      Object.defineProperty(navigator, 'clipboard', { value: {
        writeText: async (text) => { told.push('copied ' + text); },
      } });`);
    await page.goto(url);
    await page.locator('#share').click();
    assert.deepEqual(await page.evaluate('told'), [canShare ? receipt : `copied ${receipt}`]);
    const said = await page.locator('#share + [role=status]').textContent();
    assert.equal(said, canShare ? '' : 'Copied');
    assert.deepEqual(faults, []);
    await context.close();
  }
});
