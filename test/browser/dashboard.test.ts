// The owner's first minutes in a real browser: the link of the first start, a passkey, a shop, a
// cashier; and that the pages can be read by everybody, on a phone and a desktop.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';

let server: ServerProcess;
let origin: string;
before(async () => {
  server = await openServerProcess();
  // Passkeys belong to the name of a host.
  origin = server.origin.replace('127.0.0.1', 'localhost');
  await server.start({ PUBLIC_URL: origin });
});
after(async () => {
  assert.deepEqual(server.errors(), []);
  await server.close();
});

/** An authenticator of the browser itself, which always finds its person there. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

function firstLink(): string {
  const file = readFileSync(join(server.dataDirectory, 'first-key.json'), 'utf8');
  const { dashboard } = JSON.parse(file) as { dashboard: string };
  return dashboard;
}

test('from the first link to a passkey, out and in again with it, and a cashier is invited', async () => {
  const { page, context, faults } = await openBrowserPage({ width: 390, height: 844 });
  await addAuthenticator(context, page);
  const link = firstLink();
  assert.ok(link.startsWith(`${origin}/dashboard/invitation/`));
  await page.goto(link);
  await page.fill('#email', 'ann@shop.example');
  await page.fill('#name', 'Ann');
  assert.equal(await page.locator('#way-passkey').isChecked(), true, 'the passkey comes first');
  assert.equal(await page.locator('#password').isVisible(), false);
  await page.click('#submit');
  await page.waitForURL(/\/dashboard\/security/);
  assert.match((await page.locator('#no-way').textContent()) ?? '', /no way in yet/);

  await page.fill('#label', 'Phone');
  await page.click('#add-passkey');
  await page.waitForURL(/done=1/);
  assert.match((await page.locator('#passkeys').textContent()) ?? '', /Phone/);
  assert.equal(await page.locator('#no-way').count(), 0);

  await page.click('#sign-out');
  await page.waitForURL(/sign-in/);
  await page.click('#passkey');
  await page.waitForURL(/\/checkouts$/);
  assert.match((await page.locator('h1').textContent()) ?? '', /Checkouts/);

  await page.click('a[href$="/people"]');
  await page.fill('#name', 'Carl');
  await page.fill('#email', 'carl@shop.example');
  await page.selectOption('#new-role', 'CASHIER');
  await page.click('#invite');
  const invited = (await page.locator('#link code').textContent()) ?? '';
  assert.ok(invited.startsWith(`${origin}/dashboard/invitation/`));
  assert.deepEqual(faults, []);
  await context.close();

  const cashier = await openBrowserPage({ width: 1280, height: 800, javaScriptEnabled: false });
  await cashier.page.goto(invited);
  assert.equal(
    await cashier.page.locator('#way-passkey').isVisible(),
    false,
    'no script, no passkey',
  );
  await cashier.page.fill('#password', 'four horses eat blue grass');
  await cashier.page.click('#submit');
  await cashier.page.waitForURL(/\/checkouts$/);
  assert.equal(await cashier.page.locator('a[href$="/people"]').count(), 0);
  await cashier.context.close();
});

const ROOMS = [
  ...['/money', '/reports', '/people', '/webhooks', '/events', '/keys', '/addresses', '/checkouts'],
  ...['/settings', '/settings/preview', '/settings/payments', '/settings/domains'],
  ...['/settings/mails', '/settings/mails/preview'],
];

test('the preview follows what is typed, and nothing of it is stored', async () => {
  const asked = ['paul@shop.example', '--role', 'OWNER', '--by', 'ann', '--json'];
  const { link } = (await server.command('person', 'invite', ...asked)).json;
  const { page, context, faults } = await openBrowserPage({ width: 1280, height: 900 });
  await page.goto(String(link));
  await page.click('#way-password');
  await page.fill('#name', 'Paul');
  await page.fill('#password', 'four horses eat blue grass');
  await page.click('#submit');
  await page.waitForURL(/\/checkouts$/);
  await page.click('a[href$="/settings"]');
  const frame = page.frameLocator('iframe.preview');
  await page.fill('#shopName', 'Paul & sons');
  await page.fill('#primaryColor', '#aa0000');
  await page.check('#primaryColorOwn');
  await frame.getByText('Paul & sons').waitFor();
  await page.waitForFunction(`(() => {
    const frame = document.querySelector('iframe.preview').contentDocument;
    const button = frame.querySelector('.button');
    return button !== null && getComputedStyle(button).backgroundColor === 'rgb(170, 0, 0)';
  })()`);
  await page.reload();
  await frame.locator('.button').waitFor();
  assert.equal(await frame.getByText('Paul & sons').count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`at ${width} pixels nothing overflows, nothing is too small to press, and axe finds nothing`, async () => {
    const made = await server.command(
      ...[
        'person',
        'invite',
        `eve${width}@shop.example`,
        '--role',
        'OWNER',
        '--by',
        'ann',
        '--json',
      ],
    );
    const { link } = made.json;
    const { page, context } = await openBrowserPage({ width, height });
    await page.goto(String(link));
    await look(page, 'invitation');
    await page.click('#way-password');
    await page.fill('#name', 'Eve with a name that is quite a bit longer than others');
    await page.fill('#password', 'four horses eat blue grass');
    await page.click('#submit');
    await page.waitForURL(/\/checkouts$/);
    await look(page, 'checkouts');
    const shop = page.url().replace(/\/live\/.*/, '/test');
    for (const path of ROOMS) {
      await page.goto(shop + path);
      await look(page, path);
    }
    await page.goto(`${origin}/dashboard/mails`);
    await look(page, 'mails');
    await page.goto(`${origin}/dashboard/security`);
    await look(page, 'security');
    await page.click('#totp-offer');
    await page.waitForSelector('#app .qr');
    await look(page, 'codes');
    await page.click('#sign-out');
    await page.waitForURL(/sign-in/);
    await look(page, 'sign-in');
    await context.close();
  });
}

/** What is pressed; a box is pressed by its label. */
const PRESSED =
  'a, button, summary, select, .check label, .choice label, ' +
  'input:not([type=hidden], [type=radio], [type=checkbox])';

async function look(page: Page, name: string): Promise<void> {
  const [overflow, small] = await page.evaluate<[number, string[]]>(`(() => [
    document.documentElement.scrollWidth - document.documentElement.clientWidth,
    [...document.querySelectorAll(${JSON.stringify(PRESSED)})]
      .filter((one) => one.checkVisibility() && !one.closest('.skip, p code, .hint'))
      .filter((one) => one.getBoundingClientRect().height < 43.5)
      .map((one) => one.outerHTML.slice(0, 120)),
  ])()`);
  assert.equal(overflow, 0, name);
  assert.deepEqual(small, [], name);
  assert.deepEqual(await findAxeFaults(page), [], name);
}
