// Transfers that wait at the same time, in one transaction that the signer signs.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { writeDepartures } from '#chain/write-departures.ts';
import { settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import type { DraftedTransaction, DraftOrder } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { createRefund } from '#refund/create-refund.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { PAYER_ADDRESS, payCheckout, sender } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { cancelSending, showSending } from '#transfer/send-by-hand.ts';
import { listTransfersByIds, type Transfer } from '#transfer/transfer.ts';
import { carryOutActs, decideSending } from './carry-out-acts.ts';
import { type SendBySignerApp, sendBySigner } from './send-by-signer.ts';

const LITECOIN = chainOf('test', 'LITECOIN');
const LTC = 'LTC:NATIVE';
type Answer = Awaited<ReturnType<SendBySignerApp['signer']['sign']>>;
/** What is done to one of them while others work. */
type Meddle = (id: string) => Promise<unknown>;

let world: TestApp;
let app: SendBySignerApp & Parameters<typeof runTransfers>[0];
let asked: SignOrder[];
let broadcast: string[];
/** What each transaction pays, and spends. */
let drafts: { readonly paid: readonly string[]; readonly spends: readonly string[] }[];
let answer: (order: SignOrder) => Answer | Promise<Answer>;
let duringDraft: () => Promise<unknown>;
/** Transfers whose payment is gone, and those of which nobody knows it. */
let takenBack: Set<string>;
let uncertain: Set<string>;
/** Coins that a final block spends. */
let spent: Set<string>;
/** Payments that one draft can hold. */
let most: number;

const signs = ({ unsigned }: SignOrder): Answer => ({
  outcome: 'SIGNED',
  signedTransaction: `signed ${unsigned}`,
});
const idsIn = ({ id, beside = [] }: SignOrder) => [id, ...beside].toSorted();

/** As of a node with three coins, of which each pays for anything. */
async function draft({ payments, taken, replaces }: DraftOrder): Promise<DraftedTransaction> {
  await duringDraft();
  if (payments.length > most) throw new Refusal('conflict', 'draft_refused', 'too much at once');
  const replaced = replaces === undefined ? undefined : drafts[Number(replaces) - 1]?.spends;
  const free = ['coin:1', 'coin:2', 'coin:3'].find((coin) => !taken.has(coin) && !spent.has(coin));
  const spends = replaced ?? (free === undefined ? [] : [free]);
  if (spends.length === 0) throw new Refusal('conflict', 'draft_refused', 'too little is left');
  drafts.push({ paid: payments.map(({ transferId }) => transferId), spends });
  const text = String(drafts.length);
  const shape = { frames: [], changeUnits: 0n, inputs: 1, virtualSize: 100 };
  return { format: 'PSBT', text, terms: text, spends, feeUnits: 1n, ...shape };
}

beforeEach(async () => {
  world = await openTestApp({ connections: 10 });
  await world.observe('LITECOIN');
  // What pays the fees of refunds.
  await payCheckout(world, await world.create());
  [asked, broadcast, drafts, answer, most] = [[], [], [], signs, 50];
  duringDraft = async () => undefined;
  [takenBack, uncertain, spent] = [new Set(), new Set(), new Set()];
  const network: Pick<Watcher, 'draft' | 'sender'> = {
    draft,
    sender: {
      async readSigned({ terms, returned }) {
        if (Buffer.from(returned).toString() === `signed ${terms}`) {
          return { signedTransaction: `bytes ${terms}`, transaction: `hash ${terms}` };
        }
        throw new Refusal('conflict', 'signed_transaction_differs', 'it is another one');
      },
      broadcast: async ({ transaction }) => void broadcast.push(transaction),
    },
  };
  const byHand = {
    chain: LITECOIN,
    networkFeeUnits: () => 500n,
    instruct: () => ({ link: undefined }),
    destinationOf: (account: { readonly [field: string]: string }) => account.address,
  };
  const { refunds: of, ...sending } = sender(world);
  const hold: typeof of.hold = async (tx, transfer) => {
    if (takenBack.has(transfer.id)) return { kind: 'never', reason: 'taken back' };
    return uncertain.has(transfer.id)
      ? { kind: 'wait', reason: 'not certain now' }
      : of.hold(tx, transfer);
  };
  app = {
    ...sending,
    refunds: { ...of, hold },
    executors: new Map([[LITECOIN, byHand]]),
    networks: new Map([[LITECOIN, network]]),
    processId: 'one',
    signer: {
      async sign(order) {
        asked.push(order);
        return answer(order);
      },
    },
  };
});
afterEach(async () => {
  const { db } = world.app;
  const now = world.clock.now();
  const broken = await checkInvariants(db, { now, settled: true, settleApp: world.app });
  await world.close();
  assert.deepEqual(broken, []);
});

/** Ids of as many refunds that wait, sorted. */
async function refunds(count: number): Promise<[string, ...string[]]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const checkoutId = await world.create();
    await payCheckout(world, checkoutId);
    const nothing = { amount: undefined, network: undefined, asset: undefined };
    const request = { ...nothing, kind: 'full', address: PAYER_ADDRESS, checkoutId } as const;
    const refundApp = { ...app, ...world.app, executors: app.executors };
    ids.push((await createRefund(refundApp, world.caller, request)).transferId);
  }
  await runTransfers(app);
  return ids.toSorted() as [string, ...string[]];
}

const step = () => sendBySigner(app, LITECOIN);
const rowsOf = (ids: readonly string[]) => listTransfersByIds(app.db, ids);
async function textsOf(ids: readonly string[], of: (row: Transfer) => string | undefined) {
  return (await rowsOf(ids)).map(of);
}
const transactionsOf = (ids: readonly string[]) => textsOf(ids, ({ transaction }) => transaction);
/** What was sent pays them, and nobody else. */
const paidBy = (transaction: string) => drafts[Number(transaction.slice(5)) - 1]?.paid;

test('what waits at once is one transaction, and each order is named to the signer', async () => {
  const ids = await refunds(3);
  assert.equal(await step(), 3);
  const [order, ...more] = asked;
  assert(order !== undefined && more.length === 0);
  assert.deepEqual(idsIn(order), ids);
  const rows = await rowsOf([order.id, ...(order.beside ?? [])]);
  const units = new Map(rows.map(({ id, targetUnits }) => [id, targetUnits]));
  assert.deepEqual(
    order.payments.map((one) => one.units),
    [order.id, ...(order.beside ?? [])].map((id) => units.get(id)),
  );
  assert.deepEqual(await transactionsOf(ids), ['hash 1', 'hash 1', 'hash 1']);
  // What comes later goes by itself, and what was sent is sent again once.
  const [late] = await refunds(1);
  assert.equal(await step(), 4);
  assert.deepEqual(idsIn(asked[1] ?? assert.fail()), [late]);
  assert.deepEqual(broadcast.toSorted(), ['hash 1', 'hash 1', 'hash 2']);
});

const show: Meddle = (id) => showSending(app, id);
const cancel: Meddle = (id) =>
  cancelSending(app, id, { actor: 'merchant', reason: 'changed my mind', isNotSent: true });
const takeBack: Meddle = async (id) => void takenBack.add(id);
const MEDDLES: readonly (readonly [string, Meddle])[] = [
  ['that a person was told to send', show],
  ['that is cancelled', cancel],
  ['whose payment was taken back', takeBack],
];

for (const [what, meddle] of MEDDLES) {
  test(`one ${what} falls out, whenever that is, and the others go`, async () => {
    const [before, while1, while2, ...others] = await refunds(5);
    assert(while1 !== undefined && while2 !== undefined);
    await meddle(before);
    duringDraft = async () => {
      duringDraft = async () => undefined;
      await meddle(while1);
    };
    answer = async (order) => {
      answer = signs;
      await meddle(while2);
      return signs(order);
    };
    for (let turn = 0; turn < 4; turn += 1) await step();
    const sent = new Set(broadcast.flatMap((transaction) => paidBy(transaction) ?? []));
    assert.deepEqual([...sent].toSorted(), others);
    assert.deepEqual(await transactionsOf([before, while1, while2]), [
      undefined,
      undefined,
      undefined,
    ]);
    // What the signer signed for all of them can land beside nothing that was sent.
    for (const transaction of broadcast) {
      const { spends = [], paid = [] } = drafts[Number(transaction.slice(5)) - 1] ?? {};
      for (const one of asked.filter((order) => idsIn(order).some((id) => paid.includes(id)))) {
        assert(one.facts.spends?.some((coin) => spends.includes(coin)));
      }
    }
  });
}

test('signed, cancelled and given to a person at the same moment: each has one end', async () => {
  const ids = await refunds(4);
  const [first, second = ''] = ids;
  const other = { ...app, processId: 'two' };
  const both = [step(), sendBySigner(other, LITECOIN)];
  await Promise.allSettled([...both, cancel(first), show(second)]);
  for (let turn = 0; turn < 3; turn += 1) await step();
  const paid = new Set(broadcast.flatMap((transaction) => paidBy(transaction) ?? []));
  for (const { id, state, transaction } of await rowsOf(ids)) {
    assert.equal(paid.has(id), transaction !== undefined, `${id} is ${state}`);
    assert.equal(ids.indexOf(id) > 1 && !paid.has(id), false, `${id} waits`);
    assert(!(paid.has(id) && state === 'FAILED'), `${id} is sent and given back`);
  }
});

test('what was asked while one was cancelled is asked anew for the others, out of the same coins', async () => {
  const [gone, ...others] = await refunds(3);
  answer = () => ({ outcome: 'AWAY', reason: 'nobody listens' });
  await assert.rejects(step(), Outage);
  await cancel(gone);
  await assert.rejects(step(), Outage);
  answer = signs;
  assert.equal(await step(), 2);
  const last = asked.at(-1) ?? assert.fail();
  assert.deepEqual([idsIn(last), last.facts.spends], [others, asked[0]?.facts.spends]);
  assert.deepEqual(await transactionsOf(others), ['hash 2', 'hash 2']);
});

test('an answer that was lost is asked for again in the same bytes', async () => {
  const ids = await refunds(2);
  answer = () => ({ outcome: 'AWAY', reason: 'nobody listens' });
  await assert.rejects(step(), Outage);
  await assert.rejects(step(), Outage);
  answer = signs;
  assert.equal(await step(), 2);
  assert.deepEqual(
    [asked.map(({ unsigned }) => unsigned), broadcast],
    [['1', '1', '1'], ['hash 1']],
  );
  assert.deepEqual(asked.map(idsIn), [ids, ids, ids]);
});

test('what is refused together is asked for one by one, and one refusal holds up nobody', async () => {
  const [large, ...others] = await refunds(3);
  answer = (order) =>
    idsIn(order).includes(large)
      ? { outcome: 'NOT_NOW', reason: 'sign approve 0000-1111-2222-3333' }
      : signs(order);
  assert.equal(await step(), 0);
  assert.equal(await step(), 2);
  assert.deepEqual(
    asked.map(idsIn).slice(1).toSorted(),
    [large, ...others].map((id) => [id]),
  );
  const heldUp = await textsOf([large, ...others], (row) => row.heldUp);
  assert.deepEqual(heldUp, ['sign approve 0000-1111-2222-3333', undefined, undefined]);
  assert.equal(new Set(await transactionsOf(others)).size, 2);
  await step();
  assert.equal(asked.length, 4, 'it is not asked every second');
  await world.clock.advance(31_000);
  answer = signs;
  await step();
  assert.notEqual((await transactionsOf([large]))[0], undefined);
});

test('what cannot be drafted together is drafted in halves', async () => {
  const ids = await refunds(5);
  most = 2;
  assert.equal(await step(), 5);
  const sizes = asked.map((order) => idsIn(order).length);
  assert.deepEqual(sizes, [2, 1, 2]);
  assert.deepEqual(asked.flatMap(idsIn).toSorted(), ids);
});

test('what replaces it keeps all orders, and a decision is about all of them', async () => {
  const ids = await refunds(2);
  await step();
  const said = { actor: 'anna', reason: 'too slow', isSentAgain: false };
  await decideSending(app, [ids[0]], { ...said, act: 'BUMP', feeRate: 7n });
  await step();
  assert.deepEqual(asked.map(idsIn), [ids, ids]);
  assert.deepEqual(await transactionsOf(ids), ['hash 2', 'hash 2']);
  await carryOutActs(app);
  await world.clock.advance(11 * 60_000);
  await step();
  assert.deepEqual(asked.map(idsIn), [ids, ids, ids]);
  const wish = { ...said, act: 'CANCEL', feeRate: undefined } as const;
  await assert.rejects(decideSending(app, [ids[0]], wish), (error) => {
    const text = String(error);
    return (
      error instanceof Refusal &&
      ids.every((id) => text.includes(id)) &&
      /pays others too/.test(text)
    );
  });
  const one = { actor: 'merchant', reason: 'changed my mind', isNotSent: true };
  await assert.rejects(cancelSending(app, ids[0], one), /signed as hash 3, which can still land/);
  await decideSending(app, ids, wish);
  await step();
  const cancelled = asked.at(-1) ?? assert.fail();
  assert.deepEqual([cancelled.kind, cancelled.payments, idsIn(cancelled)], ['CANCEL', [], ids]);
});

/** A block that is final has it, with this fee. */
async function land(transaction: string, ids: readonly string[], fee: bigint): Promise<void> {
  const parts = (await rowsOf(ids)).map(({ targetUnits: units }, at) => {
    const creditKey = `${transaction}:${at}`;
    return { creditKey, assetId: LTC, isOwn: false, destination: PAYER_ADDRESS, units };
  });
  const [row] = await app.db.query<{ height: bigint }>(sql`
    select height from chain_cursor where chain = ${LITECOIN}`);
  const { spends = [] } = drafts[Number(transaction.slice(5)) - 1] ?? {};
  const block = { height: (row?.height ?? 0n) - 1n, hash: 'block' };
  const departure = { transaction, spends, fee: { assetId: LTC, units: fee }, block, parts };
  const written = { seenAt: world.clock.now(), requiredOf: () => 2 };
  await app.db.transact(async (tx) => writeDepartures(tx, LITECOIN, [departure], written));
  for (const coin of spends) spent.add(coin);
  await settleDepartures({ ...app, networks: new Map(), log: silentLog });
}

test('each pays its share of what the network took, to the unit', async () => {
  const ids = await refunds(3);
  await step();
  await land('hash 1', ids, 1_001n);
  const rows = await rowsOf(ids);
  assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['COMPLETED']));
  const fees = rows.map(({ feeTakenUnits = 0n }) => feeTakenUnits);
  assert.deepEqual(fees.map(String).toSorted(), ['333', '334', '334']);
});

test('what had to wait while the others went is sent when what may have been signed is dead', async () => {
  const [late, ...others] = await refunds(3);
  answer = () => ({ outcome: 'AWAY', reason: 'it signed, and died before it answered' });
  await assert.rejects(step(), Outage);
  [answer] = [signs, uncertain.add(late)];
  await step();
  assert.deepEqual(await transactionsOf([late, ...others]), [undefined, 'hash 2', 'hash 2']);
  uncertain.clear();
  await step();
  // Beside what was sent for the others it would be signed out of their coins, or beside them.
  assert.deepEqual(asked.map(idsIn).slice(1), [others]);
  assert.match((await textsOf([late], (row) => row.heldUp))[0] ?? '', /pays other transfers/);
  await land('hash 2', others, 3n);
  await step();
  const last = asked.at(-1) ?? assert.fail();
  assert.deepEqual([idsIn(last), last.facts.isAnew], [[late], true]);
  assert.equal(paidBy((await transactionsOf([late]))[0] ?? '')?.join(), late);
});
