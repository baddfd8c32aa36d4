// What the people of the shop see, in headless Chromium: the settings, what is wrong with them in words, and notices.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { PATIENCE_MS } from '#test/browser/chromium.ts';

const OUTPUT = path.join(import.meta.dirname, '..', '..', '..', 'test-output', 'woocommerce');
const SECTION = '/wp-admin/admin.php?page=wc-settings&tab=checkout&section=quittance';
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export async function signedIn(browser, site) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1200 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(`${site.url}/wp-login.php`);
  await page.fill('#user_login', 'owner');
  await page.fill('#user_pass', 'owner-of-the-shop');
  await Promise.all([page.waitForNavigation(), page.click('#wp-submit')]);
  return page;
}

/** The form of the settings: the secrets stay out of the page, and what is wrong is said, with what to do. */
export async function saveSettings({ site, browser, env }) {
  const page = await signedIn(browser, site);
  await page.goto(`${site.url}${SECTION}`);
  const html = await page.content();
  for (const secret of [env.QUITTANCE_SECRET, env.QUITTANCE_WEBHOOK_SECRET]) {
    assert.equal(html.includes(secret), false);
  }
  const right = {
    address: env.QUITTANCE_URL,
    key: env.QUITTANCE_KEY,
    secret: env.QUITTANCE_SECRET,
    webhook_secret: env.QUITTANCE_WEBHOOK_SECRET,
  };
  const wrong = [
    [{ address: 'http://127.0.0.1:9' }, /Nothing answers at .*Is this the address/],
    [{ address: site.url }, /is no Quittance installation\. Enter what stands before/],
    [{ key: 'aaaaaaaaaaaa' }, /refuses the API key or its secret\. Copy both again/],
    [{ secret: `${env.QUITTANCE_SECRET}x` }, /refuses the API key or its secret\. Copy both again/],
    [{ webhook_secret: env.QUITTANCE_SECRET }, /does not begin with whsec_\. It is the secret of/],
  ];
  for (const [values, said] of wrong) {
    const answered = await save(page, { ...right, ...values });
    assert.match(answered, said);
    assert.doesNotMatch(answered, /The key is a test key/);
  }
  await savePictures(page, 'settings-wrong');
  const live = { key: env.QUITTANCE_LIVE_KEY, secret: env.QUITTANCE_LIVE_SECRET };
  const answered = await save(page, { ...right, ...live });
  assert.match(answered, /Quittance answers, and the key is live: money moves/);
  assert.match(answered, /Refunds from an order are still refused: .*open IP addresses/);
  await savePictures(page, 'settings-live');
  const answeredLast = await save(page, right);
  assert.match(answeredLast, /Quittance answers\. The key is a test key/);
  assert.doesNotMatch(answeredLast, /still refused/);
  await savePictures(page, 'settings-right');
  await page.context().close();
}

/** What the shop says above the form that it answers to it. */
async function save(page, values) {
  for (const [field, value] of Object.entries(values)) {
    await page.fill(`#woocommerce_quittance_${field}`, value);
  }
  const isAnswer = (response) =>
    response.request().method() === 'POST' && response.url().includes('section=quittance');
  const [answer] = await Promise.all([
    page.waitForResponse(isAnswer),
    page.click('button[name="save"]'),
  ]);
  assert.equal(answer.status(), 200);
  // The scripts of the form open its button: what is typed before they run does not.
  await page.waitForLoadState('load');
  return (await page.locator('#mainform, .wrap').allTextContents())
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}

/** Looked at by a person: as on a desk, and as on a phone. */
async function savePictures(page, name) {
  fs.mkdirSync(OUTPUT, { recursive: true });
  const before = page.viewportSize();
  await page.screenshot({ path: path.join(OUTPUT, `${name}.png`), fullPage: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: path.join(OUTPUT, `${name}-phone.png`), fullPage: true });
  await page.setViewportSize(before);
}

/** Every page of the administration says that customers pay with no money. */
export async function tellOfTestMode({ site, browser }) {
  const page = await signedIn(browser, site);
  await page.goto(`${site.url}/wp-admin/plugins.php`);
  await page.getByText('Quittance is in test mode').waitFor();
  await page.context().close();
}

/** Said until another secret is saved, and not by one that is as wrong. */
export async function tellOfRefusedWebhooks({ site, browser, env }, order) {
  const page = await signedIn(browser, site);
  await page.goto(`${site.url}${SECTION}`);
  const told = `A webhook of Quittance about order ${order} was refused`;
  await page.getByText(told).waitFor();
  await savePictures(page, 'webhook-refused');
  assert.match(
    await save(page, { webhook_secret: OTHER_SECRET, title: 'Coins' }),
    new RegExp(told),
  );
  const right = { webhook_secret: env.QUITTANCE_WEBHOOK_SECRET };
  assert.doesNotMatch(await save(page, right), new RegExp(told));
  await page.context().close();
}
