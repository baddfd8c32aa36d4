// The brake of a chain holds a large payment until it is released: told to merchant, customer and
// operator, credited once, and nothing runs out meanwhile. A bank is braked by a statement that is
// missing, which here can be done at will; the server is a process of its own.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type FakeEntry, statementXml } from '#test/fakes/bank-statement.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { openTestApp } from '#test/support/test-app.ts';

const EUR = 'EUR:FIAT';

let server: ServerProcess;
let shop: Shop;

before(async () => {
  const settings = {
    SEPA_IBAN: 'DE89 3704 0044 0532 0130 00',
    SEPA_BIC: 'COBADEFFXXX',
    SEPA_HOLDER: 'Fern & Folio GmbH',
    // No price of the euro: nobody can say that a payment is small.
    PRICE_SOURCES: 'off',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  };
  server = await openServerProcess({ settings });
  await server.start();
  shop = await openShop(server, 'live');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

async function importDay(day: number, opening: bigint, entries: readonly FakeEntry[]) {
  const date = Temporal.PlainDate.from('2026-01-01').add({ days: day }).toString();
  const path = join(server.dataDirectory, `statement-${day}.xml`);
  await writeFile(path, statementXml({ id: `S-${day}`, day: date, opening, entries }));
  const ended = await server.command('bank', 'import', path);
  assert.equal(ended.exitCode, 0, ended.stderr);
}

async function chainHealth(): Promise<Record<string, unknown>> {
  const { chains } = (await (await fetch(new URL('/health', server.origin))).json()) as {
    chains: Record<string, unknown>[];
  };
  const found = chains.find(({ chain }) => chain === 'live:SEPA');
  assert.ok(found !== undefined);
  return found;
}

test('a large payment is held while the brake is on, told, and credited once when it ends', async () => {
  const earned = await shop.balance(EUR);
  const committed = await shop.open({ currency: 'EUR', amount: '80000.00' }, 'SEPA');
  const { checkoutId: id, depositInstructions } = committed;
  await importDay(1, 200n, [{ cents: 100n, side: 'DBIT', servicerReference: 'B-1' }]);
  const transactions = [{ structured: depositInstructions.memo ?? '' }];
  // The statement of day 2 is missing.
  await importDay(3, 50n, [{ cents: 8_000_000n, servicerReference: 'B-3', transactions }]);

  await shop.client.waitForState(id, 'PENDING');
  await waitUntil('the payment to be held', async () => (await chainHealth()).heldPayments === 1);
  assert.match(String((await chainHealth()).brake), /a statement is missing/);
  const doctor = await server.command('doctor');
  assert.match(doctor.stdout, /brake: a statement is missing.*1 large payment held until it ends/);
  const { blockchainTransactions, hostedCheckoutUrl } = await shop.client.findCheckout(id);
  assert.deepEqual(
    blockchainTransactions.map(({ exception }) => exception),
    ['HELD'],
  );
  const page = await fetch(new URL(new URL(hostedCheckoutUrl).pathname, server.origin));
  assert.match(await page.text(), /larger payments wait[\s\S]*confirmed, held for now/);

  // The window ends, the server dies: it waits on.
  await shop.endWindowIn(id, -7200);
  await server.kill9();
  await server.start();
  await waitUntil('the chain to be heard', async () => (await chainHealth()).behind === false);
  assert.equal((await shop.client.findCheckout(id)).state, 'PENDING');
  assert.equal(await shop.balance(EUR), earned);

  await importDay(2, 100n, [{ cents: 50n, side: 'DBIT', servicerReference: 'B-2' }]);
  await shop.client.waitForState(id, 'COMPLETED');
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.equal(await shop.balance(EUR), earned + 8_000_000n);
  // What is told of health was looked up a moment ago.
  await waitUntil('nothing to be held', async () => {
    const { brake, heldPayments } = await chainHealth();
    return brake === null && heldPayments === 0;
  });
  await shop.checkBooks();
});

test('what is held is shown and let go at the command line, and a second gap holds again', async () => {
  const earned = await shop.balance(EUR);
  const open = () => shop.open({ currency: 'EUR', amount: '70000.00' }, 'SEPA');
  const [first, second] = [await open(), await open()];
  const paid = ({ depositInstructions }: typeof first, name: string) => ({
    cents: 7_000_000n,
    servicerReference: name,
    transactions: [{ structured: depositInstructions.memo ?? '' }],
  });
  // The statement of day 4 never comes.
  await importDay(5, 1n, [paid(first, 'B-5')]);
  await waitUntil('the payment to be held', async () => (await chainHealth()).heldPayments === 1);
  const shown = await server.command('chain', 'release', 'SEPA');
  assert.match(shown.stdout, /^brake: a statement is missing/);
  assert.match(shown.stdout, /payment \d+: 70000 EUR:FIAT for .*\(\w+\), checkout:/);
  assert.ok(shown.stdout.includes(first.checkoutId));
  const code = /--shown (\w+) /.exec(shown.stdout)?.[1] ?? '';
  const release = (given: string, ...more: string[]) =>
    server.command('chain', 'release', 'SEPA', '--shown', given, '--by', 'anna', ...more);
  assert.match((await release(code)).stderr, /--reason: say why/);
  const wrong = await release('0123456789abcdef', '--reason', 'known');
  assert.match(wrong.stderr, /has changed since it was shown/);
  const done = await release(code, '--reason', 'the bank has no statement of that day');
  assert.match(done.stdout, /^1 payment let go/);
  await shop.client.waitForState(first.checkoutId, 'COMPLETED');
  assert.equal(await shop.balance(EUR), earned + 7_000_000n);
  assert.match(String((await chainHealth()).brake), /a statement is missing/, 'the brake stays on');

  await importDay(7, 2n, [paid(second, 'B-7')]);
  // Health may tell for a moment what it told of the first.
  await waitUntil('the second to be held', async () => {
    const { stdout } = await server.command('chain', 'release', 'SEPA');
    return stdout.includes(second.checkoutId);
  });
  assert.match((await release(code, '--reason', 'again')).stderr, /has changed since it was shown/);
  const trail = await server.command('audit', 'list', '--verb', 'chain-release');
  assert.match(trail.stdout, /anna.*chain-release.*chain:live:SEPA/);
  assert.equal(await shop.balance(EUR), earned + 7_000_000n);
});

test('large is what comes to BRAKE_HOLD_USD together, and what has no price', async () => {
  const { app, close } = await openTestApp();
  try {
    const dollars = (units: bigint) => ({ assetId: 'USD:FIAT', units });
    const isHeld = (...cents: bigint[]) =>
      app.policy.isHeldByBrake('test:SWIFT', cents.map(dollars));
    assert.equal(isHeld(4_999_999n), false);
    assert.equal(isHeld(5_000_000n), true);
    assert.equal(isHeld(3_000_000n, 1_999_999n), false);
    assert.equal(isHeld(3_000_000n, 2_000_000n), true);
    const coin = { assetId: 'LTC:NATIVE', units: 1n };
    assert.equal(app.policy.isHeldByBrake('test:LITECOIN', [coin]), false);
    assert.equal(app.policy.isHeldByBrake('live:LITECOIN', [coin]), true, 'no price');
  } finally {
    await close();
  }
});
