// The first hour of an owner who has never seen a terminal, as one walk: from the link of the first
// start to a sale that was paid and refunded; and of the cashier he invites, who sells at the counter.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as OTPAuth from 'otpauth';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { openMerchantClient } from '#test/support/merchant-client.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { payAsCustomer, scanCode } from './customer.ts';
import { reloadUntil } from './follow.ts';
import { acceptInvitation, openWalker, PASSWORD, RECEIVER, VARIANTS, type Walker } from './walk.ts';

const SHOP = 'Bean & Leaf';

for (const variant of VARIANTS) {
  test(`the owner’s first hour, and his cashier at the counter: ${variant.name}`, async (context) => {
    const server = await openServerProcess();
    context.after(() => server.close());
    // Passkeys belong to the name of a host.
    const origin = server.origin.replace('127.0.0.1', 'localhost');
    await server.start({ PUBLIC_URL: origin });
    await holdBlocks(server.db);
    const owner = await openWalker(variant);
    await comeIn(owner, server);
    await brandTheShop(owner);
    const { key, secret } = await makeKey(owner);
    const client = openMerchantClient(server.origin, { key, secret });
    const lineItems = [{ description: 'Beans', netAmount: '19.90' }];
    await client.post('/checkout/hosted', { charge: { billingCurrency: 'EUR', lineItems } });
    await payFirstCheckout(owner, server);
    await refund(owner, server);
    const link = await inviteCashier(owner);
    await owner.leave();
    const cashier = await openWalker(variant);
    await cashier.open(link);
    await acceptInvitation(cashier);
    await sellAtTheCounter(cashier, server);
    await turnIntoKiosk(cashier);
    await cashier.leave();
    assert.deepEqual(server.errors(), []);
  });
}

async function comeIn(owner: Walker, server: ServerProcess): Promise<void> {
  const { variant } = owner;
  const first = readFileSync(join(server.dataDirectory, 'first-key.json'), 'utf8');
  await owner.open(JSON.parse(first).dashboard);
  await owner.fill('E-mail address', 'ann@shop.example');
  await owner.fill('Your name', 'Ann');
  await acceptInvitation(owner);
  if (!variant.javaScriptEnabled) await setUpCodes(owner);
  await owner.isTold('Nothing has been sold here yet.');
  await owner.go('Test');
  await owner.isTold('Test mode: no real money moves here.');
}

/** The other way in: a password, and with it the code of an app, which is asked for from now on. */
async function setUpCodes(owner: Walker): Promise<void> {
  const { page } = owner;
  await owner.go('Security');
  await owner.isTold('With an app for codes, a stolen password opens nothing.');
  await owner.press('Set up an app');
  const secret = (await page.locator('dd:right-of(dt:text-is("Key"))').first().textContent()) ?? '';
  const app = new OTPAuth.TOTP({ secret: OTPAuth.Secret.fromBase32(secret.trim()) });
  await owner.fill('Code that the app shows', app.generate());
  await owner.press('Switch on');
  await owner.isTold('Keep these where you will find them without your phone.');
  assert.equal(
    await page
      .getByRole('listitem')
      .filter({ has: page.locator('code') })
      .count(),
    10,
  );
  await owner.press('Sign out');
  await owner.isIn('Sign in');
  await owner.fill('E-mail address', 'ann@shop.example');
  await owner.fill('Password', PASSWORD);
  await owner.press('Sign in');
  await owner.isIn('One more step');
  // None counts twice, so it is the next one.
  const timestamp = Date.now() + 30_000;
  await owner.fill('Code of your app, or a recovery code', app.generate({ timestamp }));
  await owner.press('Continue');
  await owner.isIn('Today');
}

async function brandTheShop(owner: Walker): Promise<void> {
  const { page } = owner;
  await owner.go('Settings');
  await owner.fill('Name of the shop', SHOP);
  await owner.press('Save');
  await owner.isTold('Saved.');
  const create = { width: 80, height: 40, channels: 3, background: '#777' } as const;
  const buffer = await sharp({ create }).png().toBuffer();
  const file = { name: 'logo.png', mimeType: 'image/png', buffer };
  await page.getByLabel('Picture', { exact: true }).setInputFiles(file);
  await owner.press('Use this logo');
  await owner.isTold('Saved.');
  await owner.isTold('Remove the logo');
}

async function makeKey(owner: Walker): Promise<Readonly<Record<'key' | 'secret', string>>> {
  await owner.go('API keys');
  await owner.fill('Name, for example "Shop plugin"', 'First key');
  await owner.tick('Everything');
  await owner.press('Make the key');
  await owner.isTold('Keep the secret now: it is shown this once.');
  const shown = owner.page.locator('section', { hasText: 'Keep the secret now' });
  const told = async (name: string) =>
    ((await shown.locator('dl > div', { hasText: name }).locator('dd').textContent()) ?? '').trim();
  return { key: await told('Key'), secret: await told('Secret') };
}

/** As the shop asked for it through its key; the owner himself pays it in a tab of its own. */
async function payFirstCheckout(owner: Walker, server: ServerProcess): Promise<void> {
  await owner.go('Checkouts');
  await owner.go(/€19\.90/);
  await owner.isTold('by your shop (API)');
  const tab = await owner.openTab('Open the page');
  await tab.getByText(SHOP).first().waitFor();
  const widths = await tab.evaluate<number[]>(
    `[...document.querySelectorAll('header img, .brand img')].map((one) => one.naturalWidth)`,
  );
  assert.ok(widths.length > 0 && widths.every((width) => width > 0), `the logo: ${widths}`);
  await tab.getByRole('button', { name: /Litecoin/ }).click();
  await tab.getByRole('button', { name: 'Pay exactly' }).click();
  await turnsTo(owner, tab, 'seen');
  await tab.getByText('We see your payment').first().waitFor();
  await mine(server);
  await turnsTo(owner, tab, 'paid');
  await tab.getByText('Paid. Thank you!').first().waitFor();
  await tab.close();
  await owner.waitsFor('Completed');
  await owner.isTold('Payment is final');
  await owner.isTold('Credited to your balance');
}

/** By itself with a script, else when it is loaded again. */
async function turnsTo({ variant }: Walker, page: Page, state: string): Promise<void> {
  if (variant.javaScriptEnabled) await page.waitForSelector(`#main[data-state="${state}"]`);
  else await reloadUntil(page, state);
}

async function mine(server: ServerProcess): Promise<void> {
  await server.command('sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '6');
}

/** The network takes a fee for it, which the first sale of a shop alone cannot pay. */
async function refund(owner: Walker, server: ServerProcess): Promise<void> {
  await owner.go('Refund');
  await owner.choose('What goes back', 'All that is left');
  await owner.fill('Where to', RECEIVER);
  await owner.press('See what goes back');
  await owner.isTold('Look at it once more');
  await owner.isTold('The available balance is too low.');
  await owner.press('Change something');
  assert.equal(await owner.page.getByLabel('Where to').inputValue(), RECEIVER);
  await owner.choose('What goes back', 'This amount');
  await owner.fill('Amount', '0.05');
  await owner.press('See what goes back');
  await owner.isTold('Compare the address group by group.');
  assert.equal(await owner.page.getByText('The available balance is too low.').count(), 0);
  await owner.press('Refund it now');
  await owner.isTold('on its way');
  await owner.waitsFor('arrived', () => mine(server));
}

async function inviteCashier(owner: Walker): Promise<string> {
  await owner.go('People');
  await owner.fill('Name', 'Carl');
  await owner.fill('E-mail address', 'carl@shop.example');
  await owner.page.locator('#new-role').selectOption({ label: 'Cashier' });
  await owner.press('Make the invitation');
  await owner.isTold('Give this link to the person.');
  await owner.isTold('Open invitations');
  const link = owner.page.getByText(/\/dashboard\/invitation\//);
  return ((await link.textContent()) ?? '').trim();
}

/** A keypad for fingers, an item, a tip, and a screen that turns to paid while nobody touches it. */
async function sellAtTheCounter(cashier: Walker, server: ServerProcess): Promise<void> {
  const { page, variant } = cashier;
  await cashier.go('Test');
  assert.equal(await page.getByRole('link', { name: 'People' }).count(), 0);
  await cashier.go('Point of sale');
  await cashier.fill('Name', 'Espresso');
  await cashier.fill('Amount', '2.20');
  await cashier.press('Save the item');
  await cashier.isTold('€2.20');
  if (variant.javaScriptEnabled) {
    for (const name of ['1', '2', '.', '5', '0', '+1 Espresso', '+1 Espresso']) {
      await page.getByRole('button', { name, exact: true }).click();
    }
    assert.equal(await page.getByLabel('How many: Espresso').inputValue(), '2');
  } else {
    await cashier.fill('Amount (EUR)', '12.50');
    await cashier.fill('How many: Espresso', '2');
  }
  await cashier.tick(/^10\s%$/);
  await cashier.press('Ask for the payment');
  await cashier.isTold('€18.59');
  await cashier.isTold('Waiting for the payment');
  await payAsCustomer(await scanCode(page));
  await cashier.isTold('Payment seen');
  await mine(server);
  await cashier.isTold(/^Paid$/);
  await cashier.go('Next sale');
  assert.equal(await page.getByLabel('Amount (EUR)', { exact: true }).inputValue(), '');
}

/** Out of it leads a proof alone: a passkey where there is one, else the password. */
async function turnIntoKiosk(cashier: Walker): Promise<void> {
  const { page, variant } = cashier;
  await cashier.press('Start kiosk mode');
  assert.equal(await page.getByRole('navigation').count(), 0);
  await cashier.press('Leave kiosk mode');
  await cashier.isIn('Is it you?');
  if (variant.javaScriptEnabled) await cashier.press('Sign in with a passkey');
  else {
    await cashier.fill('Password', PASSWORD);
    await cashier.press('Continue');
  }
  await cashier.press('Leave kiosk mode');
  await page.getByRole('navigation').first().waitFor();
}
