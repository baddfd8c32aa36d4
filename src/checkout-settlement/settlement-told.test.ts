// What a merchant is told of money that goes, comes back, or is not what was asked for.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { sql } from '#db/db.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { type ReorgMode, reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

const USDC = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const LITECOIN = chainOf('test', 'LITECOIN');
let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
});
afterEach(async () => {
  const { app, clock } = world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  await world.close();
  assert.deepEqual(broken, []);
});

async function typesOf(id: string): Promise<string[]> {
  const rows = await world.app.db.query<{ type: string }>(
    sql`select type from event where subject_id = ${id} order by sequence`,
  );
  return rows.map(({ type }) => type);
}

async function undo(depth: number, transactions: ReorgMode): Promise<void> {
  await reorgChain(world.app, { chain: LITECOIN, depth, transactions });
  await pass(8);
}

async function pass(blocks: number): Promise<void> {
  await world.clock.advance(1_000);
  await mineBlocks(world.app, LITECOIN, blocks);
  await world.observe('LITECOIN');
  await world.settle();
}

async function takenBackAndBack(id: string): Promise<void> {
  // Long without it: its credit is taken back; then it is mined after all.
  const transactions = 'return';
  await reorgChain(world.app, { chain: LITECOIN, depth: 4, transactions, newBlocks: 14 });
  await world.observe('LITECOIN');
  await world.settle();
  assert.deepEqual(Object.keys((await world.read(id)).flags), ['reversed']);
  await pass(5);
}

test('money that was taken back and is mined again is told, and is one payment', async () => {
  const id = await world.create();
  await payCheckout(world, id);
  await takenBackAndBack(id);
  const { flags, state } = await world.read(id);
  assert.equal(state, 'COMPLETED');
  assert.deepEqual(Object.keys(flags), ['restored']);
  assert.deepEqual(await typesOf(id), [
    'CHECKOUT_COMPLETED',
    'CHECKOUT_REVERSED',
    'CHECKOUT_RESTORED',
  ]);
});

test('another payment takes the place of what was taken back; a third is a second one', async () => {
  const id = await world.create();
  const units = await payCheckout(world, id);
  await undo(4, 'double-spend');
  assert.deepEqual(Object.keys((await world.read(id)).flags), ['reversed']);
  const [lock] = (await world.read(id)).commitments;
  assert.ok(lock);
  const { destination } = lock.instruction;
  for (const expected of [['restored'], ['multiple', 'overpaid', 'restored']]) {
    const outputs = [{ destination, assetId: lock.assetId, units }];
    await paySandbox(world.app, { chain: LITECOIN, outputs });
    await pass(4);
    assert.deepEqual(Object.keys((await world.read(id)).flags).sort(), expected);
  }
  const told = await typesOf(id);
  assert.equal(told.filter((type) => type === 'CHECKOUT_RESTORED').length, 1);
  assert.equal(told.at(-1), 'CHECKOUT_PAID_AGAIN');
  assert.equal(told.filter((type) => type === 'CHECKOUT_PAID_AGAIN').length, 1);
});

test('half of what was taken back leaves the other half missing', async () => {
  const id = await world.create();
  const units = await payCheckout(world, id);
  await undo(4, 'double-spend');
  const [lock] = (await world.read(id)).commitments;
  assert.ok(lock);
  const outputs = [
    { destination: lock.instruction.destination, assetId: lock.assetId, units: units / 2n },
  ];
  await paySandbox(world.app, { chain: LITECOIN, outputs });
  await pass(4);
  const { flags } = await world.read(id);
  const text = (part: bigint) => `0.${String(part).padStart(8, '0')}`.replace(/0+$/, '');
  assert.equal(flags.reversed?.amount, text(units - units / 2n));
  assert.equal(flags.restored?.amount, text(units / 2n));
});

test('a payment that is replaced before it counts withdraws what was told', async () => {
  const id = await world.create();
  const made = await commitCheckout(world.app, {
    checkoutId: id,
    owner: world.caller,
    network: 'LITECOIN',
  });
  const { destination } = made.instruction;
  const outputs = [{ destination, assetId: made.assetId, units: made.arrivingUnits }];
  await paySandbox(world.app, { chain: LITECOIN, outputs });
  await pass(1);
  await undo(1, 'double-spend');
  assert.deepEqual(await typesOf(id), ['CHECKOUT_PENDING', 'CHECKOUT_PENDING_WITHDRAWN']);
  assert.equal((await world.read(id)).state, 'AWAITING_PAYMENT');
});

test('money in another asset is told once, and shown for as long as it lies there', async () => {
  await world.observe('STELLAR');
  const id = await world.create();
  const made = await commitCheckout(world.app, {
    checkoutId: id,
    owner: world.caller,
    network: 'STELLAR',
    asset: 'XLM:NATIVE',
  });
  const { destination } = made.instruction;
  const chain = chainOf('test', 'STELLAR');
  await paySandbox(world.app, {
    chain,
    outputs: [{ destination, assetId: USDC, units: 50_000_000n }],
  });
  await mineBlocks(world.app, chain, 2);
  await world.observe('STELLAR');
  await world.settle();
  await world.settle();
  const { flags, receipts } = await world.read(id);
  assert.deepEqual(flags.misdirected, [
    {
      reason: 'WRONG_ASSET',
      network: 'STELLAR',
      amount: '5',
      assetCode: 'USDC',
      tx: receipts[0]?.transaction,
    },
  ]);
  assert.deepEqual(await typesOf(id), ['CHECKOUT_MISDIRECTED']);
});

test('what is told stays what it is, whichever of it was told first', async () => {
  await world.observe('STELLAR');
  const chain = chainOf('test', 'STELLAR');
  const id = await world.create();
  const made = await commitCheckout(world.app, {
    checkoutId: id,
    owner: world.caller,
    network: 'STELLAR',
    asset: 'XLM:NATIVE',
  });
  const { destination } = made.instruction;
  const settleSoon = async (blocks: number) => {
    await world.clock.advance(1_000);
    await mineBlocks(world.app, chain, blocks);
    await world.observe('STELLAR');
    await world.settle();
  };
  await paySandbox(world.app, { chain, outputs: [{ ...made, destination, units: 10n }] });
  await settleSoon(1);
  await reorgChain(world.app, { chain, depth: 1, transactions: 'return', newBlocks: 6 });
  await world.observe('STELLAR');
  await world.settle();
  await settleSoon(2);
  assert.deepEqual(Object.keys((await world.read(id)).flags), ['restored']);
  await paySandbox(world.app, { chain, outputs: [{ destination, assetId: USDC, units: 10n }] });
  await settleSoon(2);
  // That deciding again changes nothing is looked at after each test.
  assert.deepEqual(Object.keys((await world.read(id)).flags).sort(), ['misdirected', 'restored']);
});

test('two payments in other assets, decided at once, are told in the same order ever after', async () => {
  await world.observe('STELLAR');
  const chain = chainOf('test', 'STELLAR');
  const id = await world.create();
  const way = { checkoutId: id, owner: world.caller, network: 'STELLAR', asset: 'XLM:NATIVE' };
  const { destination } = (await commitCheckout(world.app, way)).instruction;
  const heldUntil = world.clock.now().add({ hours: 24 });
  const [slow, quick] = [
    await paySandbox(world.app, {
      chain,
      outputs: [{ destination, assetId: USDC, units: 10n }],
      heldUntil,
    }),
    await paySandbox(world.app, { chain, outputs: [{ destination, assetId: USDC, units: 20n }] }),
  ];
  await world.observe('STELLAR');
  const blocksOf = async (waiting: readonly string[]) => {
    await mineBlocks(world.app, chain, 2, waiting);
    await world.clock.advance(1_000);
    await world.observe('STELLAR');
  };
  await blocksOf([]);
  await blocksOf(slow.map(({ transaction }) => transaction));
  await world.settle();
  const told = (await world.read(id)).flags.misdirected?.map(({ tx }) => tx);
  assert.deepEqual(
    told,
    [slow, quick].map(([one]) => one?.transaction),
  );
});
