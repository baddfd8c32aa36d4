// Days of those who work for a shop, as whole walks: its accountant exports March, its developer
// renews a secret and replays a webhook.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sql } from '#db/db.ts';
import { invite } from '#staff/invitation.ts';
import type { DashboardWorld } from '#test/support/dashboard-world.ts';
import {
  type MerchantKey,
  openMerchantClient,
  verifyWebhook,
} from '#test/support/merchant-client.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type Behave, withReceiver } from '#test/support/webhook-receiver.ts';
import { openDashboardSite } from './dashboard-site.ts';
import { acceptInvitation, openWalker, VARIANTS, type Walker } from './walk.ts';

for (const variant of VARIANTS) {
  test(`an accountant exports March: ${variant.name}`, async (context) => {
    const { world, close } = await openInApril();
    context.after(close);
    const accountant = await openWalker(variant);
    const membership = { merchantId: world.caller.merchantId, role: 'ACCOUNTANT' } as const;
    const asked = { email: 'abby@shop.example', name: 'Abby', isOperator: false, membership };
    const { token } = await invite(world.app, 'tester', asked);
    await accountant.open(`${world.origin}/dashboard/invitation/${token}`);
    await acceptInvitation(accountant);
    await accountant.go('Test');
    await accountant.go('Reports');
    await accountant.isTold('Days begin and end at midnight UTC.');
    await accountant.choose('Days', 'March 2026');
    await accountant.press('Show');
    await accountant.choose('Report', 'Sales and taxes');
    const table = await download(accountant, 'A table');
    assert.equal(table.name, 'test-taxes-2026-03-01-2026-03-31.csv');
    assert.ok(table.text.includes(world.inMarch), 'the sale of March');
    assert.ok(!table.text.includes(world.inApril), 'none of April');
    const ledger = await download(accountant, 'The ledger for a program of accounting', 'hledger');
    assert.equal(ledger.name, 'test-ledger-2026-03-01-2026-03-31.journal');
    assert.ok(ledger.text.includes(world.inMarch));
    await accountant.leave();
  });
}

/** A shop with a sale in March and one in April, of which the second day has come. */
async function openInApril() {
  const { world, origin, close } = await openDashboardSite();
  const sellOn = async (day: string) => {
    await world.clock.advance(world.clock.now().until(`${day}T12:00:00Z`));
    await world.observe('LITECOIN');
    const id = await world.create();
    await payCheckout(world, id);
    return id;
  };
  const inMarch = await sellOn('2026-03-10');
  const inApril = await sellOn('2026-04-02');
  const opened: DashboardWorld & Readonly<Record<'origin' | 'inMarch' | 'inApril', string>> = {
    ...world,
    ...{ origin, inMarch, inApril },
  };
  return { world: opened, close };
}

/** Of the card with this title, as what its field File says. */
async function download({ page }: Walker, title: string, format?: string) {
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
  if (format !== undefined) await card.getByLabel('File').selectOption({ label: format });
  const waiting = page.waitForEvent('download');
  await card.getByRole('button', { name: 'Download' }).click();
  const file = await waiting;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

for (const variant of VARIANTS) {
  test(`a developer renews a secret and replays a webhook: ${variant.name}`, async (context) => {
    const server = await openServerProcess();
    context.after(() => server.close());
    const origin = server.origin.replace('127.0.0.1', 'localhost');
    await server.start({ PUBLIC_URL: origin });
    const asked = ['dora@shop.example', '--role', 'DEVELOPER', '--by', 'ann', '--json'];
    const { link } = (await server.command('person', 'invite', ...asked)).json;
    const developer = await openWalker(variant);
    await developer.open(String(link));
    await developer.fill('Your name', 'Dora');
    await acceptInvitation(developer);
    await developer.go('Test');
    const old = await makeKey(developer);
    const renewed = await renewSecret(developer, server, old);
    await replay(developer, server, renewed);
    await developer.leave();
    assert.deepEqual(server.errors(), []);
  });
}

const CHARGE = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'Beans', netAmount: '19.90' }],
};

async function makeKey(developer: Walker): Promise<MerchantKey> {
  await developer.go('API keys');
  await developer.fill('Name, for example "Shop plugin"', 'Shop plugin');
  for (const scope of ['Read checkouts', 'Create and change checkouts']) {
    await developer.tick(scope);
  }
  await developer.press('Make the key');
  return { key: await shownOnce(developer, 'Key'), secret: await shownOnce(developer, 'Secret') };
}

/** What stands on the card that is shown this once. */
async function shownOnce(developer: Walker, name: string): Promise<string> {
  const once = 'Keep the secret now: it is shown this once.';
  await developer.isTold(once);
  const card = developer.page.locator('section', { hasText: once });
  const line = card.locator('dl > div', { hasText: name });
  return ((await line.locator('dd').textContent()) ?? '').trim();
}

/** For a day both work, so that the shop can be changed in peace; then the new one alone. */
async function renewSecret(
  developer: Walker,
  server: ServerProcess,
  old: MerchantKey,
): Promise<MerchantKey> {
  const statusWith = async (key: MerchantKey) =>
    (await openMerchantClient(server.origin, key).call('GET', '/checkouts')).status;
  assert.equal(await statusWith(old), 200);
  await developer.isTold('After a new secret the old one works for 24 hours more.');
  await developer.pressIn('Shop plugin', 'New secret');
  const renewed = { key: old.key, secret: await shownOnce(developer, 'Secret') };
  assert.notEqual(renewed.secret, old.secret);
  assert.deepEqual([await statusWith(old), await statusWith(renewed)], [200, 200]);
  // A day goes by.
  await server.db.single((tx) =>
    tx.query(sql`update api_key_secret set valid_until = valid_until - interval '24 hours'
      where key = ${old.key}`),
  );
  await waitUntil('the old secret to end', async () => (await statusWith(old)) === 401);
  assert.equal(await statusWith(renewed), 200);
  return renewed;
}

/** The receiver takes nothing but what it can check. */
async function replay(developer: Walker, server: ServerProcess, key: MerchantKey): Promise<void> {
  let webhookSecret = '';
  const check: Behave = (response, webhook) => {
    try {
      verifyWebhook(webhook, { apiSecret: key.secret, webhookSecret });
      response.end('taken');
    } catch (error) {
      response.writeHead(401).end(String(error));
    }
  };
  await withReceiver(check, async (receiver) => {
    await developer.go('Webhooks');
    await developer.isTold('Nobody is told yet.');
    await developer.fill('Address (URL)', `${receiver.origin}/hook`);
    await developer.choose('API key', 'Shop plugin');
    await developer.press('Add the receiver');
    webhookSecret = await shownOnce(developer, 'Secret');
    const client = openMerchantClient(server.origin, key);
    const { id } = await client.createCheckout({ charge: CHARGE });
    await client.post('/checkout/cancel', { checkoutId: id });
    const came = () => receiver.received.filter(({ body }) => body.includes(id));
    await waitUntil('the event to come', () => came().length === 1);
    await developer.go('Events and deliveries');
    await developer.go(/CHECKOUT_CANCELLED/);
    await developer.waitsFor('taken');
    await developer.isTold('delivered');
    await developer.isTold('The same text with the same id goes to each receiver once more.');
    await developer.press('Send again');
    await developer.isTold('It is on its way again.');
    await waitUntil('it to come again', () => came().length === 2);
    const [first, second] = came();
    assert.deepEqual([second?.id, second?.body], [first?.id, first?.body]);
    await waitUntil('both to be told as delivered', async () => {
      await developer.page.reload();
      return (await developer.page.getByText('HTTP 200').count()) === 2;
    });
  });
}
