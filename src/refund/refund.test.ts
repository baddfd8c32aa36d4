import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import {
  balanceUnits,
  PAYER_ADDRESS,
  payCheckout,
  sender,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { isByHand } from '#transfer/executor.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { claimRefund } from './claim-refund.ts';
import { createRefund, type RefundRequest } from './create-refund.ts';
import { claimToken, type Refund } from './refund.ts';

const FEE_UNITS = 500n;
const LITECOIN = chainOf('test', 'LITECOIN');

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp({ connections: 10 });
  await world.observe('LITECOIN');
});
afterEach(async () => {
  const { app, clock } = world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  await world.close();
  assert.deepEqual(broken, []);
});

type Wish = Partial<RefundRequest> & Pick<RefundRequest, 'checkoutId' | 'kind'>;

function refund(wish: Wish): Promise<Refund> {
  const nothing = { amount: undefined, network: undefined, asset: undefined };
  return createRefund(world.app, world.caller, { ...nothing, address: PAYER_ADDRESS, ...wish });
}

async function assertRefused(act: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(act, (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, code);
    return true;
  });
}

async function eventsOf(id: string): Promise<unknown[]> {
  const rows = await world.app.db.query<{ body: string }>(
    sql`select body from event where subject_id = ${id} order by sequence`,
  );
  return rows.map(({ body }) => JSON.parse(body) as unknown);
}

/** So that the merchant can pay the network. */
async function fillBalance(): Promise<void> {
  await payCheckout(world, await world.create());
}

test('a full refund of a completed checkout sends back all that was paid', async () => {
  await fillBalance();
  const checkoutId = await world.create({ webhook: 'https://shop.example/hook' });
  const paid = await payCheckout(world, checkoutId);
  const before = await balanceUnits(world, 'merchant:available');
  const made = await refund({ checkoutId, kind: 'full' });
  assert.equal(made.state, 'UNDER_WAY');
  assert.equal(await balanceUnits(world, 'merchant:available'), before - paid - FEE_UNITS);
  await sendTransfers(world);
  const { refunds, state } = await world.read(checkoutId);
  assert.equal(state, 'COMPLETED');
  assert.deepEqual(
    refunds.map((one) => [one.state, one.units, one.context]),
    [['COMPLETED', paid, 'COMPLETED_CHECKOUT']],
  );
  const [event] = (await eventsOf(made.id)) as [{ eventType: string; data: unknown }];
  assert.equal(event.eventType, 'REFUND_COMPLETED');
  const context = 'COMPLETED_CHECKOUT';
  assert.deepEqual(event.data, { refund: { id: made.id, checkoutId, context } });
  await assertRefused(refund({ checkoutId, kind: 'full' }), 'nothing_to_refund');
});

test('what waited for a price goes back as soon as there is one', async () => {
  await fillBalance();
  await fillBalance();
  const checkoutId = await world.create({ settlementAsset: 'EUR:FIAT' });
  const paid = await payCheckout(world, checkoutId);
  const [lock] = (await world.read(checkoutId)).commitments;
  assert.ok(lock);
  await paySandbox(world.app, {
    chain: LITECOIN,
    outputs: [
      { destination: lock.instruction.destination, assetId: lock.assetId, units: 700_000n },
    ],
  });
  await mineBlocks(world.app, LITECOIN, 4);
  await world.observe('LITECOIN');
  const rates = { price: () => undefined };
  await settleDueCheckouts({ ...world.app, rates, onCheckoutChanged: () => undefined });
  const made = await refund({ checkoutId, kind: 'full' });
  assert.equal(made.units, paid + 700_000n);
  await sendTransfers(world);
});

test('parts are refunded until nothing is left', async () => {
  await fillBalance();
  const checkoutId = await world.create();
  const paid = await payCheckout(world, checkoutId);
  const amount = parseDecimal('0.01');
  await refund({ checkoutId, kind: 'amount', amount });
  const rest = await refund({ checkoutId, kind: 'full' });
  assert.equal(rest.units, paid - 1_000_000n);
  await assertRefused(refund({ checkoutId, kind: 'amount', amount }), 'refund_exceeds_payment');
  await sendTransfers(world);
});

test('the excess is what came above the required amount, and comes back once', async () => {
  const checkoutId = await world.create();
  const paid = await payCheckout(world, checkoutId, 125n);
  const [lock] = (await world.read(checkoutId)).commitments;
  assert.ok(lock);
  const made = await refund({ checkoutId, kind: 'excess' });
  assert.equal(made.units, paid - lock.arrivingUnits);
  assert.equal(made.context, 'OVERPAID_TRANSACTION');
  await assertRefused(refund({ checkoutId, kind: 'excess' }), 'nothing_to_refund');
  await sendTransfers(world);
});

test('an exact payment has no excess, an unpaid checkout nothing to refund', async () => {
  const checkoutId = await world.create();
  await assertRefused(refund({ checkoutId, kind: 'full' }), 'checkout_not_paid');
  await payCheckout(world, checkoutId);
  await assertRefused(refund({ checkoutId, kind: 'excess' }), 'nothing_to_refund');
});

test('without the balance nothing is refunded', async () => {
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  // What was paid is there, the fee of the network is not.
  await assertRefused(refund({ checkoutId, kind: 'full' }), 'balance_too_low');
  assert.deepEqual((await world.read(checkoutId)).refunds, []);
});

test('an underpaid checkout is refunded whole, less the network fee, and is unpaid', async () => {
  const checkoutId = await world.create();
  const paid = await payCheckout(world, checkoutId, 50n);
  assert.equal((await world.read(checkoutId)).state, 'UNDERPAID');
  const amount = parseDecimal('0.01');
  await assertRefused(refund({ checkoutId, kind: 'amount', amount }), 'refund_only_full');
  const made = await refund({ checkoutId, kind: 'full' });
  assert.equal(made.units, paid - FEE_UNITS);
  assert.equal(await balanceUnits(world, 'merchant:pending'), 0n);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'AWAITING_PAYMENT');
  await sendTransfers(world);
  const record = await world.read(checkoutId);
  assert.deepEqual(
    record.refunds.map(({ state, context }) => [state, context]),
    [['COMPLETED', 'UNDERPAID_CHECKOUT']],
  );
  // What comes now pays for the checkout alone.
  await payCheckout(world, checkoutId, 50n);
  assert.equal((await world.read(checkoutId)).state, 'UNDERPAID');
  await payCheckout(world, checkoutId, 51n);
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
});

test('an underpaid refund that fails pays the checkout again', async () => {
  const checkoutId = await world.create();
  const paid = await payCheckout(world, checkoutId, 50n);
  await refund({ checkoutId, kind: 'full' });
  await world.settle();
  const real = world.app.executors.get(LITECOIN);
  assert.ok(real && !isByHand(real));
  const outcome = async () => ({ failed: 'gone' });
  await sendTransfers(world, { ...real, submit: async () => {}, outcome });
  const record = await world.read(checkoutId);
  assert.equal(record.refunds[0]?.state, 'FAILED');
  assert.equal(record.state, 'UNDERPAID');
  assert.equal(await balanceUnits(world, 'merchant:pending'), paid);
  const again = await refund({ checkoutId, kind: 'full' });
  assert.equal(again.units, paid - FEE_UNITS);
  await sendTransfers(world);
});

/** The network loses what was paid last, and another transaction spends it. */
async function takeBack(depth = 4): Promise<void> {
  await reorgChain(world.app, { chain: LITECOIN, depth, transactions: 'double-spend' });
  await mineBlocks(world.app, LITECOIN, 4);
  await world.observe('LITECOIN');
  await world.settle();
}

test('a refund nobody claimed ends when its payment is taken back, and nobody owes', async () => {
  const checkoutId = await world.create({ webhook: 'https://shop.example/hook' });
  const paid = await payCheckout(world, checkoutId, 50n);
  const made = await refund({ checkoutId, kind: 'full', address: undefined });
  await takeBack();
  const open = await world.read(checkoutId);
  assert.ok(open.credits[0]?.reversedAt);
  assert.deepEqual(
    open.refunds.map(({ state, payment }) => [state, payment]),
    [['AWAITING_ADDRESS', 'TAKEN_BACK']],
  );
  // The money of this refund is reserved still: until it is back the merchant owes it.
  assert.equal(await balanceUnits(world, 'merchant:owed'), -paid);
  const token = claimToken(world.app.keyring, made.id);
  await assertRefused(claimRefund(world.app, token, PAYER_ADDRESS), 'payment_taken_back');
  await sendTransfers(world);
  const record = await world.read(checkoutId);
  assert.deepEqual(
    record.refunds.map(({ state, payment }) => [state, payment]),
    [['FAILED', 'TAKEN_BACK']],
  );
  await world.settle();
  assert.equal(await balanceUnits(world, 'merchant:pending'), 0n);
  assert.equal(await balanceUnits(world, 'merchant:owed'), 0n);
  assert.equal(await balanceUnits(world, 'merchant:reserved'), 0n);
  const [told] = (await eventsOf(made.id)) as [{ eventType: string; data: unknown }];
  assert.equal(told.eventType, 'REFUND_FAILED');
  assert.deepEqual(told.data, {
    refund: {
      id: made.id,
      checkoutId,
      context: 'UNDERPAID_CHECKOUT',
      payment: 'TAKEN_BACK',
      failure: 'the network took back the payment that was to be refunded',
    },
  });
});

test('a refund on its way is not sent when its payment was taken back meanwhile', async () => {
  await fillBalance();
  const checkoutId = await world.create();
  const paid = await payCheckout(world, checkoutId);
  const available = await balanceUnits(world, 'merchant:available');
  await refund({ checkoutId, kind: 'full' });
  await takeBack();
  await sendTransfers(world);
  const [one] = (await world.read(checkoutId)).refunds;
  assert.deepEqual(
    [one?.state, one?.payment, one?.transaction],
    ['FAILED', 'TAKEN_BACK', undefined],
  );
  assert.equal(await balanceUnits(world, 'merchant:available'), available - paid);
  assert.equal(await balanceUnits(world, 'merchant:reserved'), 0n);
});

test('a refund waits while nobody knows whether its payment stands, and is sent when it does', async () => {
  await fillBalance();
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const made = await refund({ checkoutId, kind: 'full', address: undefined });
  await reorgChain(world.app, { chain: LITECOIN, depth: 4, transactions: 'return' });
  await world.observe('LITECOIN');
  await world.settle();
  await claimRefund(world.app, claimToken(world.app.keyring, made.id), PAYER_ADDRESS);
  const signed: string[] = [];
  const real = world.app.executors.get(LITECOIN);
  assert.ok(real && !isByHand(real));
  const counted = {
    ...real,
    prepare: (order: Parameters<typeof real.prepare>[0]) => {
      signed.push(order.transferId);
      return real.prepare(order);
    },
  };
  await runTransfers(sender(world, counted));
  const [waiting] = (await world.read(checkoutId)).refunds;
  assert.deepEqual([waiting?.state, waiting?.payment], ['UNDER_WAY', 'UNCERTAIN']);
  assert.deepEqual(signed, []);
  await mineBlocks(world.app, LITECOIN, 4);
  await world.observe('LITECOIN');
  await world.settle();
  await world.clock.advance(31_000);
  await sendTransfers(world, counted);
  const [sent] = (await world.read(checkoutId)).refunds;
  assert.deepEqual([sent?.state, sent?.payment], ['COMPLETED', 'STANDING']);
  assert.deepEqual(signed, [made.transferId]);
});

test('a payment taken back after its refund was sent shows on the refund', async () => {
  await fillBalance();
  await fillBalance();
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  await refund({ checkoutId, kind: 'full' });
  await sendTransfers(world);
  await takeBack(10);
  const [one] = (await world.read(checkoutId)).refunds;
  assert.deepEqual([one?.state, one?.payment], ['COMPLETED', 'TAKEN_BACK']);
});

test('a refund rests on what is decided: a second half that is final already pays', async () => {
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId, 50n);
  const [lock] = (await world.read(checkoutId)).commitments;
  assert.ok(lock);
  const { destination } = lock.instruction;
  const half = { destination, assetId: lock.assetId, units: lock.arrivingUnits / 2n + 1n };
  await paySandbox(world.app, { chain: LITECOIN, outputs: [half] });
  await mineBlocks(world.app, LITECOIN, 4);
  // Recorded, and nobody decided yet what it means.
  await world.observe('LITECOIN');
  await assertRefused(refund({ checkoutId, kind: 'full' }), 'balance_too_low');
  const { state, refunds } = await world.read(checkoutId);
  assert.deepEqual([state, refunds], ['COMPLETED', []]);
});

test('without an address the money waits for the payer, who claims it once', async () => {
  await fillBalance();
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const made = await refund({ checkoutId, kind: 'full', address: undefined });
  assert.equal(made.state, 'AWAITING_ADDRESS');
  await sendTransfers(world);
  const token = claimToken(world.app.keyring, made.id);
  await assertRefused(claimRefund(world.app, token, 'nowhere'), 'address_invalid');
  await assertRefused(claimRefund(world.app, 'guessed', PAYER_ADDRESS), 'refund_missing');
  const claims = await Promise.allSettled(
    Array.from({ length: 5 }, () => claimRefund(world.app, token, PAYER_ADDRESS)),
  );
  assert.equal(claims.filter(({ status }) => status === 'fulfilled').length, 1);
  await sendTransfers(world);
  assert.equal((await world.read(checkoutId)).refunds[0]?.state, 'COMPLETED');
});

test('what nobody claims in 90 days goes back to the merchant', async () => {
  await fillBalance();
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const before = await balanceUnits(world, 'merchant:available');
  const made = await refund({ checkoutId, kind: 'full', address: undefined });
  await world.clock.advance(90 * 24 * 3_600_000);
  await sendTransfers(world);
  assert.equal((await world.read(checkoutId)).refunds[0]?.state, 'FAILED');
  assert.equal(await balanceUnits(world, 'merchant:available'), before);
  const token = claimToken(world.app.keyring, made.id);
  await assertRefused(claimRefund(world.app, token, PAYER_ADDRESS), 'refund_claimed');
});
