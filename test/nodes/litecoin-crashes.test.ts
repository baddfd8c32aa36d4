// Our server is killed between every two steps of the main job, and the node goes away in its
// middle: nothing is lost and nothing happens twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { assertSameCheckout } from '#test/support/merchant-client.ts';
import { runLength } from '#test/support/run-length.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type LitecoinShop, LTC, openLitecoinShop } from './litecoin-shop.ts';
import { waitForAbsence } from './wait-for-absence.ts';

let shop: LitecoinShop;

before(async () => {
  shop = await openLitecoinShop();
});
after(() => shop?.close());

async function crash(settings?: Record<string, string>): Promise<void> {
  await shop.server.kill9();
  await shop.server.start(settings);
}

/** A long run kills between all steps; a short one where money is seen, credited and told of. */
async function whileDown(act: () => Promise<unknown>): Promise<void> {
  if (runLength === 'long') await shop.server.kill9();
  await act();
  if (runLength === 'long') await shop.server.start();
}

async function confirmationsOf(transaction: string): Promise<number> {
  const known = await shop.node.rpc('gettransaction', transaction);
  assert(typeof known === 'object' && known !== null && 'confirmations' in known);
  return Number(known.confirmations);
}

test('a server killed between all steps credits once and tells the completion once', async () => {
  const { node, server, client } = shop;
  const earned = await shop.balance(LTC);
  const id = await shop.create({ currency: 'LTC', amount: '0.5' });
  await whileDown(async () => undefined);
  const committed = await client.commit(id, 'LITECOIN');
  await crash();
  assert.deepEqual(await client.commit(id, 'LITECOIN'), committed, 'a commit is never made anew');

  // Sent while nobody looks.
  await server.kill9();
  const transaction = await node.send(committed.depositInstructions.address, '0.5');
  await server.start();
  await client.waitForState(id, 'PENDING');
  await whileDown(() => node.mine(1));
  await shop.waitForConfirmations(id, 1, transaction);
  await server.kill9();
  await node.mine(1);

  // What is between the credit and its webhook is a moment: without the role that delivers it lasts.
  await server.start({ ROLES: 'serve,watch,settle' });
  const completed = await client.waitForState(id, 'COMPLETED');
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
  assert(shop.eventsOf(id).every(({ eventType }) => eventType !== 'CHECKOUT_COMPLETED'));

  // Killed while the shop has the webhook and has not answered.
  const asked = Promise.withResolvers<void>();
  shop.behave((_response, { body }) => {
    if (body.includes('"CHECKOUT_COMPLETED"')) asked.resolve();
    else _response.end();
  });
  await crash();
  await asked.promise;
  await server.kill9();
  shop.behave((response) => void response.end());
  // The lease of the worker that was killed lasts a minute: set back, as if it had passed.
  await server.db.transact(async (tx) =>
    tx.send(sql`update webhook_delivery set lease_until = lease_until - interval '1 minute'`),
  );
  await server.start();
  await waitUntil('the webhook to come again', () => {
    const repeats = shop.webhooksOf(id).filter(({ body }) => body.includes('CHECKOUT_COMPLETED'));
    return repeats.length >= 2;
  });

  assert.equal((await shop.typesOf(id)).length, 2);
  const events = shop.eventsOf(id);
  assert.deepEqual(
    events.map(({ eventType, sequence }) => [eventType, sequence]),
    [
      ['CHECKOUT_PENDING', 1],
      ['CHECKOUT_COMPLETED', 2],
    ],
    'repeats carry the id of the event',
  );
  assertSameCheckout(events.at(-1)?.data.checkout, completed);
  await node.mine(3);
  await shop.waitForTip();
  assert.equal(await shop.balance(LTC), earned + 50_000_000n);
  assert.deepEqual(await shop.entriesOf(id), ['checkout-receipt-available']);
  await shop.checkBooks();
});

test('while the node is away nothing expires, and health says so', async () => {
  const { node, server, client } = shop;
  const unpaid = await shop.open('0.3');
  const paid = await shop.open('0.4');
  await node.send(paid.depositInstructions.address, '0.4');
  await client.waitForState(paid.checkoutId, 'PENDING');
  await node.shutDown();
  await shop.endWindowIn(unpaid.checkoutId, 1);

  await waitForAbsence(server, 'live:LITECOIN', unpaid.checkoutId);
  const { body } = await server.health();
  const chain = body.chains.find((one) => one.chain === 'live:LITECOIN');
  assert.match(String(chain?.error), /live:LITECOIN/);
  const states = async () => [
    (await client.findCheckout(unpaid.checkoutId)).state,
    (await client.findCheckout(paid.checkoutId)).state,
  ];
  assert.deepEqual(await states(), ['AWAITING_PAYMENT', 'PENDING']);
  await crash();
  assert.deepEqual(await states(), ['AWAITING_PAYMENT', 'PENDING'], 'it starts without the node');

  await node.start();
  await client.waitForState(unpaid.checkoutId, 'EXPIRED');
  await waitUntil('health to be well', async () => (await server.health()).body.status === 'ok');
  await node.mine(2);
  await client.waitForState(paid.checkoutId, 'COMPLETED');
  await shop.waitForEvent(paid.checkoutId, 'CHECKOUT_COMPLETED');
  await shop.checkBooks();
});

test('a node killed without warning comes back and nothing is missed', async () => {
  const { node, client } = shop;
  const { checkoutId: id, depositInstructions } = await shop.open('0.3');
  const transaction = await node.send(depositInstructions.address, '0.3');
  await node.mine(1);
  await shop.waitForConfirmations(id, 1);
  await node.kill9();
  await node.start();
  // What was not written yet is gone with the process: the wallet knows its payment. The node
  // answers a moment before its wallet offers the payment again, so a block mined at once may lack
  // it.
  await waitUntil('the wallet to offer its payment again', async () => {
    const offered = await node.rpc('getrawmempool');
    assert(Array.isArray(offered));
    return offered.includes(transaction) || (await confirmationsOf(transaction)) > 0;
  });
  await node.mine(2);
  await client.waitForState(id, 'COMPLETED');
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  await shop.checkBooks();
});

test('a server whose node is of another chain does not start', async () => {
  const { server } = shop;
  assert.equal(await server.stop(), 0);
  await assert.rejects(server.start({ LITECOIN_CHAIN: 'test' }), /cannot start: .*needs a node of/);
  if (runLength === 'short') return;
  await server.start();
  assert.equal((await server.health()).body.status, 'ok');
});
