// Money that is nobody's yet, and what a person does with it.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createApiKey } from '#access/api-key.ts';
import { findApiKey } from '#access/caller.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { checkoutView } from '#checkout-settlement/checkout-view.ts';
import { type Statement, sql } from '#db/db.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { amountToText } from '#money/asset-amount.ts';
import { parseDecimal } from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { createRefund } from '#refund/create-refund.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { settleSuspense } from '#settle/settle-suspense.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import {
  availableUnits,
  PAYER_ADDRESS,
  payCheckout,
  sender,
} from '#test/support/outgoing-money.ts';
import { openTestApp, SIMPLE_CHARGE, type TestApp } from '#test/support/test-app.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { actOnSuspense, type SuspenseRequest } from './act-on-suspense.ts';
import { returnSuspense } from './return-suspense.ts';
import { listSuspense, suspenseView } from './suspense-view.ts';

const STELLAR = chainOf('test', 'STELLAR');
const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const USDC = `USDC:${ISSUER}`;
const UNITS = 50_000_000n;
const who = { actor: 'ann', reason: 'the customer wrote to us' };

let world: TestApp;
/** The simulated wallet knows of nothing that a person sent by hand. */
let isSentByHand: boolean;
beforeEach(async () => {
  isSentByHand = false;
  world = await openTestApp();
  await world.observe('STELLAR');
});
afterEach(async () => {
  const { app, clock } = world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  await world.close();
  assert.deepEqual(
    broken.filter((line) => !isSentByHand || !line.startsWith('L10')),
    [],
  );
});

async function look(): Promise<void> {
  await world.clock.advance(1_000);
  await world.observe('STELLAR');
  await world.settle();
  while ((await settleSuspense(world.app, STELLAR)) > 0);
}

/** A checkout that asks for XLM and is paid in USDC. */
async function payWrongAsset(
  units = UNITS,
  more: object = {},
): Promise<{ id: string; number: bigint }> {
  const id = await world.create({ webhook: 'https://shop.example/hook', ...more });
  const owner = world.caller;
  const way = { checkoutId: id, owner, network: 'STELLAR', asset: 'XLM:NATIVE' };
  const { instruction } = await commitCheckout(world.app, way);
  await pay(instruction.destination, units);
  const [found] = await listSuspense(world.app, { isOpen: true }, 10);
  assert.ok(found);
  return { id, number: found.suspense.id };
}

/** A checkout whose whole amount comes in its window, but does not say what for. */
async function payWithoutMemo(): Promise<{ id: string; number: bigint; required: bigint }> {
  const id = await world.create();
  const way = { checkoutId: id, owner: world.caller, network: 'STELLAR', asset: 'XLM:NATIVE' };
  const { instruction, arrivingUnits } = await commitCheckout(world.app, way);
  const [account = ''] = instruction.destination.split(':');
  await pay(account, arrivingUnits, 'XLM:NATIVE');
  const [found] = await listSuspense(world.app, { isOpen: true }, 10);
  assert.ok(found);
  return { id, number: found.suspense.id, required: arrivingUnits };
}

async function pay(destination: string, units = UNITS, assetId = USDC): Promise<void> {
  const outputs = [{ destination, assetId, units }];
  await paySandbox(world.app, { chain: STELLAR, outputs });
  await mineBlocks(world.app, STELLAR, 2);
  await look();
}

async function statesOf(): Promise<string[]> {
  const found = await listSuspense(world.app, { isOpen: false }, 10);
  return found.map(({ suspense }) => suspense.state);
}

async function lies(): Promise<bigint> {
  const [row] = await world.app.db.query<{ units: bigint }>(
    sql`select -sum(balance_units) as units from ledger_balance where code = 'suspense:STELLAR'`,
  );
  return row?.units ?? 0n;
}

async function toldOf(number: bigint): Promise<{ state: string; url: string }[]> {
  const rows = await world.app.db.query<{ body: string; url: string }>(sql`
    select e.body, d.url from event e join webhook_delivery d on d.event_id = e.id
    where e.subject = 'suspense' and e.subject_id = ${String(number)}`);
  return rows.map(({ body, url }) => ({ state: JSON.parse(body).data.suspense.state, url }));
}

async function assertRefused(act: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(act, (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, code);
    return true;
  });
}

test('money in another asset lies in suspense with its reason and what it names', async () => {
  const { id } = await payWrongAsset();
  const [found] = await listSuspense(world.app, { isOpen: true }, 10);
  assert.ok(found);
  const view = suspenseView(found);
  assert.deepEqual(
    [view.state, view.reason, view.amount, view.amountAssetCode, view.checkoutId],
    ['OPEN', 'WRONG_ASSET', '5', 'USDC', id],
  );
  assert.equal(await lies(), UNITS);
});

test('money without a known memo names nobody and says why', async () => {
  const { instruction } = await commitCheckout(world.app, {
    checkoutId: await world.create(),
    owner: world.caller,
    network: 'STELLAR',
    asset: 'XLM:NATIVE',
  });
  const [account] = instruction.destination.split(':');
  await pay(`${account}:999999999`);
  await pay(`${account}`);
  const found = await listSuspense(world.app, { isOpen: true }, 10);
  assert.deepEqual(
    found.map(({ suspense }) => [suspense.reason, suspense.merchantId]),
    [
      ['NO_MEMO', undefined],
      ['UNKNOWN_MEMO', undefined],
    ],
  );
});

test('assigned to its checkout it is a payment of it, once, and counts at what it is worth', async () => {
  const { id, number } = await payWrongAsset();
  const request = { kind: 'ASSIGN' as const, id: number, checkoutId: id, ...who };
  await actOnSuspense(world.app, request);
  await actOnSuspense(world.app, request);
  assert.equal(await lies(), 0n);
  const { flags, state, receipts, credits } = await world.read(id);
  assert.deepEqual([Object.keys(flags), state], [['manual'], 'UNDERPAID']);
  assert.deepEqual(
    receipts.map(({ assetId, units }) => [assetId, units]),
    [[USDC, UNITS]],
  );
  assert.deepEqual(
    credits.map(({ account, reversedAt }) => [account, reversedAt !== undefined]),
    [
      ['suspense', true],
      ['pending', false],
    ],
  );
  assert.deepEqual(await toldOf(number), [{ state: 'ASSIGNED', url: 'https://shop.example/hook' }]);
  const [entry] = await world.app.db.query<{ evidence: string }>(
    sql`select evidence from ledger_entry where cause_key = ${`suspense:${number}:1`}`,
  );
  assert.deepEqual(JSON.parse(entry?.evidence ?? ''), { by: 'ann', reason: who.reason });
  const writeOff: SuspenseRequest = { kind: 'WRITE_OFF', id: number, ...who };
  await assertRefused(actOnSuspense(world.app, writeOff), 'suspense_closed');
});

test('what is worth the whole charge completes the sale, in the asset it came in or converted', async () => {
  const ways = [
    ['ORIGIN', USDC],
    ['EUR:FIAT', 'EUR:FIAT'],
  ] as const;
  for (const [settlementAsset, credited] of ways) {
    const { id, number } = await payWrongAsset(500_000_000n, { settlementAsset });
    const had = await availableUnits(world, credited);
    await actOnSuspense(world.app, { kind: 'ASSIGN', id: number, checkoutId: id, ...who });
    const { state, credits, sourceAssetId } = await world.read(id);
    assert.deepEqual([state, sourceAssetId], ['COMPLETED', USDC]);
    const [, credit] = credits;
    assert.deepEqual(
      [credit?.settlementAssetId, credit?.rateBasis, credit?.account],
      [credited, 'CURRENT', 'available'],
    );
    assert.equal((await availableUnits(world, credited)) - had, credit?.netUnits);
    assert.deepEqual(await verifyReasons(world.app.db), []);
  }
});

test('the checkout says what came, what it was measured by and what was credited', async () => {
  for (const settlementAsset of ['ORIGIN', 'EUR:FIAT']) {
    const { id, number } = await payWrongAsset(500_000_000n, { settlementAsset });
    await actOnSuspense(world.app, { kind: 'ASSIGN', id: number, checkoutId: id, ...who });
    const record = await world.read(id);
    const [credit] = record.credits.filter(({ account }) => account === 'available');
    assert.ok(credit);
    const [asked] = record.commitments;
    const inKind = settlementAsset === 'ORIGIN';
    const required = inKind ? credit.requiredNowUnits : asked?.settlementUnits;
    assert.ok(required !== undefined && credit.requiredNowUnits !== undefined);
    const { decimals } = getAsset(credit.settlementAssetId);
    const view = checkoutView(world.app, record);
    assert.deepEqual(
      [view.sourceNetwork, view.sourceAssetId, view.sourceAmountReceived, view.settlementAssetId],
      ['STELLAR', USDC, '50', inKind ? USDC : 'EUR:FIAT'],
    );
    assert.deepEqual(
      [view.sourceAmountRequired, view.depositAddress],
      [amountToText(credit.requiredNowUnits, 7), asked?.instruction.address],
    );
    assert.deepEqual(
      [view.settlementAmountRequired, view.settlementAmountReceived, view.settlementAmountFeePaid],
      [required, credit.settlementUnits, credit.feeUnits].map((units) =>
        amountToText(units, decimals),
      ),
    );
  }
});

test('a checkout that never asked for anything says what it was paid by', async () => {
  const { number } = await payWrongAsset(500_000_000n);
  const other = await world.create({ settlementAsset: 'EUR:FIAT' });
  await actOnSuspense(world.app, { kind: 'ASSIGN', id: number, checkoutId: other, ...who });
  await world.settle();
  const record = await world.read(other);
  const view = checkoutView(world.app, record);
  const [credit] = record.credits;
  assert.ok(credit);
  assert.deepEqual(
    [view.state, view.sourceAssetId, view.sourceAmountReceived, view.depositAddress],
    ['COMPLETED', USDC, '50', null],
  );
  assert.deepEqual(
    [view.settlementAmountRequired, view.settlementAmountReceived],
    [null, amountToText(credit.settlementUnits, 2)],
  );
});

test('what came above the charge in an asset nobody asked for can go back', async () => {
  // So that the merchant can pay the network.
  const filled = await payWrongAsset(500_000_000n);
  const assign = (id: bigint, checkoutId: string) =>
    actOnSuspense(world.app, { kind: 'ASSIGN', id, checkoutId, ...who });
  await assign(filled.number, filled.id);
  const { id, number } = await payWrongAsset(500_000_000n);
  await assign(number, id);
  const [credit] = (await world.read(id)).credits.filter(({ account }) => account === 'available');
  const wish = { kind: 'excess' as const, amount: undefined, network: undefined, asset: undefined };
  const refund = await createRefund(world.app, world.caller, {
    ...wish,
    checkoutId: id,
    address: ISSUER,
  });
  assert.deepEqual(
    [refund.assetId, refund.units, refund.context],
    [USDC, 500_000_000n - (credit?.requiredNowUnits ?? 0n), 'OVERPAID_TRANSACTION'],
  );
  assert.ok(refund.units > 0n);
  const again = createRefund(world.app, world.caller, { ...wish, checkoutId: id, address: ISSUER });
  await assertRefused(again, 'nothing_to_refund');
});

test('money without its memo, assigned, is worth what was asked for when it came', async () => {
  const { id, number, required } = await payWithoutMemo();
  await world.clock.advance(3 * 60 * 60 * 1_000);
  await world.observe('STELLAR');
  await world.settle();
  assert.equal((await world.read(id)).state, 'EXPIRED');
  await actOnSuspense(world.app, { kind: 'ASSIGN', id: number, checkoutId: id, ...who });
  const { state, credits, flags } = await world.read(id);
  assert.deepEqual([state, Object.keys(flags)], ['COMPLETED', ['manual']]);
  assert.deepEqual(
    credits.map(({ lockedUnits, rateBasis }) => [lockedUnits, rateBasis]),
    [[required, 'LOCKED']],
  );
  assert.equal(await lies(), 0n);
  assert.deepEqual(await verifyReasons(world.app.db), []);
});

test('assigned to another checkout of the merchant it pays for that one alone', async () => {
  const { id, number } = await payWrongAsset(500_000_000n);
  const other = await world.create();
  await actOnSuspense(world.app, { kind: 'ASSIGN', id: number, checkoutId: other, ...who });
  await world.settle();
  assert.equal((await world.read(other)).state, 'COMPLETED');
  const { state, flags, receipts } = await world.read(id);
  assert.deepEqual([state, flags, receipts], ['AWAITING_PAYMENT', {}, []]);
});

test('the checkout it came for no longer shows what another was given, priced or not', async () => {
  const { id, number } = await payWrongAsset();
  const other = await world.create();
  const rates = { price: () => undefined };
  const app = { ...world.app, rates };
  await actOnSuspense(app, { kind: 'ASSIGN', id: number, checkoutId: other, ...who });
  await world.settle();
  assert.equal((await world.read(other)).state, 'NEW');
  assert.deepEqual((await world.read(id)).flags, {});
});

test('a checkout that takes no money, or is somebody else’s, is assigned none', async () => {
  const { id, number } = await payWrongAsset();
  const assign = (checkoutId: string) =>
    actOnSuspense(world.app, { kind: 'ASSIGN', id: number, checkoutId, ...who });
  const cancelled = await world.create();
  await cancelCheckout(world.app, { checkoutId: cancelled, owner: world.caller });
  const refunded = await completedAndRefunded();
  const strangers = await checkoutOfAnother();
  const live = await world.create();
  await set(sql`update checkout set environment = 'live' where id = ${live}`);
  const table: readonly (readonly [string, string])[] = [
    [cancelled, 'checkout_closed'],
    [refunded, 'checkout_refunded'],
    [strangers, 'checkout_of_another'],
    [live, 'checkout_missing'],
    ['nosuchcheck1', 'checkout_missing'],
  ];
  for (const [checkoutId, code] of table) await assertRefused(assign(checkoutId), code);
  assert.equal(await lies(), UNITS);
  await assign(id);
  assert.equal(await lies(), 0n);
});

async function completedAndRefunded(): Promise<string> {
  await world.observe('LITECOIN');
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const amount = parseDecimal('0.1') ?? assert.fail();
  const way = { network: undefined, asset: undefined, address: PAYER_ADDRESS };
  const wish = { kind: 'amount' as const, amount, ...way, checkoutId };
  await createRefund(world.app, world.caller, wish);
  return checkoutId;
}

async function checkoutOfAnother(): Promise<string> {
  const { app } = world;
  const { id: merchantId } = await createMerchant(app, { name: 'Another shop' });
  const { key } = await createApiKey(app, { merchantId, environment: 'test' });
  const found = await findApiKey(app, key);
  assert.ok(found);
  const parsed = parseExactJson(JSON.stringify({ charge: SIMPLE_CHARGE }));
  assert.ok(parsed.ok);
  const request = parseCheckoutRequest(parsed.value);
  const caller = { ...found.caller, method: 'digest' as const };
  const made = await createCheckout(app, caller, request, { type: 'SELF_HOSTED', origin: 'API' });
  return made.id;
}

async function set(statement: Statement): Promise<void> {
  await world.app.db.single((tx) => tx.query(statement));
}

test('what is decided on money of a deposit address is told to its webhook', async () => {
  const address = await createDepositAddress(world.app, world.caller, {
    network: 'STELLAR',
    assetId: 'XLM:NATIVE',
    label: undefined,
    webhook: 'https://shop.example/deposits',
    metaText: undefined,
  });
  await pay(address.instruction.destination);
  const [found] = await listSuspense(world.app, { isOpen: true }, 10);
  assert.ok(found);
  const { merchantId } = world.caller;
  const number = found.suspense.id;
  await actOnSuspense(world.app, { kind: 'ASSIGN', id: number, merchantId, ...who });
  const url = 'https://shop.example/deposits';
  assert.deepEqual(await toldOf(number), [{ state: 'ASSIGNED', url }]);
});

test('what the network takes back is taken from whom it was assigned to', async () => {
  const { id, number } = await payWrongAsset();
  await actOnSuspense(world.app, { kind: 'ASSIGN', id: number, checkoutId: id, ...who });
  await takeBack();
  const { flags, state } = await world.read(id);
  assert.deepEqual([state, flags.reversed?.amount], ['AWAITING_PAYMENT', '5']);
  assert.equal(await lies(), 0n);
  assert.deepEqual(await statesOf(), ['ASSIGNED']);
  assert.deepEqual(await verifyReasons(world.app.db), []);
});

test('what is lost before its checkout was credited leaves books that have their reasons', async () => {
  const { id, number } = await payWithoutMemo();
  const { db } = world.app;
  const transact: typeof db.transact = async (act) => {
    if ((await statesOf())[0] === 'ASSIGNED') throw new Error('killed');
    return db.transact(act);
  };
  const app = { ...world.app, db: { ...db, transact } };
  const assigned = actOnSuspense(app, { kind: 'ASSIGN', id: number, checkoutId: id, ...who });
  await assert.rejects(assigned, /killed/);
  assert.deepEqual((await world.read(id)).credits, []);
  assert.deepEqual(await verifyReasons(db), []);
  await takeBack();
  assert.deepEqual((await world.read(id)).credits, []);
  assert.deepEqual(await verifyReasons(db), []);
});

async function takeBack(): Promise<void> {
  await reorgChain(world.app, { chain: STELLAR, depth: 2, transactions: 'double-spend' });
  await mineBlocks(world.app, STELLAR, 4);
  await look();
}

test('nothing is decided about what nobody is sure of, nor without a reason', async () => {
  const { number } = await payWrongAsset();
  const writeOff: SuspenseRequest = { kind: 'WRITE_OFF', id: number, ...who };
  await assertRefused(actOnSuspense(world.app, { ...writeOff, reason: ' ' }), 'usage');
  await assertRefused(actOnSuspense(world.app, { ...writeOff, id: 99n }), 'suspense_missing');
  await reorgChain(world.app, { chain: STELLAR, depth: 2, transactions: 'return', newBlocks: 3 });
  await look();
  await assertRefused(actOnSuspense(world.app, writeOff), 'payment_uncertain');
  await mineBlocks(world.app, STELLAR, 3);
  await look();
  await actOnSuspense(world.app, writeOff);
  await world.settle();
  assert.deepEqual(await statesOf(), ['WRITTEN_OFF']);
  assert.equal(await lies(), 0n);
});

test('a return made by hand leaves custody', async () => {
  const { number } = await payWrongAsset();
  await actOnSuspense(world.app, { kind: 'RETURN', id: number, transaction: 'abc', ...who });
  isSentByHand = true;
  await world.settle();
  const [custody] = await world.app.db.query<{ units: bigint }>(sql`select balance_units as units
    from ledger_balance where code = 'custody:STELLAR' and asset_id = ${USDC}`);
  assert.equal(custody?.units, 0n);
  assert.deepEqual(
    (await toldOf(number)).map(({ state }) => state),
    ['RETURNED'],
  );
});

test('it goes back to the payer by a transfer, and is nobody else’s meanwhile', async () => {
  const { id, number } = await payWrongAsset();
  const request = { id: number, address: ISSUER, merchantId: undefined, ...who };
  await returnSuspense(world.app, request);
  await returnSuspense(world.app, request);
  assert.deepEqual(await statesOf(), ['RETURNING']);
  const assign: SuspenseRequest = { kind: 'ASSIGN', id: number, checkoutId: id, ...who };
  await assertRefused(actOnSuspense(world.app, assign), 'suspense_closed');
  await send();
  assert.deepEqual(await statesOf(), ['RETURNED']);
  assert.equal(await lies(), 0n);
  await world.settle();
  assert.deepEqual((await world.read(id)).flags, {});
  assert.deepEqual(
    (await toldOf(number)).map(({ state }) => state),
    ['RETURNED'],
  );
});

async function send(): Promise<void> {
  for (let step = 0; step < 6; step += 1) {
    await runTransfers(sender(world));
    await mineBlocks(world.app, STELLAR, 1);
    await world.clock.advance(3_000);
  }
  await look();
}

test('a return whose money the network took back is not sent', async () => {
  const { number } = await payWrongAsset();
  await returnSuspense(world.app, { id: number, address: ISSUER, merchantId: undefined, ...who });
  await takeBack();
  await send();
  assert.deepEqual(await statesOf(), ['GONE']);
  assert.equal(await lies(), 0n);
  const [transfer] = await world.app.db.query<{ state: string; transaction: string | null }>(
    sql`select state, transaction from transfer`,
  );
  assert.deepEqual(transfer, { state: 'FAILED', transaction: null });
});
