// Our server is killed between every two steps of the main job, and the server of the XRP Ledger
// goes away in its middle: nothing is lost and nothing happens twice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { XRP } from '#test/fakes/xrpl-world.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openXrplShop, type XrplShop } from './xrpl-shop.ts';

const chain = 'live:XRP_LEDGER';

let shop: XrplShop;
before(async () => {
  shop = await openXrplShop();
});
after(() => shop?.close());

async function crash(settings?: Record<string, string>): Promise<void> {
  await shop.server.kill9();
  await shop.server.start(settings);
}

async function waitForFault(pattern: RegExp): Promise<void> {
  await waitUntil('health to say it', async () => {
    const { body } = await shop.server.health();
    return pattern.test(String(body.chains.find((one) => one.chain === chain)?.error));
  });
}

test('a server killed between all steps credits once and tells the completion once', async () => {
  const { server, client } = shop;
  const earned = await shop.balance(XRP);
  const id = await shop.create({ currency: 'XRP', amount: '5' });
  await crash();
  const committed = await client.commit(id, 'XRP_LEDGER', XRP);
  await crash();
  assert.deepEqual(await client.commit(id, 'XRP_LEDGER', XRP), committed, 'never made anew');
  // Paid while nobody looks.
  await server.kill9();
  shop.pay(committed, '5');
  for (let ledger = 0; ledger < 5; ledger += 1) shop.xrpl.close();
  await server.start({ ROLES: 'serve,watch,settle' });
  await client.waitForState(id, 'COMPLETED');
  await crash({ ROLES: 'serve,watch,settle' });
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
  await crash();
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  await shop.waitForTip();
  assert.equal(await shop.balance(XRP), earned + 5_000_000n);
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
  await shop.checkBooks();
});

test('what was paid while the server was down is held against the account after its start', async () => {
  const { server, client } = shop;
  const committed = await shop.open('5');
  await waitUntil('where the account stood to be kept', async () => {
    const rows = await server.db.query(sql`select 1 from xrpl_account`);
    return rows.length === 1;
  });
  await server.kill9();
  // The listings forget the payment; the account has it.
  shop.rippled().hidden.add(shop.pay(committed, '5'));
  await server.start();
  await waitForFault(/the account holds/);
  shop.rippled().hidden.clear();
  await client.waitForState(committed.checkoutId, 'COMPLETED');
  await shop.checkBooks();
});

test('a gap in the history of the server stops everything until it is filled', async () => {
  const { server, client, xrpl } = shop;
  const committed = await shop.open('2');
  await server.kill9();
  shop.pay(committed, '2');
  xrpl.close();
  const last = xrpl.ledgers.at(-1)?.index ?? 0;
  shop.rippled().completeLedgers = `32570-${last - 2},${last}-${last + 1_000}`;
  await server.start();
  await waitForFault(/lacks ledger/);
  assert.equal((await client.findCheckout(committed.checkoutId)).state, 'AWAITING_PAYMENT');
  shop.rippled().completeLedgers = undefined;
  await client.waitForState(committed.checkoutId, 'COMPLETED');
  await shop.checkBooks();
});

test('while the server is away nothing expires, and health says so', async () => {
  const { server, client } = shop;
  const unpaid = await shop.open('3');
  const paid = await shop.open('4');
  await shop.stopRippled();
  shop.xrpl.close();
  await shop.endWindowIn(unpaid.checkoutId, 1);
  await waitUntil('health to say it', async () => {
    const { status, body } = await server.health();
    return status === 503 && body.failing.includes(`watch ${chain}`);
  });
  const { json } = await server.command('doctor', '--json');
  assert.equal(json.ok, false);
  await waitUntil('the expiry to be looked at', async () => {
    const [row] = await server.db.query<{ isLater: boolean }>(sql`
      select settle_at > expires_at as "isLater" from checkout where id = ${unpaid.checkoutId}`);
    return row?.isLater === true;
  });
  assert.equal((await client.findCheckout(unpaid.checkoutId)).state, 'AWAITING_PAYMENT');
  await shop.startRippled();
  shop.pay(paid, '4');
  await client.waitForState(unpaid.checkoutId, 'EXPIRED');
  await client.waitForState(paid.checkoutId, 'COMPLETED');
  await waitUntil('health to be well', async () => (await server.health()).status === 200);
  await shop.checkBooks();
});

test('a server whose XRP Ledger is another one does not start', async () => {
  const { server } = shop;
  assert.equal(await server.stop(), 0);
  shop.rippled().networkId = 0;
  await assert.rejects(server.start(), /cannot start: .*needs servers of/);
  shop.rippled().networkId = 1;
  await server.start();
  assert.equal((await server.health()).status, 200);
});
