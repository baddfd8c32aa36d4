// What the network takes is asked again when the payer says where a refund goes.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { decimalFromUnits } from '#money/decimal.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import {
  addBeneficiary,
  availableUnits,
  balanceUnits,
  PAYER_ADDRESS,
  payCheckout,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { claimRefund } from './claim-refund.ts';
import { createRefund } from './create-refund.ts';
import { claimToken, findRefund, type Refund } from './refund.ts';

const LITECOIN = chainOf('test', 'LITECOIN');
const LTC = 'LTC:NATIVE';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
});
afterEach(async () => {
  const { app, clock } = world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  const faults = await verifyReasons(app.db);
  await world.close();
  assert.deepEqual([...broken, ...faults], []);
});

/** The service while the network takes so much; undefined: nobody knows how much. */
function taking(units: bigint | undefined) {
  const executor = world.app.executors.get(LITECOIN);
  assert(executor !== undefined);
  const networkFeeUnits = () => {
    if (units !== undefined) return units;
    throw new Refusal('unavailable', 'network_fee_unknown', 'no node');
  };
  const executors = new Map([[LITECOIN, { ...executor, networkFeeUnits }]]);
  return { ...world.app, executors };
}

/** Of a checkout paid as far as `percent`, made while the network takes 1000 units. */
async function refund(percent = 100n): Promise<Refund> {
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId, percent);
  const nothing = { amount: undefined, address: undefined, network: undefined, asset: undefined };
  return createRefund(taking(1_000n), world.caller, { ...nothing, kind: 'full', checkoutId });
}

const claim = (made: Refund, units: bigint | undefined) =>
  claimRefund(taking(units), claimToken(world.app.keyring, made.id), PAYER_ADDRESS);
const available = () => availableUnits(world, LTC);
const reserved = () => balanceUnits(world, 'merchant:reserved', LTC);
const isTooDear = (error: unknown) => error instanceof Refusal && error.code === 'network_fee_high';

for (const [what, now, more] of [
  ['more', 2_500n, 1_500n],
  ['three times as much', 3_000n, 2_000n],
  ['less', 300n, -700n],
  ['the same', 1_000n, 0n],
  ['nobody knows how much', undefined, 0n],
] as const) {
  test(`it takes ${what}: what is reserved follows, the payer gets the same`, async () => {
    await payCheckout(world, await world.create());
    const made = await refund();
    const [before, held] = [await available(), await reserved()];
    const claimed = await claim(made, now);
    assert.deepEqual([claimed.networkFeeUnits, claimed.units], [1_000n + more, made.units]);
    assert.deepEqual([await available(), await reserved()], [before - more, held + more]);
    await sendTransfers(world);
    const sent = await findRefund(world.app, world.caller, made.id);
    assert.deepEqual([sent?.state, sent?.networkFeeUnits], ['COMPLETED', 1_000n + more]);
    assert.equal(await reserved(), held - made.units - 1_000n);
  });
}

test('it takes too much: nothing is claimed, and it is claimed when it takes less', async () => {
  await payCheckout(world, await world.create());
  const made = await refund();
  const before = [await available(), await reserved()];
  await assert.rejects(claim(made, 3_001n), isTooDear);
  assert.deepEqual([await available(), await reserved()], before);
  assert.equal((await findRefund(world.app, world.caller, made.id))?.state, 'AWAITING_ADDRESS');
  await claim(made, 2_000n);
  await sendTransfers(world);
});

test('claimed and taken back: all of it is the merchant’s again', async () => {
  await payCheckout(world, await world.create());
  const before = await available();
  const made = await refund();
  const paid = made.units;
  await claim(made, 2_000n);
  assert.equal(await available(), before - 2_000n);
  const said = { actor: 'anna', reason: 'test', isNotSent: true };
  const sending = { ...world.app, ...transferGrounds(world.app) };
  await cancelSending(sending, made.transferId ?? '', said);
  assert.deepEqual([await available(), await reserved()], [before + paid, 0n]);
});

test('a merchant who has nothing left keeps no payer waiting: what was reserved is paid', async () => {
  await payCheckout(world, await world.create());
  const made = await refund();
  await addBeneficiary(world, 'bank');
  const amount = decimalFromUnits(await available(), 8);
  const wish = { network: 'LITECOIN', asset: undefined, targetAccount: 'bank', amount };
  const { id } = await quoteTransfer(taking(0n), world.caller, wish);
  await commitTransfer(taking(0n), world.caller, id);
  assert.equal(await available(), 0n);
  assert.equal((await claim(made, 2_000n)).networkFeeUnits, 1_000n);
  assert.equal(await available(), 0n);
});

test('out of a payment that is not whole the payer gets what he was told', async () => {
  const made = await refund(50n);
  assert.equal(made.context, 'UNDERPAID_CHECKOUT');
  await assert.rejects(claim(made, 3_001n), isTooDear);
  const claimed = await claim(made, 2_000n);
  assert.deepEqual([claimed.networkFeeUnits, claimed.units], [1_000n, made.units]);
  await sendTransfers(world);
});

test('two claims at once change what is reserved once', async () => {
  await payCheckout(world, await world.create());
  const made = await refund();
  const before = await available();
  const both = await Promise.allSettled([claim(made, 2_000n), claim(made, 2_500n)]);
  assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
  const taken = before - (await available());
  assert(taken === 1_000n || taken === 1_500n);
  await sendTransfers(world);
});
