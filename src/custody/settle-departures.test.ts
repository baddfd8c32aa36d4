import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { undoDepartures } from '#chain/write-departures.ts';
import { sql } from '#db/db.ts';
import { closeChecked } from '#test/support/close-checked.ts';
import { houseUnits } from '#test/support/ledger-entries.ts';
import { notedActs } from '#test/support/noted-acts.ts';
import { availableUnits, PAYER_ADDRESS } from '#test/support/outgoing-money.ts';
import {
  LITECOIN,
  LTC,
  openSentByHand,
  type Sent,
  type SentByHand,
  toPayee,
} from '#test/support/sent-by-hand.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { findTransfer } from '#transfer/transfer.ts';
import {
  abandonDeparture,
  departureView,
  explainDeparture,
  listDepartures,
  settlePart,
} from './explain-departure.ts';
import { settleDepartures } from './settle-departures.ts';

const SAID = { actor: 'operator', reason: 'moved to cold storage' };

let hand: SentByHand;
let world: SentByHand['world'];
let app: SentByHand['app'];
let paid: bigint;
let height: bigint;
beforeEach(async () => {
  hand = await openSentByHand();
  ({ world, app, paid } = hand);
  height = await hand.height();
});
afterEach(() => closeChecked(world));

const order = (amount?: string) => hand.order(amount);
const show: SentByHand['show'] = (...shown) => hand.show(...shown);

const transferOf = async (id: string) => {
  const found = await findTransfer(app, world.caller, id);
  assert.ok(found);
  return found;
};
const custody = () => houseUnits(world.app.db, 'custody:LITECOIN', LTC);

test('what a person sends is recognised in the mempool, and completes when it is deep enough', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n), { destination: 'change', units: 5n, isOwn: true }], {
    depth: 0,
  });
  await settleDepartures(app);
  assert.deepEqual(
    [(await transferOf(id)).state, (await transferOf(id)).transaction],
    ['SUBMITTED', 't1'],
  );
  await show('t1', [], { depth: 1 });
  await settleDepartures(app);
  assert.equal((await transferOf(id)).state, 'SUBMITTED');
  await show('t1', [], { depth: 2 });
  assert.equal(await settleDepartures(app), 1);
  assert.equal((await transferOf(id)).state, 'COMPLETED');
});

test('the merchant pays what the network really took, and the rest of what was reserved goes back', async () => {
  const id = await order();
  const before = await custody();
  await show('t1', [toPayee(9_999_500n)], { depth: 2, fee: 200n });
  assert.equal(await settleDepartures(app), 1);
  const done = await transferOf(id);
  assert.deepEqual([done.state, done.feeTakenUnits], ['COMPLETED', 200n]);
  assert.equal(await availableUnits(world, LTC), paid - 9_999_500n - 200n);
  assert.equal(await custody(), before - 9_999_500n - 200n);
  assert.equal(await houseUnits(world.app.db, 'network-fees', LTC), 0n);
});

test('what the network took beyond what was reserved is paid by the house', async () => {
  await order();
  const before = await custody();
  await show('t1', [toPayee(9_999_500n)], { depth: 2, fee: 1_200n });
  await settleDepartures(app);
  assert.equal(await availableUnits(world, LTC), paid - 10_000_000n);
  assert.equal(await houseUnits(world.app.db, 'network-fees', LTC), 700n);
  assert.equal(await custody(), before - 9_999_500n - 1_200n);
});

test('one transaction carries several transfers, which share its fee', async () => {
  const ids = [await order('0.1'), await order('0.1'), await order('0.02')];
  const sent = [toPayee(1_999_500n), toPayee(9_999_500n), toPayee(9_999_500n)];
  await show('t1', sent, { depth: 2, fee: 301n });
  assert.equal(await settleDepartures(app), 3);
  const fees: bigint[] = [];
  for (const id of ids) {
    const { state, feeTakenUnits = 0n, transaction } = await transferOf(id);
    assert.deepEqual([state, transaction], ['COMPLETED', 't1']);
    fees.push(feeTakenUnits);
  }
  assert.deepEqual(fees.map(String).toSorted(), ['100', '100', '101']);
  assert.equal(await houseUnits(world.app.db, 'network-fees', LTC), 0n);
});

test('two transfers of one amount to one receiver need two payments', async () => {
  const first = await order();
  const second = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 2 });
  await settleDepartures(app);
  assert.deepEqual(
    [(await transferOf(first)).state, (await transferOf(second)).state],
    ['COMPLETED', 'TO_SEND'],
  );
  await show('t2', [toPayee(9_999_500n)], { depth: 2, spends: ['ours:1'] });
  await settleDepartures(app);
  assert.equal((await transferOf(second)).transaction, 't2');
});

test('one unit less is another payment: a person has to look', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_499n)], { depth: 2, fee: 0n });
  await settleDepartures(app);
  assert.equal((await transferOf(id)).state, 'TO_SEND');
  const [unexplained] = await listDepartures(app, 10);
  assert.deepEqual(
    unexplained?.parts.map(({ purpose }) => purpose),
    [undefined],
  );
  const departureId = unexplained?.id ?? 0n;
  await explainDeparture(app, { departureId, number: 1, purpose: 'LOST', ...SAID });
  assert.equal(await houseUnits(world.app.db, 'losses', LTC), 9_999_499n);
  await cancelSending(app, id, { ...SAID, isNotSent: true });
});

test('a replaced transaction gives way to the one that was mined, also with another fee', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 0, fee: 100n });
  await settleDepartures(app);
  await show('t2', [toPayee(9_999_500n)], { depth: 2, fee: 400n });
  await settleDepartures(app);
  await settleDepartures(app);
  const done = await transferOf(id);
  assert.deepEqual([done.state, done.transaction, done.feeTakenUnits], ['COMPLETED', 't2', 400n]);
});

test('what will never be mined is given up by a person, and waits to be sent again', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 0 });
  await settleDepartures(app);
  assert.equal((await transferOf(id)).state, 'SUBMITTED');
  await abandonDeparture(app, 't1', SAID);
  assert.deepEqual(await notedActs(world.app.db, 1), ['operator: custody-gone']);
  await settleDepartures(app);
  const again = await transferOf(id);
  assert.deepEqual([again.state, again.transaction], ['TO_SEND', undefined]);
  await assert.rejects(abandonDeparture(app, 't1', SAID), /no unconfirmed transaction/);
  await show('t1', [], { depth: 2 });
  await settleDepartures(app);
  const { state, transaction } = await transferOf(id);
  assert.deepEqual([state, transaction], ['COMPLETED', 't1'], 'it was mined all the same');
});

test('a transaction whose block is undone is waited for again', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 1 });
  await settleDepartures(app);
  await world.app.db.transact((tx) => undoDepartures(tx, LITECOIN, height - 1n));
  await settleDepartures(app);
  assert.equal((await transferOf(id)).state, 'SUBMITTED');
  await show('t1', [], { depth: 2 });
  assert.equal(await settleDepartures(app), 1);
  assert.equal((await transferOf(id)).state, 'COMPLETED');
});

const undo = () => world.app.db.transact((tx) => undoDepartures(tx, LITECOIN, height - 2n));

const eventsOf = async (id: string) => {
  const rows = await world.app.db.query<{ told: string }>(sql`
    select sequence || ' ' || type as told from event where subject_id = ${id} order by sequence`);
  return rows.map(({ told }) => told);
};

test('a booked departure whose block is undone is reversed, shown, and booked again when it is mined again', async () => {
  const id = await order();
  const before = [await custody(), await availableUnits(world, LTC)];
  await show('t1', [toPayee(9_999_500n)], { depth: 2 });
  await settleDepartures(app);
  const booked = [await custody(), await availableUnits(world, LTC)];
  assert.deepEqual(await listDepartures(app, 10), []);
  assert.deepEqual(await undo(), ['t1']);
  assert.equal(await settleDepartures(app), 1);
  assert.equal(await settleDepartures(app), 0, 'once');
  const [shown] = await listDepartures(app, 10);
  assert.equal(shown === undefined ? '' : departureView(shown).status, 'UNDONE');
  const { state, transaction, feeTakenUnits, finishedAt } = await transferOf(id);
  assert.deepEqual(
    [state, transaction, feeTakenUnits, finishedAt],
    ['SUBMITTED', 't1', undefined, undefined],
  );
  assert.deepEqual([await custody(), await availableUnits(world, LTC)], before);
  await show('t1', [], { depth: 1 });
  assert.deepEqual(await listDepartures(app, 10), []);
  assert.equal(await settleDepartures(app), 0);
  await show('t1', [], { depth: 2 });
  assert.equal(await settleDepartures(app), 1);
  assert.deepEqual([await custody(), await availableUnits(world, LTC)], booked);
  assert.deepEqual(await eventsOf(id), [
    '1 TRANSFER_COMPLETED',
    '2 TRANSFER_REOPENED',
    '3 TRANSFER_COMPLETED',
  ]);
});

test('undone twice, it is booked three times, and each entry says which it reverses', async () => {
  const id = await order();
  for (let time = 0; time < 3; time += 1) {
    await show('t1', [toPayee(9_999_500n)], { depth: 2, fee: 700n });
    assert.equal(await settleDepartures(app), 1);
    if (time < 2) await undo();
    if (time < 2) assert.equal(await settleDepartures(app), 1);
  }
  const { state, undoneCount } = await transferOf(id);
  assert.deepEqual([state, undoneCount], ['COMPLETED', 2]);
  const rows = await world.app.db.query<{ cause: string; corrected: string | null }>(sql`
    select e.cause_key as cause, c.cause_key as corrected from ledger_entry e
    left join ledger_entry c on c.id = e.corrects_entry
    where e.subject_id in (${id}, 'departure:1') and e.cause_key not like '%:reserve'
    order by e.id`);
  const completed = `transfer:${id}:complete`;
  assert.deepEqual(
    rows.map(({ cause, corrected }) => `${cause} <- ${corrected}`).toSorted(),
    [completed, 'departure:1:fee']
      .flatMap((cause) => [
        ...[cause, `${cause}:2`, `${cause}:3`].map((one) => `${one} <- null`),
        ...[cause, `${cause}:2`].map((one) => `reorganisation/${one} <- ${one}`),
      ])
      .toSorted(),
  );
  assert.equal(await houseUnits(world.app.db, 'network-fees', LTC), 200n);
});

test('what lands in place of what was undone is booked with its own fee', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 2, fee: 100n });
  await settleDepartures(app);
  await undo();
  await show('t2', [toPayee(9_999_500n)], { depth: 2, fee: 400n });
  await settleDepartures(app);
  await settleDepartures(app);
  const { state, transaction, feeTakenUnits } = await transferOf(id);
  assert.deepEqual([state, transaction, feeTakenUnits], ['COMPLETED', 't2', 400n]);
  assert.equal(await availableUnits(world, LTC), paid - 9_999_500n - 400n);
  assert.deepEqual(await listDepartures(app, 10), []);
});

test('where nothing shows what a transaction spends, the one in a block pays, not the one that was undone', async () => {
  const id = await order();
  const account = { spends: [] };
  await show('t1', [toPayee(9_999_500n)], { ...account, depth: 2, fee: 100n });
  await undo();
  await show('t2', [toPayee(9_999_500n)], { ...account, depth: 2, fee: 400n });
  await settleDepartures(app);
  const { state, transaction, feeTakenUnits } = await transferOf(id);
  assert.deepEqual([state, transaction, feeTakenUnits], ['COMPLETED', 't2', 400n]);
  await abandonDeparture(app, 't1', SAID);
  assert.deepEqual(await listDepartures(app, 10), []);
});

test('what is undone and never mined again is given up by a person, and its money goes back', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 2 });
  await settleDepartures(app);
  await undo();
  await settleDepartures(app);
  await abandonDeparture(app, 't1', SAID);
  await settleDepartures(app);
  assert.equal((await transferOf(id)).state, 'TO_SEND');
  await cancelSending(app, id, { ...SAID, isNotSent: true });
  assert.equal(await availableUnits(world, LTC), paid);
  assert.deepEqual((await eventsOf(id)).at(-1), '3 TRANSFER_FAILED');
});

test('a booked batch that is undone reopens each of its transfers, and cold storage is reversed with it', async () => {
  const before = await custody();
  const ids = [await order('0.1'), await order('0.02')];
  const sent = [toPayee(9_999_500n), toPayee(1_999_500n), { destination: 'cold', units: 7_000n }];
  await show('t1', sent, { depth: 2, fee: 1_300n });
  await settleDepartures(app);
  const [departure] = await listDepartures(app, 10);
  const part = { departureId: departure?.id ?? 0n, number: 3 };
  await explainDeparture(app, { ...part, purpose: 'OUTSIDE', ...SAID });
  await undo();
  const processes = [settleDepartures(app), settleDepartures(app), settleDepartures(app)];
  assert.equal(
    (await Promise.all(processes)).reduce((sum, one) => sum + one),
    2,
    'each once',
  );
  for (const id of ids) assert.equal((await transferOf(id)).state, 'SUBMITTED');
  assert.equal(await custody(), before);
  assert.equal(await houseUnits(world.app.db, 'outside:LITECOIN', LTC), 0n);
  assert.equal(await houseUnits(world.app.db, 'network-fees', LTC), 0n);
  await show('t1', [], { depth: 2 });
  assert.equal(await settleDepartures(app), 2);
  assert.equal(await houseUnits(world.app.db, 'outside:LITECOIN', LTC), 7_000n);
  assert.equal(await custody(), before - 9_999_500n - 1_999_500n - 7_000n - 1_300n);
});

test('undone when its transfer was completed and the rest of it not booked yet, the transfer is open again', async () => {
  const id = await order();
  const before = await custody();
  await show('t1', [toPayee(9_999_500n)], { depth: 2, fee: 700n });
  const { db } = world.app;
  let transactions = 0;
  const dying: typeof db = {
    ...db,
    transact(act, ...rest) {
      transactions += 1;
      // It is recognised, seen to be final, completed; then the rest would be booked.
      if (transactions === 4) throw new Error('the process dies');
      return db.transact(act, ...rest);
    },
  };
  await assert.rejects(settleDepartures({ ...app, db: dying }), /dies/);
  assert.equal((await transferOf(id)).state, 'COMPLETED');
  await undo();
  assert.equal(await settleDepartures(app), 1);
  assert.equal((await transferOf(id)).state, 'SUBMITTED');
  assert.equal(await custody(), before);
  await show('t1', [], { depth: 2 });
  assert.equal(await settleDepartures(app), 1);
  assert.equal(await custody(), before - 9_999_500n - 700n);
});

test('mined again in another block before anybody looked, it stays booked', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 2 });
  await settleDepartures(app);
  await undo();
  await show('t1', [], { depth: 1 });
  assert.equal(await settleDepartures(app), 0);
  assert.deepEqual(await eventsOf(id), ['1 TRANSFER_COMPLETED']);
});

test('a block that is undone between the look and the booking completes nothing', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 2 });
  const { db } = world.app;
  let transactions = 0;
  const undoing: typeof db = {
    ...db,
    async transact(act, ...rest) {
      transactions += 1;
      // The first recognises it, the second sees that it is final.
      if (transactions === 3) await db.transact((tx) => undoDepartures(tx, LITECOIN, height - 2n));
      return db.transact(act, ...rest);
    },
  };
  await settleDepartures({ ...app, db: undoing });
  assert.ok(transactions >= 3);
  assert.equal((await transferOf(id)).state, 'SUBMITTED');
  await show('t1', [], { depth: 2 });
  await settleDepartures(app);
  assert.equal((await transferOf(id)).state, 'COMPLETED');
});

test('two processes that settle at once book everything once', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 2, fee: 900n });
  await Promise.all([settleDepartures(app), settleDepartures(app), settleDepartures(app)]);
  await settleDepartures(app);
  assert.equal((await transferOf(id)).state, 'COMPLETED');
  assert.equal(await houseUnits(world.app.db, 'network-fees', LTC), 400n);
});

test('the operator’s own moves: change is silent, cold storage is explained, its fee is booked', async () => {
  const before = await custody();
  const sent = [
    { destination: 'change', units: 5_000n, isOwn: true },
    { destination: 'cold', units: 1_000_000n },
  ];
  await show('t1', sent, { depth: 2, fee: 300n });
  await settleDepartures(app);
  assert.equal(await custody(), before - 300n);
  const [departure, ...others] = await listDepartures(app, 10);
  assert.deepEqual(others, []);
  const part = { departureId: departure?.id ?? 0n, number: 2 };
  await explainDeparture(app, { ...part, purpose: 'OUTSIDE', ...SAID });
  const noted = ['operator: custody-explain'];
  assert.deepEqual(await notedActs(world.app.db, 1), noted);
  assert.deepEqual(await listDepartures(app, 10), []);
  assert.equal(await houseUnits(world.app.db, 'outside:LITECOIN', LTC), 1_000_000n);
  assert.equal(await custody(), before - 1_000_300n);
  await assert.rejects(
    explainDeparture(app, { ...part, purpose: 'LOST', ...SAID }),
    (error) => error instanceof Refusal && error.code === 'departure_explained',
  );
  assert.deepEqual((await notedActs(world.app.db, 2)).slice(-1), noted, 'once');
});

test('nobody says of what pays a waiting transfer that it was something else', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 2, fee: 0n });
  const [departure] = await listDepartures(app, 10);
  const part = { departureId: departure?.id ?? 0n, number: 1 };
  await assert.rejects(
    explainDeparture(app, { ...part, purpose: 'OUTSIDE', ...SAID }),
    (error) => error instanceof Refusal && error.code === 'departure_carries_transfer',
  );
  await settleDepartures(app);
  assert.equal((await transferOf(id)).state, 'COMPLETED');
});

test('nor of what took the place of what pays a transfer, before anybody has looked', async () => {
  const id = await order();
  await show('t1', [toPayee(9_999_500n)], { depth: 0 });
  await settleDepartures(app);
  await show('t2', [toPayee(9_999_500n)], { depth: 1, fee: 300n });
  const departures = await listDepartures(app, 9);
  const departureId = departures.find(({ transaction }) => transaction === 't2')?.id ?? 0n;
  await assert.rejects(
    explainDeparture(app, { departureId, number: 1, purpose: 'LOST', ...SAID }),
    (error) => error instanceof Refusal && error.code === 'departure_carries_transfer',
  );
  await settleDepartures(app);
  await settleDepartures(app);
  const { state, transaction } = await transferOf(id);
  assert.deepEqual([state, transaction], ['SUBMITTED', 't2']);
});

test('a coin that is known to be ours only later counts in the fee, until that is booked', async () => {
  const before = await custody();
  const back = [{ destination: 'ours', units: 20_000_000n, isOwn: true }];
  const both = { spends: ['ours:0', 'ours:1'], fee: 300n };
  await show('t1', back, { depth: 0, spends: ['ours:0'], fee: 'unknown' });
  await show('t1', back, { ...both, depth: 1 });
  await show('t1', back, { depth: 2, spends: ['ours:0'], fee: 'unknown' });
  await settleDepartures(app);
  assert.equal(await custody(), before - 300n);
  await show('t1', back, { ...both, depth: 2, fee: 900n });
  await settleDepartures(app);
  assert.equal(await custody(), before - 300n);
});

test('a consolidation costs its fee and nothing else', async () => {
  const before = await custody();
  await show('t1', [{ destination: 'ours', units: 1_000_000n, isOwn: true }], { depth: 2 });
  await settleDepartures(app);
  assert.equal(await custody(), before - 200n);
  assert.equal(await houseUnits(world.app.db, 'network-fees', LTC), 200n);
  assert.deepEqual(await listDepartures(app, 10), []);
});

test('a transfer whose row was changed in the database is carried by nothing', async () => {
  const id = await order();
  const account = (address: string) => JSON.stringify({ address });
  const change = (address: string) =>
    world.app.db.single((tx) =>
      tx.query(sql`update transfer set account = ${account(address)} where id = ${id}`),
    );
  await change('attacker');
  await show('t1', [{ destination: 'attacker', units: 9_999_500n }], { depth: 2, fee: 0n });
  await settleDepartures(app);
  assert.equal((await transferOf(id)).state, 'TO_SEND');
  await change(PAYER_ADDRESS);
  const [departure] = await listDepartures(app, 10);
  const part = { departureId: departure?.id ?? 0n, number: 1 };
  await explainDeparture(app, { ...part, purpose: 'LOST', ...SAID });
  await cancelSending(app, id, { ...SAID, isNotSent: true });
});

async function waitingPart(): Promise<{ departureId: bigint; number: number }> {
  const [departure] = await listDepartures(app, 10);
  return { departureId: departure?.id ?? 0n, number: 1 };
}

const elsewhere: Sent = { destination: 'the same receiver, named otherwise', units: 9_999_500n };

test('a part that could not be recognised is tied to its transfer by a person, before it is booked', async () => {
  const id = await order();
  await show('t1', [elsewhere], { depth: 1 });
  await settleDepartures(app);
  const tied = await settlePart(app, { ...(await waitingPart()), transferId: id, ...SAID });
  assert.deepEqual([tied.state, tied.transaction], ['SUBMITTED', 't1']);
  assert.deepEqual(await notedActs(world.app.db, 1), ['operator: custody-settle']);
  assert.deepEqual(await listDepartures(app, 10), []);
  await show('t1', [], { depth: 2 });
  assert.equal(await settleDepartures(app), 1);
  const done = await transferOf(id);
  assert.deepEqual([done.state, done.feeTakenUnits], ['COMPLETED', 200n]);
  const [entry] = await world.app.db.query<{ evidence: string }>(sql`
    select evidence::text from ledger_entry where cause_key = ${`transfer:${id}:complete`}`);
  assert.match(entry?.evidence ?? '', /operator.*moved to cold storage/s);
});

test('one that is booked already completes the transfer at once; its fee stays the house’s', async () => {
  const id = await order();
  const before = await custody();
  await show('t1', [elsewhere], { depth: 2 });
  await settleDepartures(app);
  const tied = await settlePart(app, { ...(await waitingPart()), transferId: id, ...SAID });
  assert.deepEqual([tied.state, tied.feeTakenUnits, tied.transaction], ['COMPLETED', 0n, 't1']);
  const noted = ['operator: custody-settle', 'operator: transfer-complete'];
  assert.deepEqual(await notedActs(world.app.db, 2), noted);
  assert.equal(await custody(), before - 9_999_500n - 200n);
  assert.equal(await houseUnits(world.app.db, 'network-fees', LTC), 200n);
  assert.deepEqual(await listDepartures(app, 10), []);
  assert.equal(await settleDepartures(app), 0);
});

test('one that its receiver has to fetch says where it lies, booked before or not', async () => {
  const claimable = { id: `00000000${'c5'.repeat(32)}`, reclaimableAt: undefined };
  for (const depth of [1, 2]) {
    const id = await order();
    await show(`left at ${depth}`, [{ ...elsewhere, claimable }], { depth });
    await settleDepartures(app);
    await settlePart(app, { ...(await waitingPart()), transferId: id, ...SAID });
    assert.deepEqual((await transferOf(id)).claimable, { id: claimable.id, reclaimableAt: null });
    await show(`left at ${depth}`, [], { depth: 2 });
    await settleDepartures(app);
  }
});

test('what does not fit is not tied, and what was tied is undone aloud', async () => {
  const [id, other] = [await order('0.1'), await order('0.05')];
  await show('t1', [elsewhere], { depth: 0 });
  await settleDepartures(app);
  const part = await waitingPart();
  const tie = (transferId: string, number = 1) =>
    settlePart(app, { ...part, number, transferId, ...SAID });
  await assert.rejects(tie(other), /the part is 0\.099995 LTC, the transfer pays 0\.049995 LTC/);
  await assert.rejects(tie(id, 7), /no such part/);
  await tie(id);
  await assert.rejects(tie(id), /TRANSFER already/);
  // Another transaction spends the same: what the person said holds no more.
  await show('t2', [{ destination: 'x', units: 1n, isOwn: true }], { depth: 2 });
  const said: string[] = [];
  const warn = (sentence: string) => said.push(sentence);
  await settleDepartures({ ...app, log: { ...app.log, warn } });
  assert.equal((await transferOf(id)).state, 'TO_SEND');
  assert(said.some((one) => one.startsWith('what a person settled is undone')));
});
