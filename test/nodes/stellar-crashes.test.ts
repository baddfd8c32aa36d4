// Our server is killed between every two steps of the main job, and Horizon goes away in its middle:
// nothing is lost and nothing happens twice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Networks } from '@stellar/stellar-base';
import { sql } from '#db/db.ts';
import { seededKey } from '#test/fakes/stellar-world.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openStellarShop, type StellarShop, XLM } from './stellar-shop.ts';

let shop: StellarShop;
before(async () => {
  shop = await openStellarShop();
});
after(() => shop?.close());

async function crash(settings?: Record<string, string>): Promise<void> {
  await shop.server.kill9();
  await shop.server.start(settings);
}

test('a server killed between all steps credits once and tells the completion once', async () => {
  const { server, client } = shop;
  const earned = await shop.balance(XLM);
  const id = await shop.create({ currency: 'XLM', amount: '5' });
  await crash();
  const committed = await client.commit(id, 'STELLAR', XLM);
  await crash();
  assert.deepEqual(await client.commit(id, 'STELLAR', XLM), committed, 'never made anew');
  // Paid while nobody looks.
  await server.kill9();
  shop.pay(committed, '5');
  for (let ledger = 0; ledger < 5; ledger += 1) shop.stellar.close();
  await server.start({ ROLES: 'serve,watch,settle' });
  await client.waitForState(id, 'COMPLETED');
  await crash({ ROLES: 'serve,watch,settle' });
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
  await crash();
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  await shop.waitForTip();
  assert.equal(await shop.balance(XLM), earned + 50_000_000n);
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
  await shop.checkBooks();
});

test('what was paid while the server was down is held against the balance after its start', async () => {
  const { server, stellar, account, client } = shop;
  const committed = await shop.open('5');
  await waitUntil('the balances to be kept', async () => {
    const rows = await server.db.query(sql`select 1 from stellar_balance`);
    return rows.length === 1;
  });
  await server.kill9();
  shop.pay(committed, '5');
  // Horizon forgets the payment in every listing; the account has it.
  const paid = stellar.ledgers.at(-1)?.transactions[0]?.operations[0];
  assert(paid !== undefined && stellar.accounts.has(account));
  shop.horizon().hidden.add(paid.id);
  await server.start();
  await waitUntil('health to say it', async () => {
    const { body } = await server.health();
    const chain = body.chains.find((one) => one.chain === 'live:STELLAR');
    return /the account holds/.test(String(chain?.error));
  });
  shop.horizon().hidden.clear();
  await client.waitForState(committed.checkoutId, 'COMPLETED');
  await shop.checkBooks();
});

test('while Horizon is away nothing expires, and health says so', async () => {
  const { server, client } = shop;
  const unpaid = await shop.open('3');
  const paid = await shop.open('4');
  await shop.stopHorizon();
  shop.stellar.close();
  await shop.endWindowIn(unpaid.checkoutId, 1);
  await waitUntil('health to say it', async () => {
    const { status, body } = await server.health();
    return status === 503 && body.failing.includes('watch live:STELLAR');
  });
  const { json } = await server.command('doctor', '--json');
  assert.equal(json.ok, false);
  await waitUntil('the expiry to be looked at', async () => {
    const [row] = await server.db.query<{ isLater: boolean }>(sql`
      select settle_at > expires_at as "isLater" from checkout where id = ${unpaid.checkoutId}`);
    return row?.isLater === true;
  });
  assert.equal((await client.findCheckout(unpaid.checkoutId)).state, 'AWAITING_PAYMENT');
  await shop.startHorizon();
  shop.pay(paid, '4');
  await client.waitForState(unpaid.checkoutId, 'EXPIRED');
  await client.waitForState(paid.checkoutId, 'COMPLETED');
  await waitUntil('health to be well', async () => (await server.health()).status === 200);
  await shop.checkBooks();
});

test('a server whose Horizon is of another network does not start', async () => {
  const { server } = shop;
  assert.equal(await server.stop(), 0);
  shop.horizon().passphrase = Networks.PUBLIC;
  await assert.rejects(server.start(), /cannot start: .*needs a Horizon of/);
  shop.horizon().passphrase = Networks.TESTNET;
  await server.start();
  assert.equal((await server.health()).status, 200);
});

test('an anchor that cannot be reached hides its network and holds up nothing', async () => {
  const { server, client } = shop;
  await server.stop();
  await server.start({
    STELLAR_ANCHORS: `BITCOIN=BTC:${seededKey(40).publicKey()}@anchor.invalid`,
    STELLAR_ANCHOR_SECRET: seededKey(41).secret(),
  });
  await waitUntil('the network to be watched', async () => {
    const { body } = await server.health();
    return body.chains.some(({ chain, height }) => chain === 'live:BITCOIN' && height !== null);
  });
  const { json } = await server.command('doctor', '--json');
  assert.equal(json.ok, true);
  const created = await client.createCheckout({
    charge: { billingCurrency: 'XLM', lineItems: [{ description: 'A book', netAmount: '2' }] },
  });
  assert.deepEqual([...new Set(created.paymentMethods.map(({ network }) => network))], ['STELLAR']);
  const committed = await client.commit(created.id, 'STELLAR', XLM);
  shop.pay(committed, '2');
  await client.waitForState(created.id, 'COMPLETED');
  await shop.checkBooks();
});
