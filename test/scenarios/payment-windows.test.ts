// Windows of payment: amounts hold for an hour from the creation, a lock for an hour more, and a
// commit after its end opens a fresh one at the price of then. Late money counts by what it is
// worth.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { findApiKey } from '#access/caller.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import type { Commitment } from '#checkout/checkout.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { evidenceText } from '#checkout/credit.ts';
import { acceptUnderpaid, cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { sql } from '#db/db.ts';
import { changeMerchant } from '#merchant/merchant.ts';
import { createDecimal } from '#money/decimal.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { balanceUnits } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

const HOUR_MS = 3_600_000;
const EURO = 'EUR:FIAT';
const TOTAL_UNITS = 1990n;

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

const MOVED_RATE = 4242n;

/** What a litecoin costs from now on, in per cent of what it cost. */
function movePrice(percent: bigint): void {
  const { rates } = world.app;
  const now = world.clock.now();
  const before = rates.price('test', 'LTC', now);
  assert.ok(before);
  const { coefficient, scale } = before.usdPrice;
  const usdPrice = createDecimal(coefficient * percent, scale + 2);
  const moved = { ...before, usdPrice, id: MOVED_RATE, observedAt: now };
  rates.remember([{ ...moved, environment: 'test' }]);
}

const commit = (checkoutId: string, network = 'LITECOIN'): Promise<Commitment> =>
  commitCheckout(world.app, { checkoutId, owner: world.caller, network });

async function pay({ instruction, network, assetId }: Commitment, units: bigint): Promise<void> {
  const chain = chainOf('test', network);
  const outputs = [{ destination: instruction.destination, assetId, units }];
  await paySandbox(world.app, { chain, outputs });
  await mineBlocks(world.app, chain, 4);
  await world.observe(network);
  await world.settle();
}

/** Time passes, and the network is heard meanwhile. */
async function wait(ms: number): Promise<void> {
  await world.clock.advance(ms);
  await world.observe('LITECOIN');
  await world.settle();
}

const stateOf = async (id: string) => (await world.read(id)).state;
const inEuro = { settlementAsset: EURO };

function assertConflict(act: Promise<unknown>, code: string): Promise<void> {
  return assert.rejects(act, (error: unknown) => error instanceof Refusal && error.code === code);
}

test('a commit within an hour keeps the amounts of the creation, one later takes those of then', async () => {
  const [kept, later] = [await world.create(), await world.create()];
  const offer = (await world.read(kept)).offers.find(({ network }) => network === 'LITECOIN');
  movePrice(50n);
  await world.clock.advance(HOUR_MS);
  const made = await commit(kept);
  assert.equal(made.arrivingUnits, offer?.arrivingUnits);
  assert.equal(made.expiresAt.since(made.committedAt).total('minutes'), 60);
  await world.clock.advance(1_000);
  const fresh = await commit(later);
  assert.equal(fresh.arrivingUnits, made.arrivingUnits * 2n);
});

test('a commit on an expired checkout opens a fresh window on the same address, and only one', async () => {
  const id = await world.create();
  const first = await commit(id);
  await world.clock.advance(HOUR_MS - 1_000);
  assert.equal((await commit(id)).expiresAt.toString(), first.expiresAt.toString());
  await wait(2_000);
  assert.equal(await stateOf(id), 'EXPIRED');
  movePrice(50n);
  const second = await commit(id);
  assert.equal(await stateOf(id), 'AWAITING_PAYMENT');
  assert.equal(second.instruction.address, first.instruction.address);
  assert.equal(second.arrivingUnits, first.arrivingUnits * 2n);
  assert.equal(second.expiresAt.since(world.clock.now()).total('minutes'), 60);
  await world.clock.advance(1_000);
  const again = await commit(id);
  assert.equal(again.expiresAt.toString(), second.expiresAt.toString());
  assert.deepEqual(
    (await world.read(id)).commitments[0]?.pastWindows.map(({ arrivingUnits }) => arrivingUnits),
    [first.arrivingUnits],
  );
  await pay(second, second.arrivingUnits);
  assert.equal(await stateOf(id), 'COMPLETED');
});

test('on Lightning a fresh window has an invoice of its own', async () => {
  await world.observe('LIGHTNING');
  const id = await world.create();
  const first = await commit(id, 'LIGHTNING');
  await world.clock.advance(HOUR_MS + 1_000);
  await world.observe('LIGHTNING');
  await world.settle();
  const second = await commit(id, 'LIGHTNING');
  assert.notEqual(second.instruction.address, first.instruction.address);
  assert.equal((await world.read(id)).commitments.length, 1);
  const outputs = [
    {
      destination: second.instruction.destination,
      assetId: second.assetId,
      units: second.arrivingUnits,
    },
  ];
  await paySandbox(world.app, { chain: chainOf('test', 'LIGHTNING'), outputs });
  await world.observe('LIGHTNING');
  await world.settle();
  assert.equal(await stateOf(id), 'COMPLETED');
});

test('nobody commits what is paid or cancelled, not even as a repeat', async () => {
  const paid = await world.create();
  const made = await commit(paid);
  await pay(made, made.arrivingUnits);
  await assertConflict(commit(paid), 'checkout_completed');
  const cancelled = await world.create();
  await commit(cancelled);
  await cancelCheckout(world.app, { checkoutId: cancelled, owner: world.caller });
  await assertConflict(commit(cancelled), 'checkout_cancelled');
  await world.clock.advance(HOUR_MS * 2);
  await assertConflict(commit(cancelled), 'checkout_cancelled');
});

test('a checkout that nobody chose a way for can be committed after days', async () => {
  const id = await world.create();
  await world.clock.advance(HOUR_MS * 24 * 9);
  await world.observe('LITECOIN');
  await world.settle();
  assert.equal(await stateOf(id), 'EXPIRED');
  const made = await commit(id);
  await pay(made, made.arrivingUnits);
  assert.equal(await stateOf(id), 'COMPLETED');
});

test('money of the first window stays in it, what is missing is paid in the second', async () => {
  const id = await world.create(inEuro);
  const first = await commit(id);
  await pay(first, first.arrivingUnits / 2n);
  await wait(HOUR_MS + 1_000);
  assert.equal(await stateOf(id), 'UNDERPAID');
  movePrice(80n);
  const second = await commit(id);
  assert.equal(await stateOf(id), 'UNDERPAID');
  await pay(second, second.arrivingUnits - first.arrivingUnits / 2n);
  const { state, credits } = await world.read(id);
  assert.equal(state, 'COMPLETED');
  assert.deepEqual(
    credits.map(({ rateBasis }) => rateBasis),
    ['CURRENT', 'LOCKED'],
  );
  const credited = await balanceUnits(world, 'merchant:available', EURO);
  assert.ok(credited <= TOTAL_UNITS && credited >= TOTAL_UNITS - 2n, String(credited));
});

test('unconfirmed money of the first way is on its way again when another one is chosen later', async () => {
  const id = await world.create(inEuro);
  const first = await commit(id);
  await world.clock.advance(50 * 60_000);
  const { instruction, network, assetId, arrivingUnits: units } = first;
  const chain = chainOf('test', network);
  const outputs = [{ destination: instruction.destination, assetId, units }];
  const heldUntil = world.clock.now().add({ hours: 24 });
  await paySandbox(world.app, { chain, outputs, heldUntil });
  await world.observe(network);
  await world.settle();
  assert.equal(await stateOf(id), 'PENDING');
  await wait(3 * HOUR_MS);
  assert.equal(await stateOf(id), 'EXPIRED');
  await world.observe('BITCOIN');
  await commit(id, 'BITCOIN');
  await world.settle();
  assert.equal(await stateOf(id), 'PENDING', 'nobody is asked to pay twice');
});

test('money of the first window that pays all of it at the price of the second completes at once', async () => {
  const id = await world.create(inEuro);
  const first = await commit(id);
  await pay(first, first.arrivingUnits / 2n);
  await wait(HOUR_MS + 1_000);
  movePrice(250n);
  assert.equal(await stateOf(id), 'UNDERPAID');
  const second = await commit(id);
  assert.ok(second.arrivingUnits < first.arrivingUnits / 2n);
  // Nothing new arrives and no time passes: the commit alone makes it due.
  await world.settle();
  assert.equal(await stateOf(id), 'COMPLETED');
});

test('late money that is worth nine tenths completes; what is worth less waits for the merchant', async () => {
  const [dear, cheap] = [await world.create(inEuro), await world.create(inEuro)];
  const [first, second] = [await commit(dear), await commit(cheap)];
  await wait(HOUR_MS + 1_000);
  movePrice(91n);
  await pay(first, first.arrivingUnits);
  assert.equal(await stateOf(dear), 'COMPLETED');
  await wait(24 * 300 * HOUR_MS);
  movePrice(1n);
  await pay(second, second.arrivingUnits);
  const { state, flags } = await world.read(cheap);
  assert.equal(state, 'UNDERPAID');
  assert.ok(flags.late);
  await acceptUnderpaid(world.app, { checkoutId: cheap, owner: world.caller });
  assert.equal(await stateOf(cheap), 'COMPLETED');
});

test('a merchant sets the floor for late money of new checkouts', async () => {
  const { app, caller } = world;
  await changeMerchant(app, caller.merchantId, { lateFloorPartsPerMillion: 1_000_000 });
  const [row] = await app.db.query<{ floor: number }>(
    sql`select late_floor_parts_per_million as floor from merchant where id = ${caller.merchantId}`,
  );
  assert.equal(row?.floor, 1_000_000);
});

test('money that comes a month late waits for a merchant who allows it two weeks', async () => {
  const { app, caller } = world;
  await changeMerchant(app, caller.merchantId, { lateDays: 14 });
  const record = await findApiKey(app, caller.apiKey);
  assert.equal(record?.caller.lateDays, 14);
  const id = await world.create(inEuro);
  await app.db.query(sql`update checkout set late_days = 14 where id = ${id}`);
  const made = await commit(id);
  await wait(24 * 30 * HOUR_MS);
  await pay(made, made.arrivingUnits);
  assert.equal(await stateOf(id), 'UNDERPAID');
  await acceptUnderpaid(app, { checkoutId: id, owner: caller });
  assert.equal(await stateOf(id), 'COMPLETED');
});

test('paid 99 % and accepted a month later at a hundredth, it is worth a hundredth', async () => {
  const id = await world.create(inEuro);
  const made = await commit(id);
  await pay(made, (made.arrivingUnits * 99n) / 100n);
  await wait(24 * 30 * HOUR_MS);
  movePrice(1n);
  await pay(made, made.arrivingUnits / 100n);
  assert.equal(await stateOf(id), 'UNDERPAID');
  await acceptUnderpaid(world.app, { checkoutId: id, owner: world.caller });
  const { credits } = await world.read(id);
  assert.deepEqual(
    credits.map(({ rateBasis }) => rateBasis),
    ['CURRENT', 'CURRENT'],
  );
  assert.equal(await balanceUnits(world, 'merchant:available', EURO), 19n);
  for (const credit of credits) {
    const evidence = evidenceText(credit);
    assert.ok(JSON.parse(evidence).current.rateIds.includes(String(MOVED_RATE)), evidence);
  }
});

test('an acceptance that cannot be completed leaves nothing behind', async () => {
  const id = await world.create(inEuro);
  const made = await commit(id);
  await pay(made, made.arrivingUnits / 2n);
  await wait(HOUR_MS + 1_000);
  const app = { ...world.app, rates: { ...world.app.rates, price: () => undefined } };
  const accept = acceptUnderpaid(app, { checkoutId: id, owner: world.caller });
  await assert.rejects(accept, (error) => error instanceof Outage);
  const { state, acceptedUnderpaidAt, credits } = await world.read(id);
  assert.equal(state, 'UNDERPAID');
  assert.equal(acceptedUnderpaidAt, undefined);
  assert.equal(credits[0]?.acceptedAt, undefined);
});

test('an acceptance is of what is pending, and is refused while a part of it is uncertain', async () => {
  const id = await world.create();
  const made = await commit(id);
  await pay(made, made.arrivingUnits / 4n);
  await pay(made, made.arrivingUnits / 4n);
  const chain = chainOf('test', 'LITECOIN');
  await reorgChain(world.app, { chain, depth: 4, transactions: 'drop' });
  await world.observe('LITECOIN');
  await world.settle();
  const accept = () => acceptUnderpaid(world.app, { checkoutId: id, owner: world.caller });
  assert.equal(await stateOf(id), 'PENDING');
  await assertConflict(accept(), 'checkout_not_underpaid');
  await mineBlocks(world.app, chain, 24);
  await world.observe('LITECOIN');
  await world.settle();
  const { credits } = await world.read(id);
  assert.equal(credits.filter(({ reversedAt }) => reversedAt !== undefined).length, 1);
  await accept();
  const after = await world.read(id);
  assert.equal(after.state, 'COMPLETED');
  assert.deepEqual(
    after.credits.map(
      ({ acceptedAt, reversedAt }) => (acceptedAt === undefined) !== (reversedAt === undefined),
    ),
    [true, true],
  );
});
