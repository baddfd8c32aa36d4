import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import type { DraftedTransaction, Watcher } from '#deposit/network.ts';
import { createRefund } from '#refund/create-refund.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { PAYER_ADDRESS, payCheckout, sender } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { concludeTransfer } from '#transfer/conclude-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { cancelSending, showSending } from '#transfer/send-by-hand.ts';
import { listTransfersByIds } from '#transfer/transfer.ts';
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
/** What the last draft was told that others spend. */
let taken: readonly string[];

/** As the signer does: the same bytes for the same order. */
const signs = ({ unsigned }: SignOrder): Answer => ({
  outcome: 'SIGNED',
  signedTransaction: `signed ${unsigned}`,
});

beforeEach(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  // What pays the fee of a refund.
  await payCheckout(world, await world.create());
  [broadcast, asked, answer, turn, drafts] = [[], [], signs, 'account/1', 0];
  const byHand = {
    chain: LITECOIN,
    networkFeeUnits: () => 500n,
    instruct: () => ({ link: undefined }),
    destinationOf: () => undefined,
  };
  const network: Pick<Watcher, 'draft' | 'sender'> = {
    async draft(order) {
      taken = [...order.taken];
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
  assert.deepEqual(broadcast, ['hash 1', 'hash 2', 'hash 2']);
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
