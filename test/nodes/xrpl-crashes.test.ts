// Our server is killed between every two steps of the main job, and the server of the XRP Ledger
// goes away in its middle: nothing is lost and nothing happens twice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { XRP } from '#test/fakes/xrpl-world.ts';
import { runLength } from '#test/support/run-length.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type LedgerNetwork, tellLedgerCrashStories } from './ledger-crash-stories.ts';
import { waitForFault } from './wait-for-fault.ts';
import { openXrplShop, type XrplShop } from './xrpl-shop.ts';

const chain = 'live:XRP_LEDGER';

let shop: XrplShop;
before(async () => {
  shop = await openXrplShop();
});
after(() => shop?.close());

const LEDGER: LedgerNetwork = {
  network: 'XRP_LEDGER',
  assetId: XRP,
  decimals: 6,
  closeLedger: () => void shop.xrpl.close(),
};

tellLedgerCrashStories(() => shop, LEDGER, { isShort: true });

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
  await waitForFault(server, chain, /the account holds/);
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
  await waitForFault(server, chain, /lacks ledger/);
  assert.equal((await client.findCheckout(committed.checkoutId)).state, 'AWAITING_PAYMENT');
  shop.rippled().completeLedgers = undefined;
  await client.waitForState(committed.checkoutId, 'COMPLETED');
  await shop.checkBooks();
});

test('a server whose XRP Ledger is another one does not start', async () => {
  const { server } = shop;
  assert.equal(await server.stop(), 0);
  shop.rippled().networkId = 0;
  await assert.rejects(server.start(), /cannot start: .*needs servers of/);
  if (runLength === 'short') return;
  shop.rippled().networkId = 1;
  await server.start();
  assert.equal((await server.health()).body.status, 'ok');
});
