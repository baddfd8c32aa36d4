// Our server is killed between every two steps of the main job, and Horizon goes away in its middle:
// nothing is lost and nothing happens twice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Networks } from '@stellar/stellar-base';
import { sql } from '#db/db.ts';
import { seededKey } from '#test/fakes/stellar-world.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type LedgerNetwork, tellLedgerCrashStories } from './ledger-crash-stories.ts';
import { openStellarShop, type StellarShop, XLM } from './stellar-shop.ts';
import { waitForFault } from './wait-for-fault.ts';

let shop: StellarShop;
before(async () => {
  shop = await openStellarShop();
});
after(() => shop?.close());

const LEDGER: LedgerNetwork = {
  network: 'STELLAR',
  assetId: XLM,
  decimals: 7,
  closeLedger: () => shop.stellar.close(),
};

tellLedgerCrashStories(() => shop, LEDGER, { isShort: false });

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
  await waitForFault(server, 'live:STELLAR', /the account holds/);
  shop.horizon().hidden.clear();
  await client.waitForState(committed.checkoutId, 'COMPLETED');
  await shop.checkBooks();
});

test('a server whose Horizon is of another network does not start', async () => {
  const { server } = shop;
  assert.equal(await server.stop(), 0);
  shop.horizon().passphrase = Networks.PUBLIC;
  await assert.rejects(server.start(), /cannot start: .*needs a Horizon of/);
  shop.horizon().passphrase = Networks.TESTNET;
});

test('an anchor that cannot be reached hides its network and holds up nothing', async () => {
  const { server, client } = shop;
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
