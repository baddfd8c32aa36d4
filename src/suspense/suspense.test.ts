// Money that is nobody's yet, and what a person does with it.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { sql } from '#db/db.ts';
import { settleSuspense } from '#deposit/settle-suspense.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { mineBlocks } from '#networks/sandbox/mine-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { availableUnits, sender } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { actOnSuspense, type SuspenseRequest } from './act-on-suspense.ts';
import { listSuspense } from './list-suspense.ts';
import { returnSuspense } from './return-suspense.ts';
import { suspenseView } from './suspense-view.ts';

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
async function payWrongAsset(): Promise<{ id: string; number: bigint }> {
  const id = await world.create({ webhook: 'https://shop.example/hook' });
  const owner = world.caller;
  const way = { checkoutId: id, owner, network: 'STELLAR', asset: 'XLM:NATIVE' };
  const { instruction } = await commitCheckout(world.app, way);
  await pay(instruction.destination);
  const [found] = await listSuspense(world.app, { isOpen: true }, 10);
  assert.ok(found);
  return { id, number: found.suspense.id };
}

async function pay(destination: string): Promise<void> {
  const outputs = [{ destination, assetId: USDC, units: UNITS }];
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

test('assigned to its checkout it is the merchant’s, once, and the checkout shows it', async () => {
  const { id, number } = await payWrongAsset();
  const request = { kind: 'ASSIGN' as const, id: number, checkoutId: id, ...who };
  await actOnSuspense(world.app, request);
  await actOnSuspense(world.app, request);
  assert.equal(await availableUnits(world, USDC), UNITS);
  assert.equal(await lies(), 0n);
  await world.settle();
  const { flags, state } = await world.read(id);
  assert.deepEqual([Object.keys(flags), state], [['manual'], 'AWAITING_PAYMENT']);
  assert.deepEqual(await toldOf(number), [{ state: 'ASSIGNED', url: 'https://shop.example/hook' }]);
  const [entry] = await world.app.db.query<{ evidence: string }>(
    sql`select evidence from ledger_entry where cause_key = ${`suspense:${number}:1`}`,
  );
  assert.deepEqual(JSON.parse(entry?.evidence ?? ''), { by: 'ann', reason: who.reason });
  const writeOff: SuspenseRequest = { kind: 'WRITE_OFF', id: number, ...who };
  await assertRefused(actOnSuspense(world.app, writeOff), 'suspense_closed');
});

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
  assert.equal(await availableUnits(world, USDC), 0n);
  assert.equal(await lies(), 0n);
  assert.deepEqual(await statesOf(), ['GONE']);
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
