// Money of an underpaid checkout that was refunded and that the chain then takes back: the merchant
// owes it, on an account of its own, and no other checkout waits for it.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { acceptUnderpaid } from '#checkout-settlement/act-on-checkout.ts';
import { listWallets } from '#ledger/account.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { createRefund } from '#refund/create-refund.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { balanceUnits, payCheckout, sendTransfers } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

const CHAIN = chainOf('test', 'LITECOIN');

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
});
afterEach(async () => {
  const { app, clock } = world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  const { faults } = await verifyLedger(app.db);
  await world.close();
  assert.deepEqual(broken, []);
  assert.deepEqual(faults, []);
});

/** A is paid half, refunded, and then loses its payment; gives what was refunded. */
async function oweMoney(mode: 'double-spend' | 'return'): Promise<bigint> {
  const checkoutId = await world.create();
  const paid = await payCheckout(world, checkoutId, 50n);
  await createRefund(world.app, world.caller, {
    checkoutId,
    kind: 'full',
    amount: undefined,
    network: undefined,
    asset: undefined,
    address: undefined,
  });
  await world.settle();
  await reorgChain(world.app, { chain: CHAIN, depth: 4, transactions: mode, newBlocks: 24 });
  await world.observe('LITECOIN');
  await world.settle();
  assert.equal((await world.read(checkoutId)).credits[0]?.reversedAt !== undefined, true);
  return paid;
}

const owedUnits = () => balanceUnits(world, 'merchant:owed').then((units) => -units);
const stateOf = async (id: string) => (await world.read(id)).state;

test('what a merchant owes keeps no other checkout from completing', async () => {
  const owed = await oweMoney('double-spend');
  assert.equal(await owedUnits(), owed);
  assert.equal(await balanceUnits(world, 'merchant:pending'), 0n);

  const checkoutId = await world.create();
  await payCheckout(world, checkoutId, 40n);
  assert.equal(await stateOf(checkoutId), 'UNDERPAID');
  await payCheckout(world, checkoutId, 60n);
  assert.equal(await stateOf(checkoutId), 'COMPLETED');

  const accepted = await world.create();
  await payCheckout(world, accepted, 70n);
  await acceptUnderpaid(world.app, { checkoutId: accepted, owner: world.caller });
  assert.equal(await stateOf(accepted), 'COMPLETED');
  assert.equal(await owedUnits(), owed);
  const [wallet] = await listWallets(world.app.db, world.caller);
  assert.equal(wallet?.owedUnits, owed);
});

test('money that comes back pays the debt down', async () => {
  const owed = await oweMoney('return');
  assert.equal(await owedUnits(), owed);
  await mineBlocks(world.app, CHAIN, 4);
  await world.observe('LITECOIN');
  await world.settle();
  assert.equal(await owedUnits(), 0n);
  assert.equal(await balanceUnits(world, 'merchant:pending'), 0n);
});

test('a refund that fails pays the debt with what it gives back', async () => {
  await oweMoney('double-spend');
  await world.clock.advance(90 * 24 * 3_600_000);
  await sendTransfers(world);
  assert.equal(await owedUnits(), 0n);
  assert.equal(await balanceUnits(world, 'merchant:pending'), 0n);
  assert.equal(await balanceUnits(world, 'merchant:reserved'), 0n);
});

test('money that came back, and whose refund then failed, is pending and can be lost again', async () => {
  const owed = await oweMoney('return');
  await mineBlocks(world.app, CHAIN, 4);
  await world.observe('LITECOIN');
  await world.settle();
  await world.clock.advance(90 * 24 * 3_600_000);
  await sendTransfers(world);
  assert.equal(await owedUnits(), 0n);
  assert.equal(await balanceUnits(world, 'merchant:pending'), owed);
  await reorgChain(world.app, {
    chain: CHAIN,
    depth: 14,
    transactions: 'double-spend',
    newBlocks: 24,
  });
  await world.observe('LITECOIN');
  await world.settle();
  assert.equal(await owedUnits(), 0n);
  assert.equal(await balanceUnits(world, 'merchant:pending'), 0n);
});
