// The page where a customer declines the mails of a shop, in a real browser on a phone: he sees how
// it stands, changes it, and has it back, also without JavaScript.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemRandom } from '#base/random.ts';
import { openKeyring } from '#installation/keyring.ts';
import { leaveToken, mailReader } from '#mail/mail-stop.ts';
import { findFirstMerchant } from '#merchant/merchant.ts';
import { letterTexts } from '#pages/languages/letters/texts.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { TELLING_LANGUAGES } from '#test/support/telling-languages.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';
import { follow } from './follow.ts';
import { findLayoutFaults } from './layout-facts.ts';

let server: ServerProcess;
before(async () => {
  server = await openServerProcess();
  await server.start();
});
after(async () => {
  assert.deepEqual(server.errors(), []);
  await server.close();
});

/** Of the page of one customer, below the language. */
async function findPath(): Promise<string> {
  const merchant = await findFirstMerchant(server.db);
  assert.ok(merchant !== undefined);
  const keyring = openKeyring(server.keyFile, systemRandom);
  const reader = mailReader(keyring, merchant.id, 'ann@customers.test');
  return `mails/${merchant.id}/${leaveToken(keyring, merchant.id, reader)}`;
}

const PHONE = { width: 390, height: 844 };

test('the page fits 390 pixels in every language, however it stands, and axe finds nothing', async () => {
  const path = await findPath();
  const { page, context, faults } = await openBrowserPage(PHONE);
  const look = async (standing: string) => {
    assert.equal(await page.innerText('#standing'), standing);
    assert.deepEqual(await findLayoutFaults(page), [], standing);
    assert.deepEqual(await findAxeFaults(page), [], standing);
  };
  for (const { languageCode } of TELLING_LANGUAGES) {
    const texts = letterTexts(languageCode).page;
    await page.goto(`${server.origin}/${languageCode}/${path}`);
    await look(texts.gets);
    await follow(page, '#change');
    await look(texts.left);
    await follow(page, '#change');
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test('mails are declined and wanted again without JavaScript', async () => {
  const path = await findPath();
  const { page, context } = await openBrowserPage({ ...PHONE, javaScriptEnabled: false });
  const { gets, left } = letterTexts('en').page;
  await page.goto(`${server.origin}/en/${path}`);
  for (const standing of [gets, left, gets]) {
    assert.equal(await page.locator('#standing').textContent(), standing);
    await follow(page, '#change');
  }
  await context.close();
});
