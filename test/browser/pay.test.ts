// The page to pay from in a real Chromium: what is needed to pay is seen at once on a phone and on
// a desktop, and the code reads as what stands beside it, with the mark of the coin in it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import jsQRModule from 'jsqr';
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { byLength } from '#test/support/run-length.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { openBrowserPage } from './browser.ts';

// The types of the package know no default export, Node gives it as one.
const jsQR = jsQRModule as unknown as typeof jsQRModule.default;

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
const STATES = ['pay', 'pay-memo', 'pay-tag', 'pay-token', 'pay-lightning', 'pay-both'];

async function bottomOf(page: Page, selector: string): Promise<number> {
  const boxes = await Promise.all(
    (await page.locator(selector).all()).map((one) => one.boundingBox()),
  );
  assert.ok(boxes.length > 0, selector);
  return Math.max(...boxes.map((box) => (box ? box.y + box.height : Number.POSITIVE_INFINITY)));
}

/** A short run reads each code light and small, or dark and large. */
const isWhole = byLength({ short: false, long: true });
const SCHEMES = ['light', 'dark'] as const;

async function readCode(code: Locator): Promise<string | undefined> {
  const { data, width, height } = PNG.sync.read(await code.screenshot());
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

for (const language of ['en', 'de'] as const) {
  test(`${language}, on a phone: amount, rows to copy and wallet are above the fold, the code folded`, async () => {
    const { page, context } = await openBrowserPage(PHONE);
    for (const state of [...STATES, 'pay-bank']) {
      await page.goto(site.urlOf(state, language));
      const needed = state === 'pay-bank' ? '#amount, .hero' : '#amount, .hero, #wallet';
      const bottom = await bottomOf(page, needed);
      assert.ok(bottom <= PHONE.height, `${state}: ${bottom}`);
      assert.equal(await page.locator('#qr').isVisible(), false, state);
      await page.locator('#code summary').click();
      assert.equal(await page.locator('#qr').isVisible(), true, state);
    }
    await context.close();
  });

  test(`${language}, on a desktop: the code on the left, the fields on the right, all within 800 pixels`, async () => {
    // The layout is the same without a script: a short run looks at that in one language.
    const withAndWithout = isWhole || language === 'en' ? [true, false] : [true];
    for (const javaScriptEnabled of withAndWithout) {
      const { page, context } = await openBrowserPage({ ...DESKTOP, javaScriptEnabled });
      for (const state of [...STATES, 'pay-bank']) {
        await page.goto(site.urlOf(state, language));
        const bottom = await bottomOf(page, '#qr .qr, .hero, .due .warning, .due .network');
        assert.ok(bottom <= DESKTOP.height, `${state}: ${bottom}`);
        const [code, amount] = await Promise.all(
          ['#qr .qr', '#amount'].map((selector) => page.locator(selector).boundingBox()),
        );
        assert.ok(code && amount && code.x + code.width <= amount.x, state);
        assert.ok(Math.abs(code.y - amount.y) < 100, state);
      }
      await context.close();
    }
  });
}

test('the code holds what stands beside it, with the mark in it, in light and dark, small and large', async () => {
  for (const view of [PHONE, DESKTOP]) {
    const { page, context } = await openBrowserPage(view);
    for (const state of STATES) {
      for (const colorScheme of isWhole
        ? SCHEMES
        : ([view === PHONE ? 'light' : 'dark'] as const)) {
        await page.emulateMedia({ colorScheme });
        await page.goto(site.urlOf(state));
        await page.evaluate(`document.getElementById('code').open = true`);
        // A code for two networks is too dense for a mark.
        const marks = state === 'pay-both' ? 0 : 1;
        assert.equal(await page.locator('#qr image').count(), marks, state);
        await page.evaluate(`document.querySelector('#qr .qr').scrollIntoView()`);
        const wanted = await page.locator('#payment-uri').textContent();
        assert.equal(await readCode(page.locator('#qr .qr')), wanted, `${state} ${colorScheme}`);
      }
      await page.locator('#zoom').click();
      const large = page.locator('dialog .qr');
      const [small, big] = await Promise.all([
        page.locator('#qr .qr').boundingBox(),
        large.boundingBox(),
      ]);
      assert.ok(small && big && big.width > small.width, state);
      assert.equal(await readCode(large), await page.locator('#payment-uri').textContent(), state);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      assert.equal(await page.evaluate<string>('document.activeElement.id'), 'zoom');
    }
    await context.close();
  }
});

/** The link of the wallet leads nowhere, as where nothing opens it. */
const stayHere = (page: Page) =>
  page.evaluate(
    `document.getElementById('wallet').addEventListener('click', (event) => event.preventDefault())`,
  );

test('where no wallet opened within two seconds the page says so and shows the code', async () => {
  const { page, context } = await openBrowserPage(PHONE);
  await page.clock.install({ time: '2026-01-05T08:00:00Z' });
  await page.clock.pauseAt('2026-01-05T08:00:01Z');
  await page.goto(site.urlOf('pay'));
  await stayHere(page);
  await page.locator('#wallet').click();
  await page.clock.runFor(1_900);
  assert.equal(await page.locator('#no-wallet').isVisible(), false);
  await page.clock.runFor(200);
  const said = 'No wallet here? Scan the code with your phone.';
  assert.equal(await page.locator('#no-wallet').textContent(), said);
  assert.equal(await page.locator('#qr').isVisible(), true);
  await page.reload();
  await stayHere(page);
  await page.locator('#wallet').click();
  // A wallet that opens takes the focus.
  await page.evaluate(`dispatchEvent(new Event('blur'))`);
  await page.clock.runFor(5_000);
  assert.equal(await page.locator('#no-wallet').isVisible(), false);
  await context.close();
});

test('the time counts in seconds with a bar, calm until the last five minutes', async () => {
  const { page, context } = await openBrowserPage(PHONE);
  await page.clock.install({ time: '2026-01-05T08:00:00Z' });
  await page.clock.pauseAt('2026-01-05T08:00:01Z');
  await page.goto(site.urlOf('pay'));
  const bar = () => page.evaluate<number>(`document.querySelector('[data-bar]').value`);
  const before = await bar();
  await page.clock.runFor(61_000);
  assert.match((await page.locator('.time').textContent()) ?? '', /^3\d:\d\d left at this price$/);
  assert.ok(before - (await bar()) >= 60_000);
  assert.equal(await page.locator('.time.urgent').count(), 0);
  await page.goto(site.urlOf('pay-urgent'));
  assert.equal(await page.locator('.time.urgent').count(), 1);
  await context.close();
});
