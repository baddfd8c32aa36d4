// Orders that close what swaps left open, over a real database: what they make of the books.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import { houseUnits } from '#test/support/ledger-entries.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { cancelOrder, noteFill, orderHedge, placeOrder, undoFill } from './act-on-order.ts';
import { type ConversionPolicy, setPolicy } from './conversion-policy.ts';
import { listFills, listOrders } from './hedge-order.ts';
import { noteArrival, noteMove } from './note-move.ts';
import { listProviderUnits, treasuryPosition } from './treasury-position.ts';

const BTC = 'BTC:NATIVE';
const EUR = 'EUR:FIAT';
const SAID = { actor: 'anna', reason: 'the evening’s hedge' };
const FUNDS = 100_000_000n;

let world: TestApp;
before(async () => {
  world = await openTestApp({ connections: 10 });
  // Funded beside the exchange account, so that all that is open there was swapped.
  const { merchantId } = world.caller;
  const funds: Entry = {
    ...{ causeKey: 'funds:swaps', kind: 'test-funds', environment: 'test', merchantId },
    occurredAt: world.clock.now(),
    postings: [
      { account: { code: 'custody:BITCOIN' }, assetId: BTC, units: FUNDS },
      { account: { merchantId, code: 'merchant:available' }, assetId: BTC, units: -FUNDS },
    ],
  };
  await ensureAccounts(world.app.db, accountsOf([funds]));
  await world.app.db.transact(async (tx) => postEntries(tx, [funds]));
});
after(() => world.close());

async function swap(sourceUnits: bigint): Promise<bigint> {
  const assets = { sourceAssetId: BTC, targetAssetId: EUR };
  const { id } = await createSwap(world.app, world.caller, { ...assets, fixed: { sourceUnits } });
  const { targetUnits, feeUnits } = await commitSwap(world.app, {
    swapId: id,
    owner: world.caller,
  });
  return targetUnits + feeUnits;
}

/** Below zero what the house took. */
const exchange = (assetId: string) => houseUnits(world.app.db, 'exchange', assetId);

const heldBy = async (provider: string, assetId: string) => {
  const held = await listProviderUnits(world.app.db, 'test', provider);
  return held.find((one) => one.assetId === assetId)?.units ?? 0n;
};

const order = (giveUnits: bigint, closesUnits?: bigint) =>
  orderHedge(world.app, {
    ...{ ...SAID, environment: 'test', provider: 'kraken', giveAssetId: BTC, giveUnits },
    ...{ getAssetId: EUR, closesUnits, isByHand: true },
  });

const fill = (orderId: string, fillId: string, soldUnits: bigint, gotUnits: bigint, fee = 0n) =>
  noteFill(world.app, {
    ...{ orderId, fillId, soldUnits, gotUnits, actor: 'anna' },
    feeAssetId: fee === 0n ? undefined : EUR,
    feeUnits: fee === 0n ? undefined : fee,
  });

const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );

/** Everything but the money that the test gave the merchant has its reason. */
async function assertBooks(): Promise<void> {
  const { db } = world.app;
  assert.deepEqual((await verifyLedger(db)).faults, []);
  const faults = await verifyReasons(db);
  assert.deepEqual(
    faults.filter((fault) => !fault.includes('(funds:')),
    [],
  );
}

test('the parts of an order close what swaps left open, and the rest is result', async () => {
  const promised = await swap(1_000_000n);
  assert.equal(await houseUnits(world.app.db, 'exchange', BTC), -1_000_000n);
  const made = await order(1_000_000n);
  assert.deepEqual([made.state, made.closesUnits], ['ORDERED', promised]);
  assert.equal(made.clientOrderId, `qt${made.id}`);
  await fill(made.id, 'T-1', 400_000n, 40_000n, 26n);
  const half = (promised * 400_000n) / 1_000_000n;
  assert.equal(await houseUnits(world.app.db, 'exchange', EUR), promised - half);
  const { order: done } = await fill(made.id, 'T-2', 600_000n, 60_000n);
  assert.equal(done.state, 'COMPLETED');
  const { db } = world.app;
  assert.equal(await houseUnits(db, 'exchange', BTC), 0n);
  assert.equal(await houseUnits(db, 'exchange', EUR), 0n);
  assert.equal(await houseUnits(db, 'conversion-result', EUR), promised - 100_000n);
  assert.equal(await houseUnits(db, 'provider-fees', EUR), 26n);
  assert.equal(await heldBy('kraken', EUR), 100_000n - 26n);
  assert.equal(await heldBy('kraken', BTC), -1_000_000n);
  await assertBooks();
});

test('no more is ordered than is open, and not twice', async () => {
  await swap(1_000_000n);
  assert.equal(await codeOf(order(1_000_001n)), 'position_too_small');
  const ends = await Promise.all(Array.from({ length: 4 }, () => codeOf(order(400_000n))));
  assert.equal(ends.filter((end) => end === 'done').length, 2, ends.join());
  assert.equal(ends.filter((end) => end === 'position_too_small').length, 2);
  for (const { id } of await listOrders(world.app.db, 'test', { isOpen: true, most: 10 })) {
    assert.equal((await cancelOrder(world.app, id, SAID)).state, 'CANCELLED');
  }
  const position = await treasuryPosition(world.app, 'test', world.clock.now());
  const [taken] = position.open.filter(({ asset }) => asset === BTC);
  assert.deepEqual([taken?.side, taken?.amount, taken?.withoutOrder], ['taken', '0.01', '0.01']);
});

test('ten of one part at once are one, and another amount under its name is refused', async () => {
  const { id } = await order(1_000_000n);
  const before = await exchange(BTC);
  await Promise.all(Array.from({ length: 10 }, () => fill(id, 'T-1', 250_000n, 20_000n)));
  assert.equal(await exchange(BTC), before + 250_000n);
  assert.equal((await listFills(world.app.db, id)).length, 1);
  assert.equal(await codeOf(fill(id, 'T-1', 250_000n, 20_001n)), 'fill_differs');
  assert.equal(await codeOf(fill(id, 'T-2', 750_001n, 1n)), 'fill_too_large');
  assert.equal(await codeOf(fill('nobodysorder', 'T-2', 1n, 1n)), 'order_missing');
  await cancelOrder(world.app, id, SAID);
  await assertBooks();
});

test('a part and the end of its order at once: the part is booked, and the order ends', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await order(100_000n);
    const before = await exchange(BTC);
    const [filled, cancelled] = await Promise.all([
      codeOf(fill(id, 'T-1', 60_000n, 5_000n)),
      codeOf(cancelOrder(world.app, id, SAID)),
    ]);
    assert.deepEqual([filled, cancelled], ['done', 'done']);
    assert.equal(await exchange(BTC), before + 60_000n);
    const [ended] = (await listOrders(world.app.db, 'test', { isOpen: false, most: 100 })).filter(
      (one) => one.id === id,
    );
    assert.deepEqual([ended?.state, ended?.filledUnits], ['CANCELLED', 60_000n]);
  }
  await assertBooks();
});

test('a part of a cancelled order is refused once another order closes the same', async () => {
  const { app } = world;
  const first = await order(300_000n);
  await cancelOrder(app, first.id, SAID);
  const rest = -(await houseUnits(app.db, 'exchange', BTC));
  const second = await order(rest);
  assert.equal(await codeOf(fill(first.id, 'T-1', 300_000n, 1n)), 'position_too_small');
  await cancelOrder(app, second.id, SAID);
  assert.equal(await codeOf(fill(first.id, 'T-1', 300_000n, 30_000n)), 'done');
  assert.equal(await codeOf(cancelOrder(app, first.id, SAID)), 'order_ended');
  await assertBooks();
});

test('a part that was entered wrongly is taken back, and entered under another name', async () => {
  const { app } = world;
  await swap(500_000n);
  const before = [await exchange(BTC), await exchange(EUR)];
  const { id } = await order(500_000n);
  await fill(id, 'WRONG', 500_000n, 999n, 7n);
  const open = await undoFill(app, { orderId: id, fillId: 'WRONG' }, SAID);
  assert.deepEqual([open.state, open.filledUnits], ['ORDERED', 0n]);
  assert.deepEqual([await exchange(BTC), await exchange(EUR)], before);
  await undoFill(app, { orderId: id, fillId: 'WRONG' }, SAID);
  assert.equal(await codeOf(fill(id, 'WRONG', 500_000n, 999n, 7n)), 'fill_undone');
  assert.equal((await fill(id, 'RIGHT', 500_000n, 48_000n, 7n)).order.state, 'COMPLETED');
  await assertBooks();
});

test('a policy reserves the order with the conversion, and a person places it', async () => {
  const { app } = world;
  const policy: ConversionPolicy = {
    ...{ ...SAID, environment: 'test', fromAssetId: BTC, toAssetId: '*', mode: 'AT_ONCE' },
    ...{ provider: 'bitstamp', spreadPartsPerMillion: 0, setAt: world.clock.now() },
  };
  await app.db.transact(async (tx) => setPolicy(tx, policy));
  const promised = await swap(700_000n);
  const [reserved] = await listOrders(app.db, 'test', { isOpen: true, most: 1 });
  assert.ok(reserved !== undefined);
  assert.deepEqual(
    [reserved.state, reserved.provider, reserved.giveUnits, reserved.closesUnits],
    ['RESERVED', 'bitstamp', 700_000n, promised],
  );
  assert.match(reserved.causeKey ?? '', /^swap:/);
  assert.equal(await codeOf(fill(reserved.id, 'T-1', 1n, 1n)), 'order_not_placed');
  const bob = { actor: 'bob', provider: undefined, isByHand: true };
  const placed = await placeOrder(app, reserved.id, bob);
  assert.equal(placed.clientOrderId, `qt${reserved.id}`);
  assert.deepEqual(await placeOrder(app, reserved.id, bob), placed);
  const elsewhere = placeOrder(app, reserved.id, { ...bob, provider: 'kraken' });
  assert.equal(await codeOf(elsewhere), 'order_differs');
  await fill(reserved.id, 'T-1', 700_000n, promised);
  await assertBooks();
  await app.db.transact(async (tx) =>
    setPolicy(tx, { ...policy, mode: 'REFUSE', provider: undefined }),
  );
  await assert.rejects(swap(1_000n), /the operator does not convert BTC:NATIVE to EUR:FIAT/);
  await app.db.transact(async (tx) =>
    setPolicy(tx, { ...policy, toAssetId: EUR, mode: 'WITHIN_LIMIT', provider: undefined }),
  );
  assert.ok((await swap(1_000n)) > 0n, 'the policy of the pair comes before that of any');
});

test('money on its way to a provider and back is somewhere at every moment', async () => {
  const { app } = world;
  const { db } = app;
  const move = {
    ...SAID,
    environment: 'test' as const,
    direction: 'TO' as const,
    ...{ provider: 'coinbase', network: 'BITCOIN', assetId: BTC },
    ...{ units: 2_000_000n, reference: 'tx-1' },
  };
  const sent = await Promise.all(Array.from({ length: 5 }, () => noteMove(app, move)));
  assert.equal(new Set(sent.map(({ id }) => id)).size, 1);
  assert.equal(await houseUnits(db, 'transit:coinbase', BTC), 2_000_000n);
  assert.equal(await houseUnits(db, 'outside:BITCOIN', BTC), -2_000_000n);
  assert.equal(await codeOf(noteMove(app, { ...move, units: 1n })), 'move_differs');
  const id = sent[0]?.id ?? '';
  const arrival = { amount: '0.0199', actor: 'anna' };
  await Promise.all([noteArrival(app, id, arrival), noteArrival(app, id, arrival)]);
  assert.equal(await houseUnits(db, 'transit:coinbase', BTC), 0n);
  assert.equal(await heldBy('coinbase', BTC), 1_990_000n);
  assert.equal(await houseUnits(db, 'provider-fees', BTC), 10_000n);
  assert.equal(await codeOf(noteArrival(app, id, { ...arrival, amount: '0.01' })), 'move_differs');
  assert.equal(await codeOf(noteArrival(app, id, { ...arrival, amount: '3' })), 'amount_invalid');
  assert.equal(await codeOf(noteArrival(app, 'nobodysmove1', arrival)), 'move_missing');
  const back = { ...move, direction: 'FROM' as const, units: 1_000_000n, reference: 'w-1' };
  const { id: backId } = await noteMove(app, back);
  await noteArrival(app, backId, { amount: undefined, actor: 'anna' });
  assert.equal(await houseUnits(db, 'outside:BITCOIN', BTC), -1_000_000n);
  assert.equal(await heldBy('coinbase', BTC), 990_000n);
  await assertBooks();
});
