// Two of the same thing at once: the database, not the code path, makes the second effect impossible.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { acceptUnderpaid, cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { settleCheckout } from '#checkout-settlement/settle-checkout.ts';
import { sql } from '#db/db.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp({ connections: 10 });
  for (const network of ['LITECOIN', 'BITCOIN']) await world.observe(network);
});
after(() => world.close());

const commit = (checkoutId: string, network = 'LITECOIN') =>
  commitCheckout(world.app, { checkoutId, owner: world.caller, network });

async function payAndMine(checkoutId: string): Promise<void> {
  const made = await commit(checkoutId);
  const chain = chainOf('test', 'LITECOIN');
  const { destination } = made.instruction;
  const outputs = [{ destination, assetId: made.assetId, units: made.arrivingUnits }];
  await paySandbox(world.app, { chain, outputs });
  await mineBlocks(world.app, chain, 4);
}

async function eventsOf(checkoutId: string, type: string): Promise<number> {
  const rows = await world.app.db.query<{ count: bigint }>(sql`
    select count(*) as count from event where subject_id = ${checkoutId} and type = ${type}`);
  return Number(rows[0]?.count);
}

test('twenty commits at once give one instruction and one answer', async () => {
  const id = await world.create();
  const made = await Promise.all(Array.from({ length: 20 }, () => commit(id)));
  assert.equal(new Set(made.map(({ instruction }) => instruction.address)).size, 1);
  assert.equal(new Set(made.map(({ expiresAt }) => expiresAt.toString())).size, 1);
  const { commitments } = await world.read(id);
  assert.equal(commitments.length, 1);
});

test('commits of a hundred checkouts at once give a hundred addresses', async () => {
  const ids = await Promise.all(Array.from({ length: 100 }, () => world.create()));
  const made = await Promise.all(ids.map((id) => commit(id)));
  assert.equal(new Set(made.map(({ instruction }) => instruction.address)).size, 100);
});

test('ten settlements of one paid checkout at once credit it once', async () => {
  const id = await world.create();
  await payAndMine(id);
  await world.observe('LITECOIN');
  await Promise.all(Array.from({ length: 10 }, () => settleCheckout(world.app, id)));
  await world.settle();
  const record = await world.read(id);
  assert.equal(record.state, 'COMPLETED');
  assert.equal(record.credits.length, 1);
  assert.equal(await eventsOf(id, 'CHECKOUT_COMPLETED'), 1);
});

test('four watchers of one chain at once record a payment once', async () => {
  const id = await world.create();
  await payAndMine(id);
  await Promise.all(Array.from({ length: 4 }, () => world.observe('LITECOIN')));
  await world.settle();
  const record = await world.read(id);
  assert.equal(record.receipts.length, 1);
  assert.equal(record.credits.length, 1);
});

test('watching and settling at the same time neither lose nor double a payment', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, () => world.create()));
  const paying = ids.map(async (id) => {
    await payAndMine(id);
    await world.observe('LITECOIN');
    await settleCheckout(world.app, id);
  });
  const settling = Array.from({ length: 20 }, async () => world.settle());
  await Promise.all([...paying, ...settling]);
  await mineBlocks(world.app, chainOf('test', 'LITECOIN'), 4);
  await world.observe('LITECOIN');
  await world.settle();
  for (const id of ids) {
    const record = await world.read(id);
    assert.equal(record.state, 'COMPLETED', id);
    assert.equal(record.credits.length, 1);
    assert.equal(await eventsOf(id, 'CHECKOUT_COMPLETED'), 1);
  }
  assert.deepEqual((await verifyLedger(world.app.db)).faults, []);
});

test('expiry and a payment at once end as paid, whichever is first', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => world.create()));
  for (const id of ids) await payAndMine(id);
  await world.clock.advance(61 * 60_000);
  await Promise.all([world.observe('LITECOIN'), ...ids.map((id) => settleCheckout(world.app, id))]);
  await world.settle();
  await mineBlocks(world.app, chainOf('test', 'LITECOIN'), 4);
  await world.observe('LITECOIN');
  await world.settle();
  for (const id of ids) assert.equal((await world.read(id)).state, 'COMPLETED');
});

test('what was seen and is not decided yet refuses a cancellation', async () => {
  const id = await world.create();
  await payAndMine(id);
  await world.observe('LITECOIN');
  assert.equal((await world.read(id)).state, 'AWAITING_PAYMENT');
  await assert.rejects(
    cancelCheckout(world.app, { checkoutId: id, owner: world.caller }),
    (error) => error instanceof Refusal && error.code === 'checkout_completed',
  );
  const record = await world.read(id);
  assert.deepEqual([record.state, record.cancelledAt], ['COMPLETED', undefined]);
});

test('what came and is not decided yet counts before less is accepted', async () => {
  const id = await world.create();
  const made = await commit(id);
  const chain = chainOf('test', 'LITECOIN');
  const { destination } = made.instruction;
  const half = made.arrivingUnits / 2n;
  const pay = async (units: bigint) => {
    await paySandbox(world.app, {
      chain,
      outputs: [{ destination, assetId: made.assetId, units }],
    });
    await mineBlocks(world.app, chain, 4);
    await world.observe('LITECOIN');
  };
  await pay(half);
  await world.settle();
  assert.equal((await world.read(id)).state, 'UNDERPAID');
  await pay(made.arrivingUnits - half);
  await assert.rejects(
    acceptUnderpaid(world.app, { checkoutId: id, owner: world.caller }),
    (error) => error instanceof Refusal && error.code === 'checkout_not_underpaid',
  );
  assert.equal(await eventsOf(id, 'CHECKOUT_COMPLETED'), 1);
  assert.equal(await eventsOf(id, 'UNDERPAID_ACCEPTED'), 0);
});

test('a cancellation and a payment at once: the money is credited either way', async () => {
  const id = await world.create();
  await payAndMine(id);
  const cancelled = cancelCheckout(world.app, { checkoutId: id, owner: world.caller }).catch(
    (error: unknown) => assert.ok(error instanceof Refusal, String(error)),
  );
  await Promise.all([cancelled, world.observe('LITECOIN')]);
  await world.settle();
  assert.equal((await world.read(id)).state, 'COMPLETED');
});

test('two ways of paying committed at once are two locks of one checkout', async () => {
  const id = await world.create();
  await Promise.all([commit(id, 'LITECOIN'), commit(id, 'BITCOIN')]);
  const record = await world.read(id);
  assert.deepEqual(record.commitments.map(({ network }) => network).sort(), [
    'BITCOIN',
    'LITECOIN',
  ]);
});

test('twenty commits at once after the end of a window open one fresh window', async () => {
  const id = await world.create();
  const first = await commit(id);
  await world.clock.advance(61 * 60_000);
  await world.observe('LITECOIN');
  await settleCheckout(world.app, id);
  assert.equal((await world.read(id)).state, 'EXPIRED');
  const made = await Promise.all(Array.from({ length: 20 }, () => commit(id)));
  assert.equal(new Set(made.map(({ expiresAt }) => expiresAt.toString())).size, 1);
  const [commitment] = (await world.read(id)).commitments;
  assert.equal(commitment?.instruction.address, first.instruction.address);
  assert.equal(commitment?.pastWindows.length, 1);
});

test('a payment of the ended window and a fresh one at once: the money is credited either way', async () => {
  for (let round = 0; round < 4; round += 1) {
    const id = await world.create();
    const made = await commit(id);
    const chain = chainOf('test', 'LITECOIN');
    const { destination } = made.instruction;
    const outputs = [{ destination, assetId: made.assetId, units: made.arrivingUnits }];
    await paySandbox(world.app, { chain, outputs });
    await mineBlocks(world.app, chain, 4);
    await world.clock.advance(61 * 60_000);
    await Promise.all([world.observe('LITECOIN'), commit(id), settleCheckout(world.app, id)]);
    await world.observe('LITECOIN');
    await settleCheckout(world.app, id);
    assert.equal((await world.read(id)).state, 'COMPLETED');
    assert.equal(await eventsOf(id, 'CHECKOUT_COMPLETED'), 1);
  }
});

test('five acceptances at once complete a checkout once', async () => {
  const id = await world.create();
  const made = await commit(id);
  const chain = chainOf('test', 'LITECOIN');
  const { destination } = made.instruction;
  const outputs = [{ destination, assetId: made.assetId, units: made.arrivingUnits / 2n }];
  await paySandbox(world.app, { chain, outputs });
  await mineBlocks(world.app, chain, 4);
  await world.observe('LITECOIN');
  await settleCheckout(world.app, id);
  const accept = () => acceptUnderpaid(world.app, { checkoutId: id, owner: world.caller });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, accept));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(await eventsOf(id, 'UNDERPAID_ACCEPTED'), 1);
  assert.equal(await eventsOf(id, 'CHECKOUT_COMPLETED'), 1);
});
