// A transfer was cancelled: what pays us took the place of what was signed for it, and its money went
// back. A reorganisation undoes what pays us, so what was signed before may land all the same.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Refusal } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import { listSpentSince } from '#ledger/account.ts';
import { createRefund } from '#refund/create-refund.ts';
import { carryOutActs } from '#sending/carry-out-acts.ts';
import { draftSending } from '#sending/draft-sending.ts';
import { closeChecked } from '#test/support/close-checked.ts';
import {
  availableUnits,
  balanceUnits,
  PAYER_ADDRESS,
  payCheckout,
} from '#test/support/outgoing-money.ts';
import {
  type CancelApp,
  cancelSigned,
  draftingNetwork,
  LITECOIN,
  LTC,
  openSentByHand,
  type SentByHand,
  toPayee,
  undoTwoBlocks,
} from '#test/support/sent-by-hand.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { confirmSentOutside, requireTransfer, showSending } from '#transfer/send-by-hand.ts';
import { explainDeparture, listDepartures, settlePart } from './explain-departure.ts';
import { settleDepartures } from './settle-departures.ts';

const SAID = { actor: 'anna', reason: 'wrong receiver' };
const TO_US = [{ destination: 'change', units: 9_000_000n, isOwn: true }];

let hand: SentByHand;
let app: SentByHand['app'] & CancelApp;

beforeEach(async () => {
  hand = await openSentByHand();
  app = { ...hand.app, networks: new Map([[LITECOIN, draftingNetwork()]]) };
});
afterEach(() => closeChecked(hand.world));

/** t2, which pays us, has landed: its money goes back. */
async function cancelled(id: string, settle: () => Promise<unknown> = look): Promise<void> {
  await cancelSigned(app, id, SAID);
  await hand.show('t2', TO_US, { depth: 2, fee: 300n });
  await settle();
  assert.deepEqual(await stateOf(id), ['FAILED', 'cancelled: wrong receiver']);
}

async function land(transaction: string, sent: Parameters<SentByHand['show']>[1]): Promise<void> {
  await hand.show(transaction, sent, { depth: 2, fee: 300n });
  await look();
}

async function look(): Promise<void> {
  await settleDepartures(app);
  await carryOutActs(app);
}

const undo = () => undoTwoBlocks(hand.world, LITECOIN);

async function stateOf(id: string) {
  const { state, failure } = await requireTransfer(app.db, id);
  return [state, failure];
}

async function toldOf(id: string, kind = 'TRANSFER'): Promise<string[]> {
  const rows = await app.db.query<{ type: string }>(sql`
    select type from event where subject_id = ${id} and type like ${`${kind}%`}
    order by sequence`);
  return rows.map(({ type }) => type);
}

const available = () => availableUnits(hand.world, LTC);

async function spent(): Promise<number> {
  const { world } = hand;
  return (await listSpentSince(app.db, world.caller, world.clock.now().subtract({ hours: 24 })))
    .length;
}

test('its money is reserved again, and goes back once more when the cancellation lands again', async () => {
  const id = await hand.order();
  await cancelled(id);
  assert.deepEqual([await available(), await spent()], [hand.paid, 0]);
  await undo();
  await look();
  await look();
  const { state, transaction } = await requireTransfer(app.db, id);
  assert.deepEqual([state, transaction], ['TO_SEND', 't1']);
  assert.deepEqual([await available(), await spent()], [hand.paid - 10_000_000n, 1]);
  await land('t2', TO_US);
  assert.deepEqual(await stateOf(id), ['FAILED', 'cancelled: wrong receiver']);
  assert.deepEqual([await available(), await spent()], [hand.paid, 0]);
  assert.deepEqual(await toldOf(id), ['TRANSFER_FAILED', 'TRANSFER_REOPENED', 'TRANSFER_FAILED']);
});

test('what lands in place of the cancellation has paid it, with its own fee', async () => {
  const id = await hand.order();
  await cancelled(id);
  await undo();
  await land('t1', [toPayee(9_999_500n)]);
  await look();
  assert.deepEqual(await stateOf(id), ['COMPLETED', undefined]);
  assert.equal(await available(), hand.paid - 9_999_500n - 300n);
  assert.deepEqual(await toldOf(id), [
    'TRANSFER_FAILED',
    'TRANSFER_REOPENED',
    'TRANSFER_COMPLETED',
  ]);
  const open = await app.db.query(sql`select id from sending_act where ended_at is null`);
  assert.deepEqual(open, []);
});

test('undone before the cancellation was booked, it is reserved again all the same', async () => {
  const id = await hand.order();
  await cancelled(id, () => carryOutActs(app));
  await undo();
  await look();
  assert.equal((await stateOf(id))[0], 'TO_SEND');
  await land('t1', [toPayee(9_999_500n)]);
  await undo();
  await look();
  assert.equal((await stateOf(id))[0], 'SUBMITTED');
  await land('t2', TO_US);
  await look();
  assert.deepEqual(await stateOf(id), ['FAILED', 'cancelled: wrong receiver'], 'three ends');
  assert.equal(await available(), hand.paid);
});

for (const [when, settle] of [
  ['booked', look],
  ['not booked yet', () => carryOutActs(app)],
] as const) {
  test(`what lands in place of a cancellation that was ${when} is nothing else, though nobody has looked`, async () => {
    const id = await hand.order();
    await cancelled(id, settle);
    await undo();
    await hand.show('t1', [toPayee(9_999_500n)], { depth: 2, fee: 300n });
    const departures = await listDepartures(app, 9);
    const departureId = departures.find(({ transaction }) => transaction === 't1')?.id ?? 0n;
    const said = { ...SAID, departureId, number: 1, purpose: 'OUTSIDE' } as const;
    await assert.rejects(explainDeparture(app, said), /departure_carries_transfer|pays transfer/);
    await look();
    await look();
    assert.deepEqual(await stateOf(id), ['COMPLETED', undefined]);
  });
}

test('what was signed for one order is tied to no other, though nobody has looked', async () => {
  const id = await hand.order();
  const other = await hand.order();
  await cancelled(id);
  await undo();
  await hand.show('t1', [toPayee(9_999_500n)], { depth: 2, fee: 300n });
  const departures = await listDepartures(app, 9);
  const departureId = departures.find(({ transaction }) => transaction === 't1')?.id ?? 0n;
  const told = { ...SAID, departureId, number: 1, transferId: other };
  await assert.rejects(settlePart(app, told), /it was signed for transfer/);
  await look();
  await look();
  assert.deepEqual(await stateOf(id), ['COMPLETED', undefined]);
  assert.equal((await stateOf(other))[0], 'TO_SEND');
});

test('what the merchant has sent since is owed: the balance goes below zero', async () => {
  const id = await hand.order();
  await cancelled(id);
  const all = await hand.order('0.2');
  await undo();
  await look();
  assert.equal(await available(), hand.paid - 30_000_000n);
  assert.deepEqual([(await stateOf(id))[0], (await stateOf(all))[0]], ['TO_SEND', 'TO_SEND']);
});

/** Of a checkout that was paid so many percent; given back whole. */
async function refund(checkoutId: string) {
  const { world } = hand;
  const nothing = { amount: undefined, network: undefined, asset: undefined };
  const { id, transferId } = await createRefund(
    { ...app, ...world.app, executors: app.executors },
    world.caller,
    { ...nothing, kind: 'full', address: PAYER_ADDRESS, checkoutId },
  );
  await runTransfers(app);
  return { id, transferId };
}

async function paidCheckout(percent: bigint): Promise<string> {
  const checkoutId = await hand.world.create();
  await payCheckout(hand.world, checkoutId, percent);
  return checkoutId;
}

for (const percent of [100n, 40n]) {
  test(`a refund of what was paid by ${percent} % is under way again, and nothing of it is given twice`, async () => {
    const { world } = hand;
    const checkoutId = await paidCheckout(percent);
    const before = [
      (await world.read(checkoutId)).state,
      await balanceUnits(world, 'merchant:pending', LTC),
    ];
    const { id, transferId } = await refund(checkoutId);
    await cancelled(transferId);
    await world.settle();
    await undo();
    await look();
    await world.settle();
    assert.equal((await stateOf(transferId))[0], 'TO_SEND');
    await assert.rejects(refund(checkoutId), 'nothing is left');
    await land('t2', TO_US);
    await world.settle();
    const after = [
      (await world.read(checkoutId)).state,
      await balanceUnits(world, 'merchant:pending', LTC),
    ];
    assert.deepEqual(after, before);
    assert.deepEqual(await toldOf(id, 'REFUND'), [
      'REFUND_FAILED',
      'REFUND_REOPENED',
      'REFUND_FAILED',
    ]);
  });

  test(`a refund of what was paid by ${percent} % stays failed where another one gives it back`, async () => {
    const { world } = hand;
    const checkoutId = await paidCheckout(percent);
    const { transferId } = await refund(checkoutId);
    await cancelled(transferId);
    await world.settle();
    await refund(checkoutId);
    await undo();
    await look();
    assert.equal((await stateOf(transferId))[0], 'FAILED');
  });
}

test('while what was cancelled waits to end, nobody is told to send it, and nothing is drafted', async () => {
  const id = await hand.order();
  await cancelSigned(app, id, SAID);
  await hand.show('t2', TO_US, { depth: 2, fee: 300n });
  await settleDepartures(app);
  // Whoever looks next knows that t1 can land no more, before the money goes back.
  const wish = { actor: 'bert', feeRate: undefined, from: undefined };
  const waits = (error: Refusal) => error.code === 'transfer_waits';
  await assert.rejects(draftSending(app, [id], wish), waits);
  assert.equal((await requireTransfer(app.db, id)).transaction, undefined);
  await assert.rejects(showSending(app, id), waits);
  await carryOutActs(app);
  assert.deepEqual(await stateOf(id), ['FAILED', 'cancelled: wrong receiver']);
});

test('what was paid, was undone and can land no more is paid elsewhere, and the books know both', async () => {
  const id = await hand.order();
  await showSending(app, id);
  await land('t1', [toPayee(9_999_500n)]);
  assert.deepEqual(await stateOf(id), ['COMPLETED', undefined]);
  await undo();
  await land('t2', TO_US);
  assert.deepEqual(await stateOf(id), ['TO_SEND', undefined]);
  await confirmSentOutside(app, id, { ...SAID, transaction: 'f'.repeat(64) });
  assert.deepEqual(await stateOf(id), ['COMPLETED', undefined]);
});
