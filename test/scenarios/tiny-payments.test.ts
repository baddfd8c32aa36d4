// Somebody may pay a checkout in thousands of units of one. Nothing is dust, nothing stalls.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { sql } from '#db/db.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

const CHAIN = chainOf('test', 'LITECOIN');
const TINY = 2_000;

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

/** In one transaction, as a payer can write it, until all of it is final. */
async function pay(destination: string, amounts: readonly bigint[]): Promise<void> {
  const outputs = amounts.map((units) => ({ destination, assetId: 'LTC:NATIVE', units }));
  await paySandbox(world.app, { chain: CHAIN, outputs });
  await mineBlocks(world.app, CHAIN, 4);
  await world.observe('LITECOIN');
  await world.settle();
}

async function committed(settlementAsset: string) {
  const id = await world.create({ settlementAsset });
  const { arrivingUnits, instruction } = await commitCheckout(world.app, {
    checkoutId: id,
    owner: world.caller,
    network: 'LITECOIN',
  });
  return { id, arrivingUnits, destination: instruction.destination };
}

for (const settlementAsset of ['ORIGIN', 'EUR:FIAT']) {
  test(`short by one unit and then paid one unit, a checkout settled in ${settlementAsset} completes`, async () => {
    const { id, arrivingUnits, destination } = await committed(settlementAsset);
    await pay(destination, [arrivingUnits - 1n]);
    assert.equal((await world.read(id)).state, 'UNDERPAID');
    await pay(destination, [1n]);
    const { state, credits } = await world.read(id);
    assert.equal(state, 'COMPLETED');
    const credited = credits.reduce((sum, credit) => sum + credit.settlementUnits, 0n);
    const offer = (await world.read(id)).offers.find(({ network }) => network === 'LITECOIN');
    assert.equal(credited, offer?.settlementUnits);
  });

  test(`thousands of single units settle a checkout in ${settlementAsset} and keep no other waiting`, async () => {
    const { id, arrivingUnits, destination } = await committed(settlementAsset);
    const other = await committed('ORIGIN');
    const tiny = Array.from({ length: TINY }, () => 1n);
    const { version } = await world.read(id);
    await pay(destination, tiny);
    const paid = await world.read(id);
    assert.equal(paid.state, 'UNDERPAID');
    // What arrives together is decided together: seen, and final.
    assert.ok(paid.version - version <= 2, `${paid.version - version} decisions`);
    await pay(other.destination, [other.arrivingUnits]);
    assert.equal((await world.read(other.id)).state, 'COMPLETED');
    await pay(destination, [arrivingUnits - BigInt(TINY)]);
    const { state, receipts, flags } = await world.read(id);
    assert.equal(state, 'COMPLETED');
    assert.equal(receipts.length, TINY + 1);
    assert.ok(receipts.every(({ creditedGeneration }) => creditedGeneration === 1));
    assert.ok(!flags.overpaid);
    const failed = await world.app.db.query(sql`
      select id from checkout where settle_failures > 0`);
    assert.deepEqual(failed, []);
  });
}
