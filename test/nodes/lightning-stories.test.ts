// The main job over real Lightning payments, through the HTTP API only: two Electrum daemons with a
// channel, our server a process of its own. After every story the books agree with the node.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from 'light-bolt11-decoder';
import { systemClock } from '#base/clock.ts';
import { sql } from '#db/db.ts';
import { openHttpClient } from '#networks/http-client.ts';
import { electrumBackend } from '#networks/lightning/electrum-backend.ts';
import { NODE_LIMITS } from '#networks/lightning/lightning-backend.ts';
import { LIGHTNING_CHAINS } from '#networks/lightning/lightning-chain.ts';
import { lightningNetwork } from '#networks/lightning/lightning-network.ts';
import { readInvoice } from '#networks/read-invoice.ts';
import { openWeblnPage } from '#test/browser/webln-page.ts';
import { byLength } from '#test/support/run-length.ts';
import { waitUntil } from '#test/support/shop.ts';
import { storyTeller } from '#test/support/story-teller.ts';
import { BTC, type LightningShop, openLightningShop } from './lightning-shop.ts';

let shop: LightningShop;

before(async () => {
  shop = await openLightningShop();
});
after(() => shop?.close());

const story = storyTeller(() => shop);

function sectionOf(invoice: string, name: string): unknown {
  const section = decode(invoice).sections.find((one) => one.name === name);
  return section !== undefined && 'value' in section ? section.value : undefined;
}

/** The adapter itself, without the service around it. */
function adapter() {
  const url = new URL(shop.payee.url);
  const what = 'live:LIGHTNING';
  const http = openHttpClient({ ...NODE_LIMITS, what, url });
  const backend = electrumBackend({ http, clock: systemClock });
  const network = lightningNetwork({
    chain: what,
    parameters: LIGHTNING_CHAINS.regtest,
    backend,
    address: url.host,
    db: shop.server.db,
    clock: systemClock,
  });
  return { backend, network };
}

story('a checkout is paid by its invoice, completed, credited and told', async () => {
  const earned = await shop.balance(BTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.0012');
  const { address: invoice, assetCode, amount, network } = depositInstructions;
  assert.deepEqual([network, assetCode, amount], ['LIGHTNING', 'SAT', '120000']);
  assert.equal(depositInstructions.paymentUri, `lightning:${invoice}`);
  assert.equal(sectionOf(invoice, 'amount'), '120000000');
  assert.equal(sectionOf(invoice, 'payment_hash'), readInvoice(invoice)?.paymentHash);
  await shop.pay(invoice);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.flags, {});
  assert.equal(completed.sourceAmountReceived, '120000');
  assert.equal(await shop.balance(BTC), earned + 120_000n);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  assert.equal((await shop.typesOf(id)).at(-1), 'CHECKOUT_COMPLETED');
});

story('committing twice gives the same invoice, another checkout another hash', async () => {
  const { checkoutId, depositInstructions } = await shop.open('0.0001');
  const again = await shop.client.commit(checkoutId, 'LIGHTNING');
  assert.equal(again.depositInstructions.address, depositInstructions.address);
  const other = await shop.open('0.0001');
  assert.notEqual(other.depositInstructions.address, depositInstructions.address);
});

story('an invoice is valid as long as the lock', async () => {
  const began = systemClock.now();
  const { depositInstructions, expirationTime } = await shop.open('0.0001');
  const tookSeconds = systemClock.now().since(began).total('seconds');
  const invoice = readInvoice(depositInstructions.address);
  const end = Temporal.Instant.from(expirationTime);
  assert.ok(invoice !== undefined);
  // The node counts from when it is asked, in whole seconds.
  const later = invoice.expiresAt.since(end).total('seconds');
  assert.ok(later >= -2 && later <= tookSeconds + 2, `${later} s later`);
});

story('what cannot be received is not offered', async () => {
  await assert.rejects(
    shop.create({ currency: 'BTC', amount: '0.2' }),
    /no payment method|no_payment_method/i,
  );
});

story('a payment after the window is credited as late', async () => {
  const earned = await shop.balance(BTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.0003');
  shop.noteExpired(id);
  await shop.endWindowIn(id, -1);
  await shop.client.waitForState(id, 'EXPIRED');
  await shop.pay(depositInstructions.address);
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.ok('late' in completed.flags);
  assert.equal(await shop.balance(BTC), earned + 30_000n);
});

story('a payment while the server is down is credited when it is back', async () => {
  const earned = await shop.balance(BTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.0004');
  await shop.server.kill9();
  await shop.pay(depositInstructions.address);
  await shop.server.start();
  await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(await shop.balance(BTC), earned + 40_000n);
});

story('a server killed again and again loses nothing and credits once', async () => {
  const earned = await shop.balance(BTC);
  const ids: string[] = [];
  const pausesMs = byLength({ short: [300], long: [0, 300, 600, 900] });
  for (const pauseMs of pausesMs) {
    const { checkoutId, depositInstructions } = await shop.open('0.00011');
    ids.push(checkoutId);
    await shop.pay(depositInstructions.address);
    await sleep(pauseMs);
    await shop.server.kill9();
    await shop.server.start();
  }
  for (const id of ids) await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(await shop.balance(BTC), earned + BigInt(pausesMs.length) * 11_000n);
});

story(
  'a refund is paid to an invoice of the customer, once, also when the server is killed',
  async () => {
    const { checkoutId, depositInstructions } = await shop.open('0.0002');
    await shop.pay(depositInstructions.address);
    await shop.client.waitForState(checkoutId, 'COMPLETED');
    const earned = await shop.balance(BTC);
    const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
    await shop.server.command('allow-list', 'add', ...here);
    const address = await shop.ask(20_000n);
    await shop.client.post('/refund', { checkoutId, kind: 'full', address });
    // Reserved, ordered, in flight or settled: at whichever of them.
    await sleep(1_100);
    await shop.server.kill9();
    await shop.server.start();
    await waitUntil('the refund to be booked', async () => {
      const [refund] = await shop.server.db.query<{ state: string }>(
        sql`select state from refund where checkout_id = ${checkoutId}`,
      );
      return refund?.state === 'COMPLETED';
    });
    assert.deepEqual(await shop.arrivedAt(address), [20_000n]);
    // The channel is direct: nobody on the way takes anything.
    assert.equal(await shop.balance(BTC), earned - 20_000n);
  },
);

story('a node that is away is shown, hides the method, and loses nothing', async () => {
  const earned = await shop.balance(BTC);
  const { checkoutId: id, depositInstructions } = await shop.open('0.0005');
  await shop.payee.kill9();
  await waitUntil('the network to be shown as away', async () => {
    const { body } = await shop.server.health();
    return body.chains.some(({ chain, error }) => chain === 'live:LIGHTNING' && error !== null);
  });
  assert.equal((await shop.client.findCheckout(id)).state, 'AWAITING_PAYMENT');
  await shop.payee.start();
  await shop.waitForChannel();
  await shop.pay(depositInstructions.address);
  await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(await shop.balance(BTC), earned + 50_000n);
});

test('an expired invoice is refused by the payer, and the node reports nothing', async () => {
  const { backend, network } = adapter();
  const instructionId = 'expired00001';
  const expiresAt = systemClock.now().add({ seconds: 6 });
  const asked = { index: 0n, assetId: BTC, units: 5000n, instructionId, expiresAt };
  const { address, destination } = await network.openDestination(asked);
  const invoice = readInvoice(address);
  assert.ok(invoice !== undefined);
  await sleep(invoice.expiresAt.since(systemClock.now()).total('milliseconds') + 1_500);
  await assert.rejects(shop.pay(address), /expired/i);
  const { facts } = await backend.listInvoices(0n, new Set([destination]));
  assert.deepEqual(
    facts.map(({ state }) => state.kind),
    ['open'],
  );
  await network.close();
});

test('asking for the same instruction again gives the same invoice', async () => {
  const { network } = adapter();
  const expiresAt = systemClock.now().add({ minutes: 60 });
  const asked = { index: 0n, assetId: BTC, units: 7000n, instructionId: 'same00000001', expiresAt };
  const first = await network.openDestination(asked);
  await network.close();
  const second = await adapter().network.openDestination(asked);
  assert.deepEqual(second, first);
});

test('a node of another chain is refused', async () => {
  const { backend } = adapter();
  const { chainName, notReady } = await backend.describe();
  assert.deepEqual([chainName, notReady], ['regtest', undefined]);
  const network = lightningNetwork({
    chain: 'live:LIGHTNING',
    parameters: LIGHTNING_CHAINS.main,
    backend,
    address: 'elsewhere',
    db: shop.server.db,
    clock: systemClock,
  });
  await assert.rejects(network.checkIdentity(), /needs a node on the Bitcoin chain main/);
  await network.close();
});

test('no secret of the node is in the log', () => {
  const { password } = new URL(shop.payee.url);
  assert.ok(password.length > 8);
  assert.ok(!shop.server.output().includes(password));
});

story('a wallet of the browser pays by one click and a yes in it (WebLN)', async () => {
  const { checkoutId } = await shop.open('0.0001');
  const { page, context, faults } = await openWeblnPage(shop, checkoutId, shop.pay);
  await page.click('#wallets button');
  await page.waitForSelector('#main[data-state="paid"]');
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  assert.deepEqual(faults, []);
  await context.close();
});

story('who says no in a wallet of the browser is told that nothing was sent', async () => {
  const { checkoutId } = await shop.open('0.0001');
  const { page, context } = await openWeblnPage(shop, checkoutId, () =>
    Promise.reject(new Error('User cancelled')),
  );
  await page.click('#wallets button');
  await waitUntil('the page to say so', async () =>
    /^You said no/.test((await page.textContent('#wallet-status')) ?? ''),
  );
  await context.close();
});
