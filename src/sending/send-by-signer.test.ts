import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { timestamp } from '#base/instant.ts';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { writeDepartures } from '#chain/write-departures.ts';
import { settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import type { DraftedTransaction } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { createRefund } from '#refund/create-refund.ts';
import { nameProcess } from '#runtime/process-lock.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { notedActs } from '#test/support/noted-acts.ts';
import { PAYER_ADDRESS, payCheckout, sender } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { concludeTransfer } from '#transfer/conclude-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { cancelSending, sendingView, showSending } from '#transfer/send-by-hand.ts';
import { listTransfersByIds } from '#transfer/transfer.ts';
import { listLiveOf } from './attempt.ts';
import { carryOutActs, decideSending, findStuck } from './carry-out-acts.ts';
import { type SendBySignerApp, sendBySigner } from './send-by-signer.ts';

const LITECOIN = chainOf('test', 'LITECOIN');
type Answer = Awaited<ReturnType<SendBySignerApp['signer']['sign']>>;

let world: TestApp;
let app: SendBySignerApp & Parameters<typeof runTransfers>[0];
let broadcast: string[];
let asked: SignOrder[];
let answer: (order: SignOrder) => Answer;
let turn: string;
let drafts: number;
/** The fee rate that the last draft was asked for. */
let wished: bigint | undefined;
let refuses: (transaction: string) => boolean;
/** What the last draft was told that others spend. */
let taken: readonly string[];

/** As the signer does: the same bytes for the same order. */
const signs = ({ unsigned }: SignOrder): Answer => ({
  outcome: 'SIGNED',
  signedTransaction: `signed ${unsigned}`,
});

beforeEach(async () => {
  world = await openTestApp();
  refuses = () => false;
  await world.observe('LITECOIN');
  // What pays the fee of a refund.
  await payCheckout(world, await world.create());
  [broadcast, asked, answer, turn, drafts] = [[], [], signs, 'account/1', 0];
  const byHand = {
    chain: LITECOIN,
    networkFeeUnits: () => 500n,
    instruct: () => ({ link: undefined }),
    destinationOf: (account: { readonly [field: string]: string }) => account.address,
  };
  const network: Pick<Watcher, 'draft' | 'sender'> = {
    async draft(order) {
      taken = [...order.taken];
      wished = order.feeRate;
      return drafted();
    },
    sender: {
      async readSigned({ terms, returned }) {
        if (Buffer.from(returned).toString() === `signed ${terms}`) {
          return { signedTransaction: `bytes ${terms}`, transaction: `hash ${terms}` };
        }
        throw new Refusal('conflict', 'signed_transaction_differs', 'it is another one');
      },
      async broadcast({ transaction }) {
        broadcast.push(transaction);
        if (refuses(transaction)) {
          throw new Refusal('conflict', 'transaction_not_taken', 'the fee is too low');
        }
      },
      isOver: async () => false,
    },
  };
  app = {
    ...sender(world),
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

function drafted(): DraftedTransaction {
  drafts += 1;
  return {
    format: 'transaction',
    text: String(drafts),
    json: undefined,
    links: [],
    from: 'account',
    sequence: BigInt(turn.split('/')[1] ?? ''),
    feeUnits: 1n,
    feeAssetId: 'LTC:NATIVE',
    until: undefined,
    terms: String(drafts),
    spends: [turn],
  };
}

async function refund(): Promise<string> {
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const nothing = { amount: undefined, network: undefined, asset: undefined };
  const request = { ...nothing, kind: 'full', address: PAYER_ADDRESS, checkoutId } as const;
  const refundApp = { ...app, ...world.app, executors: app.executors };
  const { transferId } = await createRefund(refundApp, world.caller, request);
  await runTransfers(app);
  return transferId;
}

async function heldUp(id: string): Promise<string | undefined> {
  const [row] = await world.app.db.query<{ text: string | null }>(
    sql`select held_up as text from transfer where id = ${id}`,
  );
  return row?.text ?? undefined;
}

async function kept(): Promise<number> {
  return (await world.app.db.query(sql`select id from attempt`)).length;
}

const step = () => sendBySigner(app, LITECOIN);

test('the signer is asked for exactly the order, and what it signs is sent', async () => {
  const id = await refund();
  assert.equal(await step(), 1);
  const { targetUnits: units = 0n } =
    (
      await world.app.db.query<{ targetUnits: bigint }>(
        sql`select target_units as "targetUnits" from transfer where id = ${id}`,
      )
    )[0] ?? {};
  const { unsigned, ...order } = asked[0] ?? assert.fail();
  assert.deepEqual(order, {
    id,
    environment: 'test',
    network: 'LITECOIN',
    kind: 'PAY',
    payments: [{ assetId: 'LTC:NATIVE', units, account: { address: PAYER_ADDRESS } }],
    feeUnits: 1n,
    facts: { source: 'account', sequence: 1n },
  });
  assert.deepEqual([unsigned, broadcast], ['1', ['hash 1']]);
  // Until it is seen it is sent again, and not signed again.
  await step();
  assert.deepEqual([asked.length, broadcast], [1, ['hash 1', 'hash 1']]);
});

test('what the signer was asked to spend is not free for others: it may have signed it', async () => {
  const [early, late] = [await refund(), await refund()];
  const handOver = (state: string) =>
    world.app.db.query(sql`update transfer set state = ${state} where id = ${early}`);
  // Committed first, handed over last.
  await handOver('RESERVED');
  answer = () => ({ outcome: 'AWAY', reason: 'it signed, and died before it answered' });
  await assert.rejects(step(), Outage);
  await handOver('TO_SEND');
  answer = signs;
  turn = 'account/2';
  await step();
  assert.deepEqual(
    asked.map(({ id }) => id),
    [late, early, late],
  );
  assert.deepEqual(taken, ['account/1']);
});

test('an answer that was lost is asked for again in the same bytes', async () => {
  await refund();
  const isAway = (): Answer => ({ outcome: 'AWAY', reason: 'nobody listens' });
  answer = isAway;
  await assert.rejects(step(), Outage);
  await assert.rejects(step(), Outage);
  answer = signs;
  await step();
  assert.deepEqual(
    asked.map(({ unsigned }) => unsigned),
    ['1', '1', '1'],
  );
  assert.deepEqual([drafts, broadcast], [1, ['hash 1']]);
});

test('what the signer refuses, or wants a second person for, waits with its reason', async () => {
  const id = await refund();
  answer = () => ({ outcome: 'NOT_NOW', reason: 'the signer refuses it: the cap is 0.5' });
  await step();
  assert.equal(await heldUp(id), 'the signer refuses it: the cap is 0.5');
  answer = () => ({ outcome: 'NOT_NOW', reason: 'sign approve 0000-1111-2222-3333' });
  await step();
  assert.equal(asked.length, 1, 'it is not asked every second');
  await world.clock.advance(31_000);
  await step();
  assert.match((await heldUp(id)) ?? '', /sign approve 0000-1111-2222-3333$/);
  answer = signs;
  await world.clock.advance(31_000);
  await step();
  assert.deepEqual([await heldUp(id), broadcast], [undefined, ['hash 3']]);
  assert.equal(await kept(), 1, 'what was refused makes room');
});

test('nothing that a person was told to send is sent by itself', async () => {
  const id = await refund();
  await showSending(app, id);
  await step();
  assert.deepEqual([asked, broadcast], [[], []]);
  assert.match((await heldUp(id)) ?? '', /somebody was told/);
});

test('a person that is told while the signer signs is the one who sends', async () => {
  const id = await refund();
  let told: Promise<unknown> = Promise.resolve();
  const { signer } = app;
  app = {
    ...app,
    signer: {
      async sign(order) {
        told = showSending(app, id);
        await told;
        return signer.sign(order);
      },
    },
  };
  await step();
  await told;
  assert.deepEqual(broadcast, []);
  assert.match((await heldUp(id)) ?? '', /somebody was told/);
});

test('a merchant takes nothing back that the signer was asked for', async () => {
  const id = await refund();
  answer = () => ({ outcome: 'NOT_NOW', reason: 'sign approve 0000-1111-2222-3333' });
  await step();
  const said = { actor: 'merchant', reason: 'changed my mind', isNotSent: false };
  await assert.rejects(cancelSending(app, id, said), /somebody was told/);
  await cancelSending(app, id, { ...said, isNotSent: true });
  answer = signs;
  await world.clock.advance(31_000);
  assert.equal(await step(), 0);
  assert.deepEqual(broadcast, []);
});

test('what would spend what another signed transaction spends is never put before the signer', async () => {
  await refund();
  await step();
  const second = await refund();
  await step();
  assert.equal(asked.length, 1);
  assert.match((await heldUp(second)) ?? '', /pays other transfers/);
  turn = 'account/2';
  await step();
  assert.deepEqual(
    asked.map(({ facts }) => facts.sequence),
    [1n, 2n],
  );
});

test('what is in no block after a while is drafted again, and the newer is sent', async () => {
  await refund();
  await step();
  await world.clock.advance(11 * 60_000);
  await step();
  assert.deepEqual(
    asked.map(({ unsigned, facts }) => [unsigned, facts.sequence]),
    [
      ['1', 1n],
      ['2', 1n],
    ],
  );
  await step();
  assert.deepEqual(broadcast, ['hash 1', 'hash 1', 'hash 2', 'hash 2']);
});

test('while the signer refuses a higher fee, what it signed before is sent again', async () => {
  const id = await refund();
  await step();
  answer = () => ({ outcome: 'NOT_NOW', reason: 'the cap is 0.5' });
  for (const minutes of [11, 0, 1]) {
    await world.clock.advance(minutes * 60_000);
    await step();
  }
  assert.deepEqual(broadcast, ['hash 1', 'hash 1', 'hash 1', 'hash 1']);
  assert.deepEqual([asked.length, await heldUp(id)], [3, 'the cap is 0.5']);
});

test('what the node does not take any more is drafted again all the same', async () => {
  await refund();
  await step();
  await world.clock.advance(11 * 60_000);
  refuses = (transaction) => transaction === 'hash 1';
  await step();
  await step();
  await world.clock.advance(11 * 60_000);
  await step();
  assert.deepEqual(broadcast.slice(1), ['hash 1', 'hash 2', 'hash 2', 'hash 2', 'hash 3']);
});

/** As if the chain had shown it: `depth` 0 is the mempool. */
async function show(transaction: string, paid: bigint | undefined, depth: number): Promise<void> {
  const [row] = await app.db.query<{ height: bigint }>(sql`
    select height from chain_cursor where chain = ${LITECOIN}`);
  const height = (row?.height ?? 0n) - BigInt(depth) + 1n;
  const part = { creditKey: `${transaction}:0`, assetId: 'LTC:NATIVE', isOwn: false };
  const departure = {
    transaction,
    spends: [turn],
    fee: { assetId: 'LTC:NATIVE', units: 1n },
    block: depth === 0 ? undefined : { height, hash: 'block' },
    parts: paid === undefined ? [] : [{ ...part, destination: PAYER_ADDRESS, units: paid }],
  };
  const written = { seenAt: world.clock.now(), requiredOf: () => 2 };
  await app.db.transact(async (tx) => writeDepartures(tx, LITECOIN, [departure], written));
}

const rowOf = async (id: string) => (await listTransfersByIds(app.db, [id]))[0] ?? assert.fail();

test('what the network shows and does not mine is replaced, and whichever lands counts', async () => {
  const id = await refund();
  await step();
  const { targetUnits } = await rowOf(id);
  await show('hash 1', targetUnits, 0);
  await settleDepartures(departures());
  assert.equal((await rowOf(id)).state, 'SUBMITTED');
  await world.clock.advance(59 * 60_000);
  await step();
  assert.equal(asked.length, 1);
  await world.clock.advance(2 * 60_000);
  await step();
  assert.deepEqual([asked.length, broadcast.at(-1)], [2, 'hash 2']);
  // The newer one pushes the other out of the mempool.
  await show('hash 2', targetUnits, 0);
  await settleDepartures(departures());
  assert.deepEqual(await attemptsLive(), ['hash 1', 'hash 2']);
  const { state, transaction } = await rowOf(id);
  assert.deepEqual([state, transaction], ['SUBMITTED', 'hash 2']);
  // And then the other one is mined all the same.
  await show('hash 1', targetUnits, 2);
  await settleDepartures(departures());
  await settleDepartures(departures());
  const done = await rowOf(id);
  assert.deepEqual([done.state, done.transaction], ['COMPLETED', 'hash 1']);
});

const attemptsLive = async () =>
  (await listLiveOf(app.db, LITECOIN)).map(({ transaction }) => transaction);
const departures = () => ({ ...app, networks: new Map(), log: silentLog });

test('a block that takes it is waited for, whatever was decided', async () => {
  const id = await refund();
  await step();
  await show('hash 1', (await rowOf(id)).targetUnits, 1);
  await settleDepartures(departures());
  await decideSending(app, [id], { ...SAID, act: 'BUMP', feeRate: 5n, isSentAgain: false });
  await step();
  assert.equal(asked.length, 1);
  assert.match((await heldUp(id)) ?? '', /in a block already/);
});

const SAID = { actor: 'anna', reason: 'too slow' };
const CANCEL = { ...SAID, act: 'CANCEL', feeRate: undefined, isSentAgain: false } as const;

test('a person has another one with a higher fee, at once', async () => {
  const id = await refund();
  await step();
  await decideSending(app, [id], { ...SAID, act: 'BUMP', feeRate: 7n, isSentAgain: false });
  assert.deepEqual(await notedActs(world.app.db, 2), ['signer: send-signed', 'anna: send-bump']);
  await step();
  assert.deepEqual([asked.length, wished, broadcast.at(-1)], [2, 7n, 'hash 2']);
  await carryOutActs(app);
  await step();
  assert.equal(asked.length, 2, 'once');
});

test('what was signed is cancelled by one that pays us, and only then the money goes back', async () => {
  const id = await refund();
  await step();
  const said = { actor: 'merchant', reason: 'changed my mind', isNotSent: true };
  await assert.rejects(cancelSending(app, id, said), /can still land/);
  await decideSending(app, [id], CANCEL);
  await step();
  assert.deepEqual([asked.at(-1)?.kind, asked.at(-1)?.payments], ['CANCEL', []]);
  await carryOutActs(app);
  await assert.rejects(cancelSending(app, id, said), /can still land/);
  await show('hash 2', undefined, 1);
  await carryOutActs(app);
  assert.equal((await rowOf(id)).state, 'TO_SEND');
  await show('hash 2', undefined, 2);
  assert.equal(await carryOutActs(app), 1);
  const { state, failure } = await rowOf(id);
  assert.deepEqual([state, failure], ['FAILED', 'cancelled: too slow']);
  await step();
  assert.equal(asked.length, 2);
  await settleDepartures(departures());
});

test('of what was signed and is over, the signer is told that it can land no more', async () => {
  await refund();
  await step();
  assert.equal(asked[0]?.facts.isAnew, undefined);
  await show('other', undefined, 2);
  await settleDepartures(departures());
  turn = 'account/2';
  await step();
  assert.deepEqual([asked.length, asked[1]?.facts.isAnew], [2, true]);
  // With a nonce of its own it takes the place of nothing that was signed.
  assert.deepEqual(await attemptsLive(), ['hash 2']);
});

test('what lands although it was cancelled is paid', async () => {
  const id = await refund();
  await step();
  await decideSending(app, [id], CANCEL);
  await step();
  await show('hash 1', (await rowOf(id)).targetUnits, 2);
  await settleDepartures(departures());
  assert.equal(await carryOutActs(app), 0);
  assert.equal((await rowOf(id)).state, 'COMPLETED');
  await assert.rejects(decideSending(app, [id], CANCEL), /nothing that was signed/);
});

test('nothing is given back that was signed, whatever became of what it rests on', async () => {
  const id = await refund();
  await step();
  const hold = async () => ({ kind: 'never', reason: 'taken back' }) as const;
  app = { ...app, refunds: { ...app.refunds, hold } };
  await world.clock.advance(61_000);
  await runTransfers(app);
  assert.equal((await rowOf(id)).state, 'TO_SEND');
});

test('what was sent and is in no block is stuck after the time that is set', async () => {
  const id = await refund();
  await step();
  const said: unknown[] = [];
  const log = { ...silentLog, warn: (_: string, fields?: object) => void said.push(fields) };
  const stuckApp = { ...app, log, config: { stuckAfterMinutes: 60 } };
  await findStuck(stuckApp);
  assert.equal((await rowOf(id)).stuckAt, undefined);
  await world.clock.advance(61 * 60_000);
  await findStuck(stuckApp);
  await findStuck(stuckApp);
  assert.deepEqual((await rowOf(id)).stuckAt, world.clock.now());
  assert.equal(said.length, 1, 'it is said once');
  assert.equal(sendingView({ transfer: await rowOf(id) }).stuckSince, timestamp(world.clock.now()));
  await show('hash 1', (await rowOf(id)).targetUnits, 1);
  await settleDepartures(departures());
  await findStuck(stuckApp);
  assert.equal((await rowOf(id)).stuckAt, undefined);
});

test('what is on its way is taken, and what has landed is not', async () => {
  const id = await refund();
  await step();
  turn = 'account/2';
  const second = await refund();
  await step();
  assert.deepEqual(taken, ['account/1']);
  for (const transfer of await listTransfersByIds(app.db, [id, second])) {
    const { transaction = '' } = transfer;
    const landing = { transaction, feeTakenUnits: 0n, paidOutside: true };
    assert.equal(await concludeTransfer(app, transfer, { kind: 'completed', landing }), true);
  }
  await refund();
  await step();
  assert.deepEqual(taken, []);
});

test('one process at a time drafts for a chain; another takes over when it is gone', async () => {
  await refund();
  await step();
  const other = { ...app, processId: 'two' };
  assert.equal(await sendBySigner(other, LITECOIN), 0);
  await world.clock.advance(91_000);
  assert.equal(await sendBySigner(other, LITECOIN), 1);
  assert.equal(await step(), 0);
});

/** As another process of this machine is called that is gone, or whose number this one has now. */
const ended = () =>
  nameProcess().replace(/ (\d+) (\d+) /, (_, own, start) => ` ${own} ${start - 1} `);

test('what a process of this machine had that is gone, another has at once, and only one of them', async () => {
  await refund();
  assert.equal(await sendBySigner({ ...app, processId: ended() }, LITECOIN), 1);
  const id = await refund();
  turn = 'account/2';
  const others = ['two', 'three', 'four'].map((processId) => ({ ...app, processId }));
  const sent = await Promise.all(others.map((other) => sendBySigner(other, LITECOIN)));
  assert.deepEqual(sent.toSorted(), [0, 0, 2], 'the first is sent once more');
  assert.equal(asked.filter((order) => order.id === id).length, 1);
});

test('the turn of a process that lives, or of another machine, is waited for', async () => {
  await refund();
  const elsewhere = ended().replace('/', '-2/');
  for (const holder of [nameProcess(), elsewhere]) {
    assert.equal(await sendBySigner({ ...app, processId: holder }, LITECOIN), 1);
    assert.equal(await sendBySigner({ ...app, processId: 'two' }, LITECOIN), 0);
    await world.clock.advance(89_000);
    assert.equal(await sendBySigner({ ...app, processId: 'two' }, LITECOIN), 0);
    await world.clock.advance(2_000);
  }
  assert.equal(await sendBySigner({ ...app, processId: 'two' }, LITECOIN), 1);
});

test('what the one before stored with its last breath is asked, and nothing beside it', async () => {
  const id = await refund();
  const network = app.networks.get(LITECOIN);
  let isLate = true;
  const late: typeof network = {
    ...network,
    async draft(order) {
      // While we draft, what it sent before it died is carried out.
      if (isLate) {
        isLate = false;
        await sendBySigner({ ...app, signer: dying }, LITECOIN).catch(() => undefined);
      }
      const draft = network?.draft;
      assert(draft);
      return draft(order);
    },
  };
  const dying = {
    sign: () => Promise.reject(new Error('killed')),
  };
  await sendBySigner({ ...app, networks: new Map([[LITECOIN, late]]) }, LITECOIN);
  assert.match((await heldUp(id)) ?? '', /another process has drafted it/);
  assert.deepEqual([asked.length, await kept()], [0, 1]);
  assert.equal(await step(), 1);
  assert.deepEqual([asked.length, await kept()], [1, 1]);
});

test('what was signed and can still land is not given back, though its payment was taken back', async () => {
  const id = await refund();
  await step();
  const refunds = {
    ...app.refunds,
    hold: async () => ({ kind: 'never', reason: 'gone' }) as const,
  };
  await world.clock.advance(120_000);
  await runTransfers({ ...app, refunds });
  const [transfer] = await listTransfersByIds(world.app.db, [id]);
  assert.equal(transfer?.state, 'TO_SEND');
});
