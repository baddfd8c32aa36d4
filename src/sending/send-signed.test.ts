import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { writeDepartures } from '#chain/write-departures.ts';
import { abandonDeparture } from '#custody/explain-departure.ts';
import { settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import type { DraftedTransaction, SignedSending } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { createRefund } from '#refund/create-refund.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { notedActs } from '#test/support/noted-acts.ts';
import {
  availableUnits,
  PAYER_ADDRESS,
  payCheckout,
  sender,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { cancelSending, showSending } from '#transfer/send-by-hand.ts';
import { listTransfersByIds } from '#transfer/transfer.ts';
import { draftSending } from './draft-sending.ts';
import { releaseAttempts } from './release-attempts.ts';
import { sendSigned } from './send-signed.ts';

const LITECOIN = chainOf('test', 'LITECOIN');
const LTC = 'LTC:NATIVE';
const WISH = { actor: 'operator', feeRate: undefined, from: undefined };
const SAID = { actor: 'operator', reason: 'not sent' };

let world: TestApp;
let app: Parameters<typeof draftSending>[0] & Parameters<typeof runTransfers>[0];
let broadcast: string[];
let isDown: boolean;
let isOver: boolean;
/** What the next draft spends. */
let turn: string;
let drafts: number;
/** Why the network puts nothing together, and what happens while it does. */
let whyNot: string | undefined;
let meanwhile: (() => Promise<unknown>) | undefined;

beforeEach(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  // What pays the fee of a refund.
  await payCheckout(world, await world.create());
  [broadcast, isDown, isOver, turn, drafts] = [[], false, false, 'account/1', 0];
  [whyNot, meanwhile] = [undefined, undefined];
  const byHand = {
    chain: LITECOIN,
    networkFeeUnits: () => 500n,
    instruct: () => ({ link: undefined }),
    destinationOf: () => undefined,
  };
  const network: Pick<Watcher, 'draft' | 'sender'> = {
    async draft() {
      await meanwhile?.();
      if (whyNot !== undefined) throw new Refusal('conflict', 'draft_refused', whyNot);
      return drafted();
    },
    sender: {
      async readSigned({ terms, returned }) {
        const text = Buffer.from(returned).toString();
        if (text === `signed ${terms}`) return signedAs(terms);
        throw new Refusal('conflict', 'signed_transaction_differs', 'it is another one');
      },
      async broadcast({ transaction }) {
        if (isDown) throw new Outage(LITECOIN);
        broadcast.push(transaction);
      },
      isOver: async () => isOver,
    },
  };
  app = {
    ...sender(world),
    executors: new Map([[LITECOIN, byHand]]),
    networks: new Map([[LITECOIN, network]]),
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
    text: 'unsigned',
    json: undefined,
    links: [],
    from: 'account',
    sequence: BigInt(drafts),
    feeUnits: 1n,
    feeAssetId: LTC,
    until: undefined,
    terms: String(drafts),
    spends: [turn],
  };
}

const signedAs = (terms: string): SignedSending => {
  return { signedTransaction: `bytes ${terms}`, transaction: `hash ${terms}` };
};
const file = (terms: number) => Buffer.from(`signed ${terms}`);

/** Of a checkout of its own. */
async function refund(): Promise<string> {
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const nothing = { amount: undefined, network: undefined, asset: undefined };
  const wish = { ...nothing, kind: 'full', address: PAYER_ADDRESS } as const;
  const { transferId } = await createRefund(
    { ...app, ...world.app, executors: app.executors },
    world.caller,
    {
      ...wish,
      checkoutId,
    },
  );
  await runTransfers(app);
  return transferId;
}

const refuses = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code;

async function kept(): Promise<readonly (string | null)[]> {
  const rows = await world.app.db.query<{ transaction: string | null }>(
    sql`select transaction from attempt order by id`,
  );
  return rows.map(({ transaction }) => transaction);
}

test('it is stored before it is sent, and what is stored is sent any number of times', async () => {
  const id = await refund();
  await assert.rejects(sendSigned(app, id, file(1)), refuses('transfer_not_signed'));
  await draftSending(app, [id], WISH);
  await assert.rejects(sendSigned(app, id, undefined), refuses('transfer_not_signed'));
  await assert.rejects(sendSigned(app, id, Buffer.from('x')), /another one/);
  assert.deepEqual(await kept(), [null]);
  isDown = true;
  await assert.rejects(sendSigned(app, id, file(1)), Outage);
  assert.deepEqual([await kept(), broadcast], [['hash 1'], []]);
  isDown = false;
  for (const returned of [undefined, file(1), undefined]) {
    assert.equal((await sendSigned(app, id, returned)).transaction, 'hash 1');
  }
  assert.deepEqual(broadcast, ['hash 1', 'hash 1', 'hash 1']);
  const [, ...noted] = await notedActs(world.app.db, 4);
  assert.deepEqual(noted, ['operator: send-show', 'operator: send-draft', 'operator: send-signed']);
  await sendSigned(app, id, undefined, { actor: 'anna' });
  assert.deepEqual(await notedActs(world.app.db, 1), ['anna: send-again']);
});

test('a draft that is refused has told nobody how to send it, whoever refuses', async () => {
  const id = await refund();
  const shown = async () => (await listTransfersByIds(world.app.db, [id]))[0]?.shownAt;
  whyNot = 'too little is left';
  await assert.rejects(draftSending(app, [id], WISH), /too little is left/);
  await assert.rejects(draftSending(app, [id, 'abcdefghijkl'], WISH), refuses('transfer_missing'));
  whyNot = undefined;
  await assert.rejects(draftSending({ ...app, networks: new Map() }, [id], WISH), /put together/);
  assert.equal(await shown(), undefined);
  await draftSending(app, [id], WISH);
  assert.deepEqual(await shown(), world.clock.now());
});

test('what is decided while a draft is put together counts', async () => {
  const id = await refund();
  meanwhile = () => cancelSending(app, id, { ...SAID, isNotSent: false });
  await assert.rejects(draftSending(app, [id], WISH), refuses('transfer_not_to_send'));
  assert.deepEqual(await kept(), []);
});

test('a refund that may not be paid any more is neither stored nor sent, and not sent again', async () => {
  const id = await refund();
  await draftSending(app, [id], WISH);
  const hold = (kind: 'wait' | 'never') => ({
    ...app,
    refunds: { ...app.refunds, hold: async () => ({ kind, reason: 'taken back' }) },
  });
  await assert.rejects(sendSigned(hold('never'), id, file(1)), refuses('transfer_void'));
  await assert.rejects(sendSigned(hold('wait'), id, file(1)), refuses('transfer_waits'));
  assert.deepEqual([await kept(), broadcast], [[null], []]);
  await sendSigned(app, id, file(1));
  await assert.rejects(sendSigned(hold('never'), id, undefined), refuses('transfer_void'));
  assert.deepEqual(broadcast, ['hash 1']);
});

test('what can still land is not shown again nor given back; when it is over both are done', async () => {
  const id = await refund();
  await draftSending(app, [id], WISH);
  await sendSigned(app, id, file(1));
  const cancel = async () => {
    await releaseAttempts(app, [id]);
    return cancelSending(app, id, { ...SAID, isNotSent: true });
  };
  await assert.rejects(cancel(), refuses('transfer_signed'));
  await assert.rejects(showSending(app, id), refuses('transfer_signed'));
  const before = await availableUnits(world, LTC);
  isOver = true;
  assert.equal((await cancel()).state, 'FAILED');
  assert((await availableUnits(world, LTC)) > before);
  await assert.rejects(sendSigned(app, id, file(1)), refuses('transfer_not_signed'));
});

test('what turns out to be over when it is sent again makes room for another', async () => {
  const id = await refund();
  await draftSending(app, [id], WISH);
  await sendSigned(app, id, file(1));
  isOver = true;
  for (const returned of [undefined, file(1)]) {
    await assert.rejects(sendSigned(app, id, returned), refuses('transfer_not_signed'));
  }
  assert.deepEqual(broadcast, ['hash 1']);
  isOver = false;
  turn = 'account/2';
  await draftSending(app, [id], WISH);
  await sendSigned(app, id, file(2));
  assert.deepEqual(broadcast, ['hash 1', 'hash 2']);
});

test('only what spends the same is signed for a transfer beside what can still land', async () => {
  const [id, other] = [await refund(), await refund()];
  await draftSending(app, [id], WISH);
  await sendSigned(app, id, file(1));
  turn = 'account/2';
  await draftSending(app, [id], WISH);
  await assert.rejects(sendSigned(app, id, file(2)), /both would be paid/);
  turn = 'account/1';
  await draftSending(app, [other], WISH);
  await assert.rejects(sendSigned(app, other, file(3)), /pays other transfers/);
  await draftSending(app, [id], WISH);
  await sendSigned(app, id, file(4));
  assert.deepEqual(await kept(), ['hash 1', null, null, 'hash 4']);
  assert.deepEqual(broadcast, ['hash 1', 'hash 4']);
  // Without a file the newest.
  await sendSigned(app, id, undefined);
  assert.equal(broadcast.at(-1), 'hash 4');
});

/** As if the watcher had recorded what a wallet sent, two blocks deep, and nobody had looked yet. */
async function left(id: string, more: Partial<{ units: bigint; spends: string[] }> = {}) {
  const [transfer] = await listTransfersByIds(world.app.db, [id]);
  assert(transfer !== undefined);
  const { units = transfer.targetUnits, spends = ['a coin of ours'] } = more;
  const [row] = await world.app.db.query<{ height: bigint }>(sql`
    select height from chain_cursor where chain = ${LITECOIN}`);
  const departure = {
    transaction: 'by a wallet',
    spends,
    fee: { assetId: LTC, units: 1n },
    block: { height: (row?.height ?? 0n) - 1n, hash: 'block' },
    parts: [
      { creditKey: 'by a wallet:0', destination: 'somebody', assetId: LTC, units, isOwn: false },
    ],
  };
  const written = { seenAt: world.clock.now(), requiredOf: () => 2 };
  await world.app.db.transact(async (tx) => writeDepartures(tx, LITECOIN, [departure], written));
}

test('nothing is drafted or signed beside what a wallet sent exactly like it, until it is known what that was', async () => {
  const id = await refund();
  await draftSending(app, [id], WISH);
  await left(id);
  turn = 'account/2';
  await assert.rejects(draftSending(app, [id], WISH), refuses('departure_carries_transfer'));
  await assert.rejects(sendSigned(app, id, file(1)), refuses('departure_carries_transfer'));
  assert.deepEqual(broadcast, []);
  const other = await refund();
  await world.app.db.single((tx) =>
    tx.query(sql`update departure_part set purpose = 'OUTSIDE' where purpose is null`),
  );
  await sendSigned(app, id, file(1));
  await draftSending(app, [other], WISH);
});

test('what left with another amount, or spends the same, stands against nothing', async () => {
  const id = await refund();
  await draftSending(app, [id], WISH);
  await left(id, { units: 1n });
  await sendSigned(app, id, file(1));
  await left(id, { spends: [turn] });
  await draftSending(app, [id], WISH);
});

test('what took the place of what was signed is booked before the order is open again', async () => {
  const id = await refund();
  await draftSending(app, [id], WISH);
  await sendSigned(app, id, file(1));
  await left(id, { spends: [turn] });
  isOver = true;
  assert.equal((await releaseAttempts(app, [id])).length, 1);
  await settleDepartures({ ...app, networks: new Map() });
  assert.equal((await releaseAttempts(app, [id])).length, 0);
});

test('what a person gives up before the watcher had recognised it makes room for another', async () => {
  const id = await refund();
  await draftSending(app, [id], WISH);
  await sendSigned(app, id, file(1));
  const departure = {
    transaction: 'hash 1',
    spends: [turn],
    fee: { assetId: LTC, units: 1n },
    block: undefined,
    parts: [],
  };
  const written = { seenAt: world.clock.now(), requiredOf: () => 2 };
  await world.app.db.transact(async (tx) => writeDepartures(tx, LITECOIN, [departure], written));
  await abandonDeparture(world.app, 'hash 1', SAID);
  turn = 'account/2';
  await draftSending(app, [id], WISH);
  await sendSigned(app, id, file(2));
  assert.deepEqual(broadcast, ['hash 1', 'hash 2']);
});

test('two that come back at once are one', async () => {
  const id = await refund();
  await draftSending(app, [id], WISH);
  turn = 'account/2';
  await draftSending(app, [id], WISH);
  const both = await Promise.allSettled([1, 2].map((one) => sendSigned(app, id, file(one))));
  assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(broadcast.length, 1);
  assert.equal((await kept()).filter((one) => one !== null).length, 1);
});
