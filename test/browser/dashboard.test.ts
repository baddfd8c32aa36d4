// The owner's first minutes in a real browser: the link of the first start, a passkey, a shop, a
// cashier; and that the pages can be read by everybody, on a phone and a desktop.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { basicValue } from '#access/api-key.ts';
import { byLength } from '#test/support/run-length.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { addAuthenticator } from './authenticator.ts';
import { findAxeFaults } from './axe.ts';
import { openBrowserPage } from './browser.ts';
import { openRooms } from './walk.ts';

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

/** Of the first start. */
function firstKey(): Readonly<Record<'dashboard' | 'key' | 'secret', string>> {
  return JSON.parse(readFileSync(join(server.dataDirectory, 'first-key.json'), 'utf8'));
}

async function ask(path: string, body: object): Promise<Readonly<Record<string, string>>> {
  const { key, secret } = firstKey();
  const answer = await fetch(`${server.origin}/api/v1${path}`, {
    method: 'POST',
    headers: { 'X-Basic': basicValue(key, secret), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, path);
  return answer.json() as Promise<Readonly<Record<string, string>>>;
}

/** Two sales to a customer with a long name, one of them underpaid. Answers the customer. */
async function fillShop(): Promise<string> {
  const { customerId = '' } = await ask('/customer', {
    customer: {
      email: `${'long'.repeat(15)}@${'name.'.repeat(20)}example`,
      firstname: 'Ann<b>',
      lastname: 'Donaudampfschifffahrtsgesellschaft'.repeat(5),
      note: 'x'.repeat(300),
      meta: { order: 'y'.repeat(200) },
    },
  });
  const sell = (description: string) =>
    ask('/checkout/hosted', {
      checkoutLanguage: 'de',
      charge: {
        customerId,
        billingCurrency: 'EUR',
        lineItems: [{ description, netAmount: '123456.78' }],
      },
    });
  const [paid, underpaid] = [await sell('Book'), await sell('<b>Book</b>')];
  await server.command('sandbox', 'pay', paid.id ?? '', '--method', 'LITECOIN');
  const few = ['--method', 'LITECOIN', '--amount', '1'];
  await server.command('sandbox', 'pay', underpaid.id ?? '', ...few);
  await server.command('sandbox', 'mine', '--network', 'LITECOIN', '--blocks', '6');
  return customerId;
}

test('from the first link to a passkey, out and in again with it, and a cashier is invited', async () => {
  const { page, context, faults } = await openBrowserPage({ width: 390, height: 844 });
  await addAuthenticator(page);
  const link = firstKey().dashboard;
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
  await page.waitForURL(/\/today$/);
  assert.match((await page.locator('h1').textContent()) ?? '', /Today/);

  await openRooms(page, 'a[href$="/people"]');
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
  await cashier.page.waitForURL(/\/today$/);
  assert.equal(await cashier.page.locator('a[href$="/people"]').count(), 0);
  await cashier.context.close();
});

const ROOMS = [
  ...['/customers', '/customers?find=ann'],
  ...[
    '/today',
    '/money',
    '/reports',
    '/reports/charts',
    '/people',
    '/trail',
    '/webhooks',
    '/webhooks/kinds',
    '/events',
    '/requests',
    '/keys',
    '/chains',
    '/addresses',
    '/checkouts',
    '/checkouts?state=COMPLETED',
    '/checkout-views',
  ],
  ...['/invoices', '/invoices/new', '/invoices/again', '/invoices/sender'],
  ...[
    '/settings',
    '/settings/preview',
    '/settings/look',
    '/settings/look/preview/dark',
    '/settings/words',
    '/settings/asking',
    '/settings/asking/preview',
    '/settings/payments',
    '/settings/domains',
    '/settings/export',
  ],
  ...['/settings/mails', '/settings/mails/preview', '/sell', '/links', '/pos'],
  ...['/money/beneficiaries', '/money/beneficiaries?network=STELLAR', '/money/send'],
  ...['/money/swap', '/money/approvals', '/money/rules', '/money/suspense'],
];

const OPERATOR_ROOMS = [
  ...['', '/networks', '/networks/test/LITECOIN', '/treasury', '/merchants', '/parked'],
  ...['/mail', '/trail', '/software'],
];

/** BIP-173's key on the test network of Litecoin. */
const RECEIVER = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';

/** A beneficiary and a transfer that is quoted: lists that hold something, and a review. */
async function lookAtTransfer(page: Page, shop: string, label: string): Promise<void> {
  await page.goto(`${shop}/money/beneficiaries?network=LITECOIN`);
  await page.fill('#label', `${label} ${'a name that is quite long '.repeat(4)}`);
  await page.fill('[name="account.address"]', `${RECEIVER}x`);
  await page.click('#add-beneficiary');
  await page.waitForSelector('#fault');
  await look(page, 'beneficiary with a fault');
  await page.fill('[name="account.address"]', RECEIVER);
  await page.click('#add-beneficiary');
  await page.waitForURL(/done=1/);
  await look(page, 'beneficiaries');
  await page.click('a[href*="/money/send?to="]');
  await look(page, 'send');
  await page.fill('#amount', '99999.12345678');
  await page.click('#quote');
  await page.waitForURL(/\/transfers\//);
  await look(page, 'review');
  const review = (await page.locator('#review').textContent()) ?? '';
  assert.ok(review.includes(RECEIVER), 'whole, and without spaces in between');
  await page.click('#order');
  await page.waitForSelector('#fault');
  await look(page, 'a balance that is too low');
}

/** One checkout that was paid, and its refund as far as it is looked at once more. */
async function lookAtRefund(page: Page, shop: string): Promise<void> {
  await page.goto(`${shop}/checkouts?state=COMPLETED`);
  await page.click('.rows a.line');
  await page.waitForSelector('#timeline');
  await page.fill('#note', 'Donaudampfschifffahrtsgesellschaft'.repeat(9));
  await page.click('#add-note');
  await page.waitForSelector('[data-kind="note"]');
  await look(page, 'a checkout');
  await page.click('#refund');
  await look(page, 'refund');
  await page.fill('#address', RECEIVER);
  await page.click('main form.stack .button');
  await page.waitForSelector('#review');
  await look(page, 'review of a refund');
}

/** Two records of one customer side by side; nothing is merged. */
async function lookAtMerge(page: Page, shop: string, customer: string): Promise<void> {
  const { customerId = '' } = await ask('/customer', {
    customer: { email: 'ann@second.example', company: 'Donaudampfschifffahrt'.repeat(9) },
  });
  await page.goto(`${shop}/customers/${customer}/merge?find=ann`);
  await look(page, 'customers to merge with');
  await page.goto(`${shop}/customers/${customer}/merge?with=${customerId}`);
  await page.waitForSelector('#pair');
  await look(page, 'two records of a customer');
}

/** So that the rooms below have tabs, and a list of them. */
async function saveView(page: Page, shop: string): Promise<void> {
  await page.goto(`${shop}/checkouts?state=COMPLETED`);
  await page.click('#save-view summary');
  await page.fill('#view-name', 'W'.repeat(40));
  await look(page, 'saving a view');
  await page.click('#keep-view');
  await page.waitForSelector('#saved');
}

async function lookAtLink(page: Page, shop: string): Promise<void> {
  await page.goto(`${shop}/links`);
  await page.fill('#link-title', 'Donation'.repeat(20));
  await page.fill('#least', '1234567.89');
  await page.click('#make-link');
  await page.waitForSelector('#donations');
  await look(page, 'a payment link');
  await page.goto(`${shop}/links`);
  await look(page, 'payment links');
}

async function lookAtCounter(page: Page, shop: string): Promise<void> {
  await page.goto(`${shop}/pos`);
  await page.fill('#name', 'Cake'.repeat(25));
  await page.fill('#price', '1234567.89');
  await page.click('#save-item');
  await page.locator('[data-plus]').first().click();
  await look(page, 'a counter with items');
  await page.click('#ask');
  await page.waitForSelector('#sale');
  await look(page, 'a sale');
  await page.click('#next');
  await page.click('#change-kiosk');
  await page.waitForSelector('.dashboard.kiosk');
  await look(page, 'kiosk mode');
  await page.click('#change-kiosk');
  await page.fill('#password', 'four horses eat blue grass');
  await page.click('#submit');
  await page.click('#change-kiosk');
  await page.waitForSelector('.rooms');
}

test('the preview follows what is typed, and nothing of it is stored', async () => {
  const asked = ['paul@shop.example', '--role', 'OWNER', '--by', 'ann', '--json'];
  const { link } = (await server.command('person', 'invite', ...asked)).json;
  const { page, context, faults } = await openBrowserPage({ width: 1280, height: 900 });
  await page.goto(String(link));
  await page.click('#way-password');
  await page.fill('#name', 'Paul');
  await page.fill('#password', 'four horses eat blue grass');
  await page.click('#submit');
  await page.waitForURL(/\/today$/);
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

type Size = { readonly width: number; readonly height: number };

const PHONE: Size = { width: 390, height: 844 };
const DESKTOP: Size = { width: 1440, height: 900 };

/** Each walk loads every page once, in its first size, and lays it out in each of its sizes. */
const WALKS: readonly (readonly [Size, ...Size[]])[] = byLength({
  short: [[PHONE, DESKTOP]],
  long: [[PHONE], [DESKTOP]],
});
let sizes = WALKS[0] ?? assert.fail('there is a walk');

for (const walk of WALKS) {
  const widths = walk.map(({ width }) => width).join(' and ');
  test(`at ${widths} pixels nothing overflows, nothing is too small to press, and axe finds nothing`, async () => {
    sizes = walk;
    const [{ width, height }] = walk;
    const made = await server.command(
      ...[
        'person',
        'invite',
        `eve${width}@shop.example`,
        '--role',
        'OWNER',
        '--operator',
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
    await page.waitForURL(/\/today$/);
    await look(page, 'today');
    const shop = page.url().replace(/\/live\/.*/, '/test');
    const customer = await fillShop();
    await waitForShown(page, `${shop}/today`, '#by-day rect');
    await waitForShown(page, `${shop}/today`, '[data-need="underpaid"]');
    for (const table of await page.locator('.chart summary').all()) await table.click();
    await look(page, 'today, filled');
    await page.goto(`${shop}/customers/${customer}`);
    await look(page, 'a customer');
    await lookAtMerge(page, shop, customer);
    await saveView(page, shop);
    for (const path of ROOMS) {
      await page.goto(shop + path);
      await look(page, path);
    }
    for (const path of OPERATOR_ROOMS) {
      await page.goto(`${origin}/dashboard/operator${path}`);
      await page.waitForSelector('main[data-state="dashboard"]');
      await look(page, `operator${path}`);
    }
    await lookAtTransfer(page, shop, `Cold ${width}`);
    await lookAtLink(page, shop);
    await lookAtCounter(page, shop);
    await lookAtRefund(page, shop);
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

/** Loads the page until it shows what the server found out meanwhile. */
async function waitForShown(page: Page, url: string, wanted: string): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    await page.goto(url);
    if ((await page.locator(wanted).count()) > 0) return;
    await page.waitForTimeout(500);
  }
  assert.fail(`${wanted} is not shown`);
}

/** What is pressed; a box is pressed by its label. */
const PRESSED =
  'a, button, summary, select, .check label, .choice label, ' +
  'input:not([type=hidden], [type=radio], [type=checkbox])';

/** With style and script, as the page of a payer. */
const BYTES_MOST = 50_000;

let looks = 0;

/**
 * Axe is half of what a look costs: it is asked about each page in one of the sizes, and in a short run
 * about every second page.
 */
const AXE_EVERY = byLength({ short: 2, long: 1 });

async function look(page: Page, name: string): Promise<void> {
  // What is waited for may stand there before its style does.
  await page.waitForLoadState('load');
  looks += 1;
  for (const [index, size] of sizes.entries()) {
    if (index > 0) await page.setViewportSize(size);
    const where = `${name}, ${size.width} pixels`;
    await measure(page, where);
    const isAsked = looks % (sizes.length * AXE_EVERY) === index;
    if (isAsked) assert.deepEqual(await findAxeFaults(page), [], where);
  }
  if (sizes.length > 1) await page.setViewportSize(sizes[0]);
}

async function measure(page: Page, name: string): Promise<void> {
  const [bytes, overflow, small, twice] = await page.evaluate<
    [number, number, string[], string[]]
  >(`(() => [
    ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
      .reduce((sum, one) => sum + one.encodedBodySize, 0),
    document.documentElement.scrollWidth - document.documentElement.clientWidth,
    [...document.querySelectorAll(${JSON.stringify(PRESSED)})]
      .filter((one) => one.checkVisibility() && !one.closest('.skip, p code, .hint'))
      .filter((one) => one.getBoundingClientRect().height < 43.5)
      .map((one) => one.outerHTML.slice(0, 120)),
    [...document.querySelectorAll('[id]')].map(({ id }) => id)
      .filter((id, index, ids) => ids.indexOf(id) < index),
  ])()`);
  assert.ok(bytes > 1_000 && bytes <= BYTES_MOST, `${name}: ${bytes} bytes`);
  assert.equal(overflow, 0, name);
  assert.deepEqual(small, [], name);
  assert.deepEqual(await findOverlaps(page), [], name);
  assert.deepEqual(twice, [], `${name}: an id that a label or a script takes for another one`);
}

/** Fields and buttons of forms that stand upon one another. */
function findOverlaps(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('main form')].flatMap((form) => {
    const shown = [...form.children].filter((one) => one.checkVisibility());
    const boxes = shown.map((one) => one.getBoundingClientRect());
    return shown.filter((_one, index) => boxes.some((other, at) => at < index &&
      other.left < boxes[index].right - 1 && boxes[index].left < other.right - 1 &&
      other.top < boxes[index].bottom - 1 && boxes[index].top < other.bottom - 1))
      .map((one) => one.outerHTML.slice(0, 120));
  })`);
}
