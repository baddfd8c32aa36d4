// Money in suspense went back to its payer, and a reorganisation undid what ended that.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { abandonDeparture } from '#custody/explain-departure.ts';
import { type SettleDeparturesApp, settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { carryOutActs } from '#sending/carry-out-acts.ts';
import { settleSuspense } from '#settle/settle-suspense.ts';
import { closeChecked } from '#test/support/close-checked.ts';
import { sender } from '#test/support/outgoing-money.ts';
import {
  type CancelApp,
  cancelSigned,
  draftingNetwork,
  type Sent,
  showDeparture,
  undoTwoBlocks,
} from '#test/support/sent-by-hand.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { type RunTransfersApp, runTransfers } from '#transfer/run-transfers.ts';
import { cancelSending, listToSend, requireTransfer, showSending } from '#transfer/send-by-hand.ts';
import { actOnSuspense } from './act-on-suspense.ts';
import { returnSuspense } from './return-suspense.ts';
import { listSuspense } from './suspense-view.ts';

const STELLAR = chainOf('test', 'STELLAR');
const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const USDC = `USDC:${ISSUER}`;
const TO_US = [{ destination: 'change', units: 1_000n, isOwn: true }];
const ANN = { actor: 'ann', reason: 'the customer wrote to us' };

let world: TestApp;
let app: SettleDeparturesApp & RunTransfersApp & CancelApp;

beforeEach(async () => {
  world = await openTestApp();
  await world.observe('STELLAR');
  const byHand = {
    chain: STELLAR,
    networkFeeUnits: () => 500n,
    instruct: () => ({ link: undefined }),
    destinationOf: (account: { readonly [field: string]: string }) => account.account,
  };
  const executors = new Map([[STELLAR, byHand]]);
  const networks = new Map([[STELLAR, draftingNetwork()]]);
  app = { ...sender(world), executors, networks };
});
// The simulated chain knows of nothing that a person has sent.
afterEach(() => closeChecked(world, (fault) => fault.startsWith('L10')));

/** Money in another asset than its checkout asked for, on its way back to the payer. */
async function returning() {
  const checkoutId = await world.create({ webhook: 'https://shop.example/hook' });
  const owner = world.caller;
  const way = { checkoutId, owner, network: 'STELLAR', asset: 'XLM:NATIVE' };
  const { instruction } = await commitCheckout(world.app, way);
  const outputs = [{ destination: instruction.destination, assetId: USDC, units: 50_000_000n }];
  await paySandbox(world.app, { chain: STELLAR, outputs });
  await mineBlocks(world.app, STELLAR, 2);
  await world.clock.advance(1_000);
  await world.observe('STELLAR');
  await world.settle();
  while ((await settleSuspense(world.app, STELLAR)) > 0);
  const [found] = await listSuspense(world.app, { isOpen: true }, 10);
  assert.ok(found);
  const { id } = found.suspense;
  const request = { id, address: ISSUER, merchantId: undefined, ...ANN };
  await returnSuspense({ ...world.app, executors: app.executors }, request);
  await runTransfers(app);
  const [transfer] = await listToSend(app, { most: 1 });
  const { id: transferId = '', targetUnits = 0n } = transfer ?? {};
  await showSending(app, transferId);
  const sent = [{ destination: ISSUER, units: targetUnits, assetId: USDC }];
  return { id, checkoutId, transferId, sent };
}

const stateOf = async () => {
  const [found] = await listSuspense(world.app, { isOpen: false }, 10);
  return found?.suspense.state;
};

const lies = async () => {
  const [row] = await app.db.query<{ units: bigint }>(sql`
    select -sum(balance_units) as units from ledger_balance where code = 'suspense:STELLAR'`);
  return row?.units;
};

const toldOf = async (id: bigint) => {
  const rows = await app.db.query<{ told: string }>(sql`
    select sequence || ' ' || type as told from event
    where subject = 'suspense' and subject_id = ${String(id)} order by sequence`);
  return rows.map(({ told }) => told);
};

async function land(transaction: string, sent: readonly Sent[]): Promise<void> {
  await showDeparture(world, STELLAR, transaction, sent, { depth: 2, fee: 100n });
  await settleDepartures(app);
  await carryOutActs(app);
  await world.settle();
}

test('what had gone back is returning again, is nobody else’s meanwhile, and is told once more', async () => {
  const { id, checkoutId, sent } = await returning();
  await land('t1', sent);
  assert.deepEqual([await stateOf(), await lies()], ['RETURNED', 0n]);
  await undoTwoBlocks(world, STELLAR);
  assert.equal(await settleDepartures(app), 1);
  assert.equal(await settleDepartures(app), 0);
  assert.deepEqual([await stateOf(), await lies()], ['RETURNING', 0n]);
  const isClosed = (error: unknown) => error instanceof Refusal && error.code === 'suspense_closed';
  const assign = actOnSuspense(world.app, { kind: 'ASSIGN', id, checkoutId, ...ANN });
  await assert.rejects(assign, isClosed);
  await world.settle();
  await land('t1', []);
  await world.settle();
  assert.deepEqual([await stateOf(), await lies()], ['RETURNED', 0n]);
  assert.deepEqual(await toldOf(id), ['1 SUSPENSE_RESOLVED', '2 SUSPENSE_RESOLVED']);
});

test('undone and given up, it lies in suspense again for whoever decides next', async () => {
  const { id, checkoutId, transferId, sent } = await returning();
  await land('t1', sent);
  await undoTwoBlocks(world, STELLAR);
  await settleDepartures(app);
  await abandonDeparture(app, 't1', ANN);
  await settleDepartures(app);
  await cancelSending(app, transferId, { ...ANN, isNotSent: true });
  assert.equal(await stateOf(), 'OPEN');
  await actOnSuspense(world.app, { kind: 'ASSIGN', id, checkoutId, ...ANN });
  await world.settle();
  assert.deepEqual([await stateOf(), await lies()], ['ASSIGNED', 0n]);
  assert.deepEqual(await toldOf(id), ['1 SUSPENSE_RESOLVED', '2 SUSPENSE_RESOLVED']);
});

/** What pays us landed in its place, and the money lies in suspense again. */
async function cancelled() {
  const found = await returning();
  await cancelSigned(app, found.transferId, ANN);
  await land('t2', TO_US);
  assert.equal(await stateOf(), 'OPEN');
  return found;
}

for (const [what, transaction, state] of [
  ['is paid', 't1', 'RETURNED'],
  ['fails anew', 't2', 'OPEN'],
] as const) {
  test(`one that was cancelled is returning again when that is undone, and ${what}`, async () => {
    const { id, sent } = await cancelled();
    const before = await lies();
    await undoTwoBlocks(world, STELLAR);
    await settleDepartures(app);
    assert.deepEqual([await stateOf(), await lies()], ['RETURNING', 0n]);
    const isReturned = state === 'RETURNED';
    await land(transaction, isReturned ? sent : TO_US);
    assert.deepEqual([await stateOf(), await lies()], [state, isReturned ? 0n : before]);
    assert.deepEqual(await toldOf(id), isReturned ? ['1 SUSPENSE_RESOLVED'] : []);
  });
}

test('what was decided otherwise since stays decided, and the return stays failed', async () => {
  const { id, checkoutId, transferId } = await cancelled();
  await actOnSuspense(world.app, { kind: 'ASSIGN', id, checkoutId, ...ANN });
  await undoTwoBlocks(world, STELLAR);
  await settleDepartures(app);
  assert.equal(await stateOf(), 'ASSIGNED');
  assert.equal((await requireTransfer(app.db, transferId)).state, 'FAILED');
});
