// Money in suspense, and twenty people at it: one of them decides.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { actOnSuspense } from '#suspense/act-on-suspense.ts';
import { returnSuspense } from '#suspense/return-suspense.ts';
import { listSuspense } from '#suspense/suspense-view.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { balanceUnits, sender } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

const STELLAR = chainOf('test', 'STELLAR');
const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const USDC = `USDC:${ISSUER}`;
const UNITS = 50_000_000n;

let world: TestApp;
before(async () => {
  world = await openTestApp({ connections: 10 });
  await world.observe('STELLAR');
});
after(() => world.close());

async function payWrongAsset(): Promise<{ checkoutId: string; id: bigint }> {
  const checkoutId = await world.create();
  const way = { checkoutId, owner: world.caller, network: 'STELLAR', asset: 'XLM:NATIVE' };
  const { instruction } = await commitCheckout(world.app, way);
  const outputs = [{ destination: instruction.destination, assetId: USDC, units: UNITS }];
  await paySandbox(world.app, { chain: STELLAR, outputs });
  await pass(2);
  const [found] = await listSuspense(world.app, { isOpen: true }, 1);
  assert.ok(found);
  return { checkoutId, id: found.suspense.id };
}

/** Less than the charge: it waits for the rest. */
const pendingUnits = () => balanceUnits(world, 'merchant:pending', USDC);

async function pass(blocks: number): Promise<void> {
  await world.clock.advance(1_000);
  await mineBlocks(world.app, STELLAR, blocks);
  await world.observe('STELLAR');
  await world.settle();
}

async function assertSound(): Promise<void> {
  const { app, clock } = world;
  assert.deepEqual(
    await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app }),
    [],
  );
}

test('assigned, returned and written off by twenty at once it is one of these', async () => {
  for (let round = 0; round < 3; round += 1) {
    const had = await pendingUnits();
    const { checkoutId, id } = await payWrongAsset();
    const who = { id, actor: 'ann', reason: 'asked for' };
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, place) => {
        if (place % 3 === 0) return actOnSuspense(world.app, { kind: 'WRITE_OFF', ...who });
        if (place % 3 === 1) {
          return returnSuspense(world.app, { ...who, address: ISSUER, merchantId: undefined });
        }
        return actOnSuspense(world.app, { kind: 'ASSIGN', checkoutId, ...who });
      }),
    );
    const done = results.filter(({ status }) => status === 'fulfilled');
    assert.ok(done.length >= 1 && done.length <= 7, `${done.length} did the same`);
    for (let step = 0; step < 5; step += 1) {
      await runTransfers(sender(world));
      await pass(1);
      await world.clock.advance(3_000);
    }
    const [found] = await listSuspense(world.app, { isOpen: false }, 1);
    assert.equal(found?.acts.length, 1);
    const isAssigned = found?.suspense.state === 'ASSIGNED';
    assert.equal((await pendingUnits()) - had, isAssigned ? UNITS : 0n);
  }
  await assertSound();
});

test('assigned while the network takes it back, it is nobody’s in the end', async () => {
  const had = await pendingUnits();
  for (let round = 0; round < 3; round += 1) {
    const { checkoutId, id } = await payWrongAsset();
    await reorgChain(world.app, { chain: STELLAR, depth: 2, transactions: 'double-spend' });
    await mineBlocks(world.app, STELLAR, 4);
    const who = { id, actor: 'ann', reason: 'asked for' };
    await Promise.allSettled([
      pass(1),
      actOnSuspense(world.app, { kind: 'ASSIGN', checkoutId, ...who }),
      world.settle(),
    ]);
    await pass(1);
    assert.equal(await pendingUnits(), had);
  }
  await assertSound();
});

test('assigned twenty times at once it pays for its checkout once', async () => {
  const { checkoutId, id } = await payWrongAsset();
  const who = { id, actor: 'ann', reason: 'asked for' };
  const acts = await Promise.all(
    Array.from({ length: 20 }, () =>
      actOnSuspense(world.app, { kind: 'ASSIGN', checkoutId, ...who }),
    ),
  );
  assert.deepEqual(new Set(acts.map(({ state }) => state)), new Set(['ASSIGNED']));
  const { state, credits } = await world.read(checkoutId);
  const live = credits.filter(({ reversedAt }) => reversedAt === undefined);
  assert.deepEqual([state, live.map(({ units }) => units)], ['UNDERPAID', [UNITS]]);
  await assertSound();
});

test('assigned to two checkouts at once it pays for one of them', async () => {
  const { checkoutId, id } = await payWrongAsset();
  const other = await world.create();
  const who = { id, actor: 'ann', reason: 'asked for' };
  const ends = await Promise.allSettled(
    [checkoutId, other].map((one) =>
      actOnSuspense(world.app, { kind: 'ASSIGN', checkoutId: one, ...who }),
    ),
  );
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
  await world.settle();
  const states = await Promise.all(
    [checkoutId, other].map(async (one) => (await world.read(one)).state),
  );
  assert.equal(states.filter((state) => state === 'UNDERPAID').length, 1);
  await assertSound();
});
