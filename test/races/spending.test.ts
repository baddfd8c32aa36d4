// Sixty-four clients of one merchant at once: together they never send out more than its limits of
// 24 hours, nor more than it has.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { acceptUnderpaid } from '#checkout-settlement/act-on-checkout.ts';
import { sql } from '#db/db.ts';
import { listSpentSince } from '#ledger/account.ts';
import { decimalFromUnits, decimalToText, parseDecimal } from '#money/decimal.ts';
import { createRefund } from '#refund/create-refund.ts';
import { leftOfLimits } from '#spending/require-within-limits.ts';
import {
  listLimitsOf,
  lowerLimit,
  type SpendingLimit,
  setLimit,
} from '#spending/spending-limit.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import {
  addBeneficiary,
  availableUnits,
  PAYER_ADDRESS,
  payCheckout,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';

const CLIENTS = 64;
const LTC = 'LTC:NATIVE';

let world: TestApp;
before(async () => {
  world = await openTestApp({ connections: 10 });
  await world.observe('LITECOIN');
  await addBeneficiary(world, 'savings');
});
after(() => world.close());
afterEach(async () => {
  await world.app.db.single((tx) => tx.query(sql`delete from spending_limit`));
  // What was spent before leaves the window.
  await world.clock.advance(24 * 3_600_000);
});

async function limit(measure: string, mostUnits: bigint, more: Partial<SpendingLimit> = {}) {
  const { merchantId, environment } = world.caller;
  await world.app.db.transact(async (tx) =>
    setLimit(tx, {
      ...{ kind: 'DAY', environment, merchantId, measure, mostUnits },
      ...{ actor: 'anna', reason: 'test', setAt: world.clock.now(), ...more },
    }),
  );
}

async function fund(units: bigint): Promise<void> {
  const { merchantId } = world.caller;
  const occurredAt = world.clock.now();
  const cause = `spending ${occurredAt}`;
  await fundMerchant(world.app.db, { merchantId, cause, occurredAt, assetId: LTC, units });
}

async function quoted(amount: string): Promise<string> {
  const wish = { network: 'LITECOIN', asset: undefined, targetAccount: 'savings' };
  const { app, caller } = world;
  return (await quoteTransfer(app, caller, { ...wish, amount: parseDecimal(amount) })).id;
}

async function swapQuoted(sourceUnits: bigint): Promise<string> {
  const assets = { sourceAssetId: LTC, targetAssetId: 'BTC:NATIVE' };
  return (await createSwap(world.app, world.caller, { ...assets, fixed: { sourceUnits } })).id;
}

const send = (id: string) => commitTransfer(world.app, world.caller, id);
const accept = (checkoutId: string) =>
  acceptUnderpaid(world.app, { checkoutId, owner: world.caller });
const swap = (swapId: string) => commitSwap(world.app, { swapId, owner: world.caller });

function codeOf(result: PromiseSettledResult<unknown>): string {
  if (result.status === 'fulfilled') return 'done';
  assert.ok(result.reason instanceof Refusal, String(result.reason));
  return result.reason.code;
}

function counted(results: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const codes = Map.groupBy(results.map(codeOf), (code) => code);
  return Object.fromEntries([...codes].map(([code, all]) => [code, all.length]).sort());
}

async function spentUnits(): Promise<bigint> {
  const since = world.clock.now().subtract({ hours: 24 });
  const spent = await listSpentSince(world.app.db, world.caller, since);
  return spent.reduce((sum, { units }) => sum + units, 0n);
}

async function leftOfLimit(measure: string): Promise<bigint | undefined> {
  const { app, caller, clock } = world;
  const all = await listLimitsOf(app.db, caller);
  const left = await leftOfLimits(app, caller, all, clock.now());
  return all.filter((one) => one.measure === measure).map((one) => left.get(one))[0];
}

async function assertSound(): Promise<void> {
  const { app, clock } = world;
  assert.deepEqual(await checkInvariants(app.db, { now: clock.now(), settleApp: app }), []);
}

test('of 64 transfers and swaps at once as many happen as the limit of the asset allows', async () => {
  await fund(100_000_000n);
  await limit(LTC, 5_500_000n);
  const transfers = await Promise.all(Array.from({ length: CLIENTS / 2 }, () => quoted('0.01')));
  const swaps = await Promise.all(
    Array.from({ length: CLIENTS / 2 }, () => swapQuoted(1_000_000n)),
  );
  const results = await Promise.allSettled([...transfers.map(send), ...swaps.map(swap)]);
  assert.deepEqual(counted(results), { done: 5, spending_limit: 59 });
  assert.equal(await spentUnits(), 5_000_000n);
  await sendTransfers(world);
  await assertSound();
});

test('a limit in a currency counts every asset at its value', async () => {
  await fund(100_000_000n);
  const price = world.app.rates.price('test', 'LTC', world.clock.now());
  const euro = world.app.rates.price('test', 'EUR', world.clock.now());
  assert.ok(price !== undefined && euro !== undefined);
  const cents = (100 * Number(price.usdPrice.coefficient)) / 10 ** price.usdPrice.scale;
  const perEuro = Number(euro.usdPrice.coefficient) / 10 ** euro.usdPrice.scale;
  // Three times 0.01 LTC, and not four times.
  await limit('EUR', BigInt(Math.round((3.5 * cents) / 100 / perEuro)));
  const transfers = await Promise.all(Array.from({ length: CLIENTS }, () => quoted('0.01')));
  assert.deepEqual(counted(await Promise.allSettled(transfers.map(send))), {
    ...{ done: 3, spending_limit: 61 },
  });
  await sendTransfers(world);
});

test('what is swapped and then sent counts once in a currency, and swaps alone count nothing', async () => {
  await fund(100_000_000n);
  await limit('EUR', 0n);
  await swap(await swapQuoted(2_000_000n));
  await assert.rejects(send(await quoted('0.01')), /the amount alone is above the limit/);
  await limit('EUR', 1_000_000n);
  assert.equal(await leftOfLimit('EUR'), 1_000_000n);
  await send(await quoted('0.01'));
  assert.ok(((await leftOfLimit('EUR')) ?? 0n) < 1_000_000n);
  await sendTransfers(world);
});

test('refunds count as well, and what came back counts no more', async () => {
  const id = await world.create();
  const paid = await payCheckout(world, id);
  await fund(100_000_000n);
  await limit(LTC, paid / 2n);
  const whole = { kind: 'full' as const, amount: undefined, network: undefined, asset: undefined };
  const refund = () =>
    createRefund(world.app, world.caller, { ...whole, checkoutId: id, address: PAYER_ADDRESS });
  const results = await Promise.allSettled(Array.from({ length: 8 }, refund));
  assert.deepEqual(counted(results), { spending_limit: 8 });
  await limit(LTC, paid + 1_000_000n);
  await refund();
  await assert.rejects(send(await quoted('0.02')), (error: Refusal) => {
    assert.equal(error.code, 'spending_limit');
    assert.match(error.details.join(), /are left; the amount fits from 2026-01-\d\dT/);
    return true;
  });
  await sendTransfers(world);
});

test('it slides: what was spent a day ago is free again, and a failed transfer at once', async () => {
  await fund(100_000_000n);
  await limit(LTC, 3_000_000n);
  await send(await quoted('0.02'));
  await world.clock.advance(3_600_000);
  await send(await quoted('0.01'));
  await assert.rejects(send(await quoted('0.01')), /the amount fits from/);
  await world.clock.advance(23 * 3_600_000);
  await send(await quoted('0.02'));
  await assert.rejects(send(await quoted('0.04')), /the amount alone is above the limit/);
  await sendTransfers(world);
  await assertSound();
});

test('a merchant lowers its limit and never raises it, also where everybody has one', async () => {
  const { app, caller } = world;
  const actor = 'key of a thief';
  const lower = (mostUnits: bigint) =>
    lowerLimit(app, caller, { kind: 'DAY', measure: LTC, mostUnits, actor });
  await limit(LTC, 10n, { merchantId: undefined });
  await assert.rejects(lower(11n), /only the operator raises it/);
  await lower(5n);
  await assert.rejects(lower(6n), /the limit is 0.00000005 LTC now/);
  await Promise.allSettled([4n, 3n, 2n].map(lower));
  await assert.rejects(lower(3n), Refusal);
});

test('64 clients on one balance never overdraw it, whatever they do', async () => {
  const checkouts: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    const id = await world.create();
    await payCheckout(world, id);
    checkouts.push(id);
  }
  const underpaid = await world.create();
  await payCheckout(world, underpaid, 40n);
  checkouts.push(underpaid);
  const third = (await availableUnits(world, LTC)) / 3n;
  const amount = decimalToText(decimalFromUnits(third, 8));
  const transfers = await Promise.all(Array.from({ length: 24 }, () => quoted(amount)));
  const swaps = await Promise.all(Array.from({ length: 24 }, () => swapQuoted(third)));
  const whole = { kind: 'full' as const, amount: undefined, network: undefined, asset: undefined };
  const refunds = checkouts.flatMap((checkoutId) => Array.from({ length: 4 }, () => checkoutId));
  const results = await Promise.allSettled([
    ...transfers.map(send),
    ...refunds.map((checkoutId) =>
      createRefund(world.app, world.caller, { ...whole, checkoutId, address: PAYER_ADDRESS }),
    ),
    ...swaps.map(swap),
    ...Array.from({ length: 4 }, () => accept(underpaid)),
  ]);
  const codes = counted(results);
  assert.ok((codes.done ?? 0) >= 2, JSON.stringify(codes));
  const known = [
    ...['balance_too_low', 'checkout_not_underpaid', 'done', 'nothing_to_refund'],
    // A checkout that was given back whole before it could be accepted.
    'checkout_not_paid',
  ];
  assert.deepEqual(
    Object.keys(codes).filter((code) => !known.includes(code)),
    [],
  );
  assert.ok((await availableUnits(world, LTC)) >= 0n);
  await sendTransfers(world);
  await assertSound();
});
