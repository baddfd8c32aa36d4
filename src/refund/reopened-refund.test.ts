import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import { closeChecked } from '#test/support/close-checked.ts';
import { availableUnits, PAYER_ADDRESS, payCheckout } from '#test/support/outgoing-money.ts';
import {
  LITECOIN,
  LTC,
  openSentByHand,
  type SentByHand,
  toPayee,
  undoTwoBlocks,
} from '#test/support/sent-by-hand.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { requireTransfer, showSending } from '#transfer/send-by-hand.ts';
import { createRefund } from './create-refund.ts';

let hand: SentByHand;
beforeEach(async () => {
  hand = await openSentByHand();
});
afterEach(() => closeChecked(hand.world));

/** Of a checkout that was paid so many percent; given back whole, and somebody was told how. */
async function refund(percent: bigint) {
  const { world, app } = hand;
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId, percent);
  const nothing = { amount: undefined, network: undefined, asset: undefined };
  const { id, transferId } = await createRefund(
    { ...app, ...world.app, executors: app.executors },
    world.caller,
    { ...nothing, kind: 'full', address: PAYER_ADDRESS, checkoutId },
  );
  await runTransfers(app);
  await showSending(app, transferId);
  const { targetUnits: units } = await requireTransfer(app.db, transferId);
  return { id, checkoutId, units };
}

const stateOf = async (id: string) => {
  const [row] = await hand.world.app.db.query<{ state: string; isFinished: boolean }>(sql`
    select state, finished_at is not null as "isFinished" from refund where id = ${id}`);
  return row;
};

const toldOf = async (id: string) => {
  const rows = await hand.world.app.db.query<{ type: string }>(sql`
    select type from event where subject_id = ${id} and type like 'REFUND%'
    order by sequence`);
  return rows.map(({ type }) => type);
};

const undo = () => undoTwoBlocks(hand.world, LITECOIN);

for (const [what, percent] of [
  ['of a paid checkout', 100n],
  ['of too little', 40n],
] as const) {
  test(`a refund ${what} whose transaction is undone is under way again, and completes once more`, async () => {
    const { world, app } = hand;
    const { id, checkoutId, units } = await refund(percent);
    const state = (await world.read(checkoutId)).state;
    await hand.show('t1', [toPayee(units)], { depth: 2, fee: 100n });
    assert.equal(await settleDepartures(app), 1);
    assert.deepEqual(await stateOf(id), { state: 'COMPLETED', isFinished: true });
    const balance = await availableUnits(world, LTC);
    await undo();
    assert.equal(await settleDepartures(app), 1);
    assert.deepEqual(await stateOf(id), { state: 'UNDER_WAY', isFinished: false });
    await world.settle();
    assert.equal((await world.read(checkoutId)).state, state, 'it pays as little as before');
    await hand.show('t1', [], { depth: 2, fee: 100n });
    assert.equal(await settleDepartures(app), 1);
    assert.deepEqual(await stateOf(id), { state: 'COMPLETED', isFinished: true });
    assert.equal(await availableUnits(world, LTC), balance);
    assert.deepEqual(await toldOf(id), ['REFUND_COMPLETED', 'REFUND_REOPENED', 'REFUND_COMPLETED']);
  });
}
