import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { newId } from '#base/id.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Db, openDb, sql, type Tx } from '#db/db.ts';
import type { AffectedPurpose } from '#deposit/deposit-instruction.ts';
import type { Arrival, Block, BlockReference, Observation } from '#deposit/network.ts';
import { openDeposit } from '#deposit/open-deposit.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { findChainStatus, isBehind, readPosition } from './chain-status.ts';
import {
  listReceiptsByPurpose,
  markReceiptCredited,
  markReceiptReversed,
  type Receipt,
} from './receipt.ts';
import { recordObservation } from './record-observation.ts';

const random = seededRandom(7);
const clock = manualClock('2026-01-01T00:00:00Z');
const keyring = {
  mac: (purpose: string, bytes: Uint8Array) =>
    new Uint8Array(createHmac('sha256', purpose).update(bytes).digest()),
};
const merchantId = 'merchant0001';
let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
  await db.transact(async (tx) =>
    tx.send(sql`insert into merchant (id, name, sealed_data_key, created_at)
      values (${merchantId}, 'Shop', ${new Uint8Array(1)}, ${clock.now()})`),
  );
});

let chains = 0;

/** A chain of its own for each test, with a scripted node. */
async function startChain(required: (units: bigint) => number = () => 2) {
  chains += 1;
  const chain: ChainId = `test:CHAIN_${chains}`;
  const affected: AffectedPurpose[] = [];
  const alarms: string[] = [];
  const log: Log = { ...silentLog, error: (message) => alarms.push(message) };
  const app = {
    db,
    clock,
    log,
    policy: {
      requiredConfirmations: (_chain: ChainId, amounts: readonly { units: bigint }[]) =>
        required(amounts.reduce((sum, { units }) => sum + units, 0n)),
      // A thousand units and more are large.
      isHeldByBrake: (_chain: ChainId, amounts: readonly { units: bigint }[]) =>
        amounts.reduce((sum, { units }) => sum + units, 0n) >= 1000n,
      targetBlockSeconds: () => 60,
    },
    onAffected: (_tx: unknown, purposes: readonly AffectedPurpose[]) => {
      affected.push(...purposes);
    },
  };
  const node: Block[] = [makeBlock(undefined, 'a', [])];

  async function observe(part: Partial<Observation> = {}) {
    const position = await readPosition(db, chain);
    return recordObservation(app, chain, observationOf(part, node), position);
  }
  await observe();
  return { chain, app, affected, alarms, node, observe, mine, reorganise, open, receiptsOf };

  /** Appends a block to the node's chain and records it. */
  async function mine(arrivals: Arrival[] = [], part: Partial<Observation> = {}) {
    const block = makeBlock(node.at(-1), 'a', arrivals);
    node.push(block);
    return observe({ blocks: [block], ...part });
  }

  /** Replaces the last `depth` blocks by as many and one more. */
  async function reorganise(
    depth: number,
    arrivalsAt: (index: number) => Arrival[] = () => [],
    part: Partial<Observation> = {},
  ) {
    node.splice(node.length - depth);
    const ancestor = node.at(-1);
    const fork = newId(random);
    const blocks: Block[] = [];
    for (let index = 0; index <= depth; index += 1) {
      blocks.push(makeBlock(blocks.at(-1) ?? ancestor, fork, arrivalsAt(index)));
    }
    node.push(...blocks);
    return observe({ rollbackTo: ancestor, blocks, ...part });
  }

  async function open() {
    const purposeId = newId(random);
    const instruction = await db.transact((tx) =>
      openDeposit(
        { keyring, random },
        tx,
        {
          chain,
          addressSource: 'xpub',
          openDestination: ({ index }) => ({
            destination: `address-${index}`,
            address: `address-${index}`,
            memo: undefined,
            memoType: undefined,
            destinationTag: undefined,
          }),
        },
        {
          id: newId(random),
          merchantId,
          purpose: 'checkout',
          purposeId,
          assetId: 'BTC:NATIVE',
          units: 1n,
          createdAt: clock.now(),
          expiresAt: clock.now(),
        },
      ),
    );
    return instruction;
  }

  function receiptsOf(instruction: { purposeId: string }): Promise<Receipt[]> {
    return listReceiptsByPurpose(db, 'checkout', [instruction.purposeId]);
  }
}

function observationOf(part: Partial<Observation>, node: readonly Block[]): Observation {
  return {
    identity: 'genesis',
    tip: node.at(-1) as BlockReference,
    rollbackTo: undefined,
    blocks: [],
    unconfirmed: [],
    gone: [],
    spends: [],
    complete: true,
    ...part,
  };
}

function makeBlock(
  parent: BlockReference | undefined,
  fork: string,
  arrivals: readonly Arrival[],
): Block {
  const height = (parent?.height ?? 99n) + 1n;
  return {
    height,
    hash: `${fork}${height}`,
    parentHash: parent?.hash ?? 'none',
    minedAt: clock.now(),
    arrivals,
  };
}

let transactions = 0;
function payment(
  { destination }: { destination: string },
  units: bigint,
  part: Partial<Arrival> = {},
): Arrival {
  transactions += 1;
  const transaction = `tx${transactions}`;
  return {
    creditKey: `${transaction}:0`,
    transaction,
    destination,
    assetId: 'BTC:NATIVE',
    units,
    spends: [`${transaction}-coin:0`],
    ours: false,
    ...part,
  };
}

function facts({ status, blockHash, units, generation, confirmations }: Receipt) {
  return { status, blockHash, units, generation, confirmations };
}

test('a payment is seen, then in a block, then final at the required depth', async () => {
  const { open, observe, mine, receiptsOf, affected } = await startChain();
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await observe({ unconfirmed: [paid] });
  const [seen] = await receiptsOf(instruction);
  assert.equal(seen?.status, 'SEEN');
  assert.equal(seen.confirmations, 0n);
  assert.equal(seen.merchantId, merchantId);
  await clock.advance(1000);
  await mine([paid]);
  const [included] = await receiptsOf(instruction);
  assert.equal(included?.status, 'INCLUDED');
  assert.equal(included.confirmations, 1n);
  assert.equal(included.confirmationsRequired, 2);
  assert.equal(String(included.seenAt), String(seen.seenAt));
  await mine();
  const [final] = await receiptsOf(instruction);
  assert.equal(final?.status, 'FINAL');
  assert.equal(String(final.finalAt), String(clock.now()));
  await mine();
  const purpose = { purpose: 'checkout', purposeId: instruction.purposeId };
  assert.deepEqual(affected, [purpose, purpose, purpose]);
});

test('repeating an observation changes nothing', async () => {
  const { chain, app, open, observe, mine, node, receiptsOf, affected } = await startChain();
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await observe({ unconfirmed: [paid] });
  await observe({ unconfirmed: [paid] });
  const position = await readPosition(db, chain);
  await mine([paid]);
  const before = await receiptsOf(instruction);
  const again = await recordObservation(
    app,
    chain,
    observationOf({ blocks: node.slice(-1) }, node),
    position,
  );
  assert.equal(again.kind, 'stale');
  await observe();
  assert.deepEqual(await receiptsOf(instruction), before);
  assert.equal(affected.length, 2);
});

test('two workers racing record the same observation once', async () => {
  const { chain, app, open, node, receiptsOf } = await startChain();
  const instruction = await open();
  const position = await readPosition(db, chain);
  const block = makeBlock(node.at(-1), 'a', [payment(instruction, 1n), payment(instruction, 2n)]);
  const observation = observationOf({ blocks: [block], tip: block }, node);
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => recordObservation(app, chain, observation, position)),
  );
  assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['recorded', 'stale', 'stale']);
  assert.equal((await receiptsOf(instruction)).length, 2);
});

test('two workers racing on the first step ever: one starts the chain', async () => {
  const chain: ChainId = 'test:FIRST';
  const { app } = await startChain();
  const node = [makeBlock(undefined, 'a', [])];
  const position = await readPosition(db, chain);
  assert.equal(position.cursor, undefined);
  const outcomes = await Promise.all(
    [1, 2].map(() => recordObservation(app, chain, observationOf({}, node), position)),
  );
  assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['recorded', 'stale']);
});

test('one transaction that pays the same address twice is two receipts', async () => {
  const { open, mine, receiptsOf } = await startChain();
  const instruction = await open();
  const first = payment(instruction, 500n);
  const second = { ...first, creditKey: `${first.transaction}:1`, units: 700n };
  await mine([first, second]);
  const receipts = await receiptsOf(instruction);
  assert.deepEqual(
    receipts.map(({ units }) => units),
    [500n, 700n],
  );
});

test('rolled back and mined again elsewhere: one receipt, first seen when it was', async () => {
  const { open, mine, reorganise, receiptsOf } = await startChain(() => 3);
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await mine([paid]);
  const [first] = await receiptsOf(instruction);
  await clock.advance(5000);
  await reorganise(1, (index) => (index === 1 ? [paid] : []));
  const [again] = await receiptsOf(instruction);
  assert.equal(again?.status, 'INCLUDED');
  assert.notEqual(again.blockHash, first?.blockHash);
  assert.equal(String(again.seenAt), String(first?.seenAt));
  assert.equal(again.goneAt, undefined);
  assert.equal(again.generation, 1);
});

test('rolled back and the same blocks again: every receipt as it was', async () => {
  const { chain, app, open, mine, node, observe, receiptsOf } = await startChain(() => 1);
  const instruction = await open();
  await mine([payment(instruction, 1n)]);
  await mine([payment(instruction, 2n)]);
  const before = await receiptsOf(instruction);
  const [ancestor, ...undone] = node.slice(-3);
  const position = await readPosition(db, chain);
  await recordObservation(
    app,
    chain,
    observationOf({ rollbackTo: ancestor, tip: ancestor as Block }, node),
    position,
  );
  assert.deepEqual(
    (await receiptsOf(instruction)).map(({ status }) => status),
    ['SEEN', 'SEEN'],
  );
  await observe({ blocks: undone });
  assert.deepEqual(await receiptsOf(instruction), before);
});

test('replaced in the mempool: the old receipt is gone and says by what', async () => {
  const { open, observe, mine, receiptsOf, node } = await startChain();
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await observe({ unconfirmed: [paid] });
  const other = payment(instruction, 400n, { spends: paid.spends });
  const rival = { transaction: other.transaction, spends: other.spends };
  await observe({ unconfirmed: [other], gone: [paid.transaction], spends: [rival] });
  const [old, replacement] = await receiptsOf(instruction);
  assert.equal(old?.status, 'GONE');
  assert.equal(old.replacedBy, other.transaction);
  assert.equal(old.conflictHeight, undefined);
  assert.equal(replacement?.status, 'SEEN');
  const height = (node.at(-1)?.height ?? 0n) + 1n;
  await mine([other], { spends: [{ ...rival, height }] });
  const [conflicted, included] = await receiptsOf(instruction);
  assert.equal(conflicted?.conflictHeight, height);
  assert.equal(included?.status, 'INCLUDED');
});

test('gone from the mempool and back: a version first seen now', async () => {
  const { open, observe, receiptsOf } = await startChain();
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await observe({ unconfirmed: [paid] });
  await observe({ gone: [paid.transaction] });
  const [gone] = await receiptsOf(instruction);
  assert.equal(gone?.status, 'GONE');
  assert.equal(String(gone.goneAt), String(clock.now()));
  await clock.advance(60_000);
  await observe({ unconfirmed: [paid] });
  const [back] = await receiptsOf(instruction);
  assert.equal(back?.status, 'SEEN');
  assert.equal(String(back.seenAt), String(clock.now()));
  assert.equal(back.goneHeight, undefined);
});

test('a credited receipt that is absent for twice its depth is due to be reversed', async () => {
  const { open, mine, reorganise, receiptsOf, affected } = await startChain(() => 1);
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await mine([paid]);
  const [final] = await receiptsOf(instruction);
  assert.equal(final?.status, 'FINAL');
  await db.transact(async (tx) => markReceiptCredited(tx, final.id, 1));
  await reorganise(1);
  const [undone] = await receiptsOf(instruction);
  assert.equal(undone?.status, 'SEEN');
  assert.equal(undone.reversalDue, false);
  affected.length = 0;
  await mine();
  const [due] = await receiptsOf(instruction);
  assert.equal(due?.reversalDue, true);
  assert.equal(affected.length, 1);
  await db.transact(async (tx) => markReceiptReversed(tx, due.id, 1));
  await clock.advance(60_000);
  await mine([paid]);
  const [again] = await receiptsOf(instruction);
  assert.equal(again?.status, 'FINAL');
  assert.equal(again.generation, 2);
  assert.equal(String(again.seenAt), String(clock.now()));
});

test('a credited receipt mined again in time is not due, and is the same generation', async () => {
  const { open, mine, reorganise, receiptsOf } = await startChain(() => 1);
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await mine([paid]);
  const [final] = await receiptsOf(instruction);
  await db.transact(async (tx) => markReceiptCredited(tx, final?.id ?? 0n, 1));
  await reorganise(1, () => [], { unconfirmed: [paid] });
  const [waiting] = await receiptsOf(instruction);
  assert.equal(waiting?.status, 'SEEN');
  assert.notEqual(waiting.goneHeight, undefined);
  await mine([paid]);
  const [again] = await receiptsOf(instruction);
  assert.deepEqual(
    [again?.status, again?.generation, again?.goneHeight, again?.reversalDue],
    ['FINAL', 1, undefined, false],
  );
  assert.equal(String(again?.seenAt), String(final?.seenAt));
});

test('a credit given while its block is being undone counts towards its reversal', async () => {
  const { app, chain, open, mine, receiptsOf, node } = await startChain(() => 1);
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await mine([paid]);
  const [final] = await receiptsOf(instruction);
  const id = final?.id ?? 0n;
  const position = await readPosition(db, chain);
  node.pop();
  const blocks = [makeBlock(node.at(-1), 'b', [])];
  const rollback = { rollbackTo: node.at(-1), blocks, unconfirmed: [paid] };
  node.push(...blocks);
  // A settlement that commits after the receipts were read and before they are written.
  const credit = { ...app, onAffected: (tx: Tx) => markReceiptCredited(tx, id, 1) };
  await recordObservation(credit, chain, observationOf(rollback, node), position);
  const [undone] = await receiptsOf(instruction);
  assert.deepEqual([undone?.status, undone?.reversalDue], ['SEEN', false]);
  await mine([], { unconfirmed: [paid] });
  await mine([], { unconfirmed: [paid] });
  const [due] = await receiptsOf(instruction);
  assert.deepEqual([due?.status, due?.reversalDue], ['SEEN', true]);
});

test('a rival mined to the required depth makes a credited receipt due at once', async () => {
  const { open, mine, reorganise, receiptsOf, node } = await startChain(() => 3);
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await mine([paid]);
  await mine();
  await mine();
  const [final] = await receiptsOf(instruction);
  await db.transact(async (tx) => markReceiptCredited(tx, final?.id ?? 0n, 1));
  const height = (node.at(-3)?.height ?? 0n) + 0n;
  await reorganise(3, () => [], {
    spends: [{ transaction: 'thief', spends: paid.spends, height }],
  });
  const [due] = await receiptsOf(instruction);
  assert.deepEqual(
    [due?.status, due?.replacedBy, due?.conflictHeight, due?.reversalDue],
    ['GONE', 'thief', height, true],
  );
  // The rival is undone in its turn: nothing is known of a conflict any more.
  await reorganise(4);
  const [open2] = await receiptsOf(instruction);
  assert.deepEqual([open2?.conflictHeight, open2?.replacedBy], [undefined, undefined]);
});

test('a receipt is credited once: a second credit fails the transaction', async () => {
  const { open, mine, receiptsOf } = await startChain(() => 2);
  const instruction = await open();
  await mine([payment(instruction, 500n)]);
  const [included] = await receiptsOf(instruction);
  const id = included?.id ?? 0n;
  const credit = () => db.transact(async (tx) => markReceiptCredited(tx, id, 1));
  await assert.rejects(credit, { name: 'ConstraintViolation' });
  await mine();
  await credit();
  await assert.rejects(credit, { name: 'ConstraintViolation' });
  const reverse = () => db.transact(async (tx) => markReceiptReversed(tx, id, 1));
  await assert.rejects(reverse, { name: 'ConstraintViolation' });
});

test('payments of one merchant add up: two small ones need the depth of a large one', async () => {
  const { open, mine, receiptsOf } = await startChain((units) => (units > 1000n ? 3 : 1));
  const [first, second, third] = [await open(), await open(), await open()];
  await mine([payment(first, 600n), payment(second, 600n)]);
  assert.equal((await receiptsOf(first))[0]?.confirmationsRequired, 3);
  assert.equal((await receiptsOf(second))[0]?.status, 'INCLUDED');
  await mine();
  await mine();
  assert.equal((await receiptsOf(first))[0]?.status, 'FINAL');
  for (let blocks = 0; blocks < 5; blocks += 1) await mine();
  await mine([payment(third, 600n)]);
  assert.equal((await receiptsOf(third))[0]?.status, 'FINAL');
});

test('a payment beside an earlier one makes the earlier one need more depth', async () => {
  const { open, mine, receiptsOf } = await startChain((units) => (units > 1000n ? 5 : 2));
  const [first, second] = [await open(), await open()];
  await mine([payment(first, 600n)]);
  assert.equal((await receiptsOf(first))[0]?.confirmationsRequired, 2);
  await mine([payment(second, 600n)]);
  const [raised] = await receiptsOf(first);
  assert.deepEqual([raised?.confirmationsRequired, raised?.status], [5, 'INCLUDED']);
  const third = await open();
  await mine([payment(third, 1n)]);
  assert.equal((await receiptsOf(second))[0]?.confirmationsRequired, 5);
});

test('a payment nobody asked for is kept when it came to us, else passed over', async () => {
  const { chain, mine } = await startChain();
  const ours = payment({ destination: 'account:unknown' }, 5n, { ours: true });
  await mine([ours, payment({ destination: 'a stranger' }, 5n)]);
  const unmatched = await db.query(sql`
    select credit_key as "creditKey", instruction_id as "instructionId" from receipt
    where chain = ${chain} and purpose is null`);
  assert.deepEqual(unmatched, [{ creditKey: ours.creditKey, instructionId: null }]);
});

test('in a block of thousands each of ours is found, wherever it stands', async () => {
  const { open, mine, receiptsOf, affected } = await startChain();
  const [first, last, often] = [await open(), await open(), await open()];
  const strangers = Array.from({ length: 7_000 }, (_, at) => {
    return payment({ destination: `stranger-${at}` }, 1n);
  });
  const ours: readonly [number, Arrival][] = [
    [0, payment(first, 10n)],
    [2_998, payment(often, 21n)],
    [3_005, payment(often, 22n)],
    [6_500, payment(often, 23n)],
    [7_004, payment(last, 30n)],
  ];
  for (const [at, arrival] of ours) strangers.splice(at, 0, arrival);
  await mine(strangers);
  const unitsOf = async (one: { purposeId: string }) =>
    (await receiptsOf(one)).map(({ units }) => units);
  assert.deepEqual(await unitsOf(first), [10n]);
  assert.deepEqual((await unitsOf(often)).sort(), [21n, 22n, 23n]);
  assert.deepEqual(await unitsOf(last), [30n]);
  assert.equal(affected.length, 3);
});

test('blocks of thousands on more chains than there are connections all get through', async () => {
  const narrow = openDb({ ...database.connection, log: silentLog, poolSize: 2 });
  try {
    const recorded = Array.from({ length: 6 }, async () => {
      const { app, chain, node, open, receiptsOf } = await startChain();
      const instruction = await open();
      const arrivals = Array.from({ length: 6_500 }, (_, at) => {
        return payment({ destination: `stranger-${at}` }, 1n);
      });
      const block = makeBlock(node.at(-1), 'a', [...arrivals, payment(instruction, 7n)]);
      const position = await readPosition(db, chain);
      const observation = observationOf({ blocks: [block], tip: block }, node);
      await recordObservation({ ...app, db: narrow }, chain, observation, position);
      return (await receiptsOf(instruction)).map(({ units }) => units);
    });
    assert.deepEqual(
      await Promise.all(recorded),
      Array.from({ length: 6 }, () => [7n]),
    );
  } finally {
    await narrow.close();
  }
});

test('a credit key with another amount is an alarm and never credited', async () => {
  const { open, observe, mine, receiptsOf, alarms } = await startChain();
  const instruction = await open();
  const paid = payment(instruction, 500n);
  await observe({ unconfirmed: [paid] });
  await mine([{ ...paid, units: 5000n }]);
  const [receipt] = await receiptsOf(instruction);
  assert.deepEqual([receipt?.status, receipt?.units, alarms.length], ['GONE', 500n, 1]);
  await mine([{ ...paid, assetId: 'OTHER:NATIVE' }]);
  assert.equal((await receiptsOf(instruction))[0]?.status, 'GONE');
});

test('a block corrects what was merely seen where the adapter says so, and what was credited never', async () => {
  const { open, observe, mine, receiptsOf, alarms } = await startChain();
  const instruction = await open();
  const paid = payment(instruction, 500n);
  const corrected = { ...paid, units: 5000n };
  await observe({ unconfirmed: [paid], correctsSeen: true });
  await mine([corrected], { correctsSeen: true });
  const [receipt] = await receiptsOf(instruction);
  assert.deepEqual([receipt?.status, receipt?.units, alarms.length], ['INCLUDED', 5000n, 1]);
  await mine([paid], { correctsSeen: true });
  const [again] = await receiptsOf(instruction);
  assert.deepEqual([again?.units, alarms.length], [5000n, 2]);
});

test('a block corrects for whom it was, and both are told', async () => {
  const { open, observe, mine, receiptsOf } = await startChain();
  const wrong = await open();
  const right = await open();
  const paid = payment(wrong, 500n);
  await observe({ unconfirmed: [paid], correctsSeen: true });
  const outcome = await mine([{ ...paid, destination: right.destination }], { correctsSeen: true });
  assert.deepEqual(await receiptsOf(wrong), []);
  assert.deepEqual(
    (await receiptsOf(right)).map(({ status, units }) => [status, units]),
    [['INCLUDED', 500n]],
  );
  assert(outcome.kind === 'recorded');
  const told = outcome.affected.map(({ purposeId }) => purposeId).sort();
  assert.deepEqual(told, [wrong.purposeId, right.purposeId].sort());
});

test('a block that does not follow is a bug, and nothing of it is written', async () => {
  const { chain, open, observe, node, receiptsOf } = await startChain();
  const instruction = await open();
  const gap = makeBlock(makeBlock(node.at(-1), 'a', []), 'a', [payment(instruction, 1n)]);
  await assert.rejects(observe({ blocks: [gap] }), /does not follow/);
  const stranger = { ...makeBlock(node.at(-1), 'a', []), parentHash: 'other' };
  await assert.rejects(observe({ blocks: [stranger] }), /does not follow/);
  assert.deepEqual(await receiptsOf(instruction), []);
  assert.equal((await findChainStatus(db, chain))?.height, 100n);
});

test('what spends our own receipt is no income, in a block or unconfirmed', async () => {
  const { mine, observe, open, receiptsOf } = await startChain();
  const [paidTo, movedTo] = [await open(), await open()];
  const paid = payment(paidTo, 500n);
  await mine([paid]);
  const moved = payment(movedTo, 499n, { spends: [`stranger:0`, paid.creditKey] });
  await observe({ unconfirmed: [moved] });
  assert.deepEqual(await receiptsOf(movedTo), []);
  await mine([moved]);
  await mine();
  await mine();
  assert.deepEqual(await receiptsOf(movedTo), []);
  assert.equal((await receiptsOf(paidTo))[0]?.status, 'FINAL');
  // In the block of its parent, too.
  const [first, second] = [await open(), await open()];
  const parent = payment(first, 300n);
  await mine([parent, payment(second, 299n, { spends: [parent.creditKey] })]);
  assert.deepEqual(await receiptsOf(second), []);
});

test('a spend that was seen before what it spends does not stand once that is known', async () => {
  const { mine, observe, open, receiptsOf } = await startChain();
  const [paidTo, movedTo] = [await open(), await open()];
  const paid = payment(paidTo, 500n);
  const moved = payment(movedTo, 499n, { spends: [paid.creditKey] });
  await observe({ unconfirmed: [moved] });
  assert.equal((await receiptsOf(movedTo))[0]?.status, 'SEEN');
  await mine([paid, moved]);
  await mine();
  await mine();
  assert.equal((await receiptsOf(movedTo))[0]?.status, 'GONE');
  assert.equal((await receiptsOf(paidTo))[0]?.status, 'FINAL');
});

test('a node of another chain is refused', async () => {
  const { observe } = await startChain();
  await assert.rejects(observe({ identity: 'another' }), /another chain/);
});

test('a chain is behind while blocks wait, while it is silent, and before it spoke', async () => {
  const { chain, observe, node } = await startChain();
  const status = await findChainStatus(db, chain);
  assert.equal(isBehind(status, clock.now()), false);
  assert.equal(isBehind(status, clock.now().add({ seconds: 61 })), true);
  assert.equal(isBehind(status, clock.now(), clock.now().add({ seconds: 1 })), true);
  assert.equal(isBehind(undefined, clock.now()), true);
  await observe({ tip: makeBlock(node.at(-1), 'a', []), complete: false });
  assert.equal(isBehind(await findChainStatus(db, chain), clock.now()), true);
});

type Step =
  | { readonly kind: 'mine'; readonly payments: readonly number[] }
  | { readonly kind: 'mempool'; readonly payments: readonly number[] }
  | { readonly kind: 'reorganise'; readonly depth: number; readonly payments: readonly number[] };

const payments = fc.uniqueArray(fc.nat(5), { maxLength: 4 });
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('mine' as const), payments }),
    fc.record({ kind: fc.constant('mempool' as const), payments }),
    fc.record({
      kind: fc.constant('reorganise' as const),
      depth: fc.integer({ min: 1, max: 4 }),
      payments,
    }),
  ),
  { minLength: 1, maxLength: 12 },
) as fc.Arbitrary<Step[]>;

test('whatever led to a chain, what stands in it is recorded the same', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const story = await startChain();
      const instruction = await story.open();
      const paid = Array.from({ length: 6 }, (_, index) => payment(instruction, BigInt(index + 1)));
      const pick = (numbers: readonly number[]) => {
        const mined = new Set(
          story.node.flatMap((block) => block.arrivals.map(({ creditKey }) => creditKey)),
        );
        return numbers.map((n) => paid[n] as Arrival).filter((t) => !mined.has(t.creditKey));
      };
      for (const step of list) {
        if (step.kind === 'mine') await story.mine(pick(step.payments));
        else if (step.kind === 'mempool') {
          const unconfirmed = pick(step.payments);
          const standing = new Set(unconfirmed.map(({ transaction }) => transaction));
          const { unconfirmed: known } = await readPosition(db, story.chain);
          const gone = known.filter((transaction) => !standing.has(transaction));
          await story.observe({ unconfirmed, gone });
        } else if (story.node.length > step.depth) {
          const { depth } = step;
          const kept = new Set(
            story.node
              .slice(0, -depth)
              .flatMap((block) => block.arrivals.map(({ creditKey }) => creditKey)),
          );
          const again = step.payments
            .map((n) => paid[n] as Arrival)
            .filter((arrival) => !kept.has(arrival.creditKey));
          await story.reorganise(depth, (index) => (index === 0 ? again : []));
        }
      }
      const stepwise = (await story.receiptsOf(instruction)).filter(
        ({ status }) => status === 'INCLUDED' || status === 'FINAL',
      );
      const twin = await startChain();
      const twinInstruction = await twin.open();
      const blocks = story.node.slice(1).map((block) => ({
        ...block,
        arrivals: block.arrivals.map((arrival) => ({
          ...arrival,
          destination: twinInstruction.destination,
        })),
      }));
      if (blocks.length > 0) await twin.observe({ blocks, tip: blocks.at(-1) as Block });
      const atOnce = await twin.receiptsOf(twinInstruction);
      const order = (a: { units: bigint }, b: { units: bigint }) => Number(a.units - b.units);
      assert.deepEqual(stepwise.map(facts).sort(order), atOnce.map(facts).sort(order));
    }),
    { numRuns: 40 },
  );
});

const COMPETING = { kind: 'competing-branch', what: '7', degree: 2 } as const;
const braked = { brake: [{ ...COMPETING, reason: 'the node sees a competing tip' }] };

test('while the brake is on a small payment needs twice the depth, a large one is held', async () => {
  const { open, mine, observe, receiptsOf, affected } = await startChain(() => 2);
  const [small, large] = [await open(), await open()];
  // Six blocks apart: nothing of the large one counts for the small one.
  await mine([payment(small, 999n)], braked);
  for (let block = 0; block < 6; block += 1) await mine([], braked);
  assert.equal((await receiptsOf(small))[0]?.status, 'FINAL');
  await mine([payment(large, 1000n)], braked);
  const [waiting] = await receiptsOf(large);
  assert.deepEqual([waiting?.heldAt, waiting?.confirmationsNeeded], [undefined, 4]);
  await clock.advance(1000);
  await mine([], braked);
  const heldAt = clock.now();
  await clock.advance(1000);
  for (let block = 0; block < 20; block += 1) await mine([], braked);
  const [held] = await receiptsOf(large);
  assert.deepEqual(
    [held?.status, held?.heldAt, held?.finalAt, held?.confirmations],
    ['INCLUDED', heldAt, undefined, 22n],
  );
  affected.length = 0;
  await observe(braked);
  assert.deepEqual(affected, [], 'what is held already is no news');
  await observe();
  const [final] = await receiptsOf(large);
  assert.deepEqual(
    [final?.status, final?.heldAt, final?.finalAt, final?.confirmationsNeeded],
    ['FINAL', undefined, clock.now(), 2],
  );
  assert.deepEqual(affected, [{ purpose: 'checkout', purposeId: large.purposeId }]);
  await observe(braked);
  assert.equal((await receiptsOf(large))[0]?.status, 'FINAL', 'what is final stays final');
});

test('a small payment waits for the second half of the depth, and no longer', async () => {
  const { open, mine, receiptsOf } = await startChain(() => 2);
  const small = await open();
  await mine([payment(small, 999n)], braked);
  const statuses: unknown[] = [];
  for (let block = 0; block < 3; block += 1) {
    await mine([], braked);
    statuses.push((await receiptsOf(small))[0]?.status);
  }
  assert.deepEqual(statuses, ['INCLUDED', 'INCLUDED', 'FINAL']);
});

test('where everything is settled when it is told (a bank), the brake holds what is large', async () => {
  const { open, mine, observe, receiptsOf } = await startChain(() => 0);
  const [small, large] = [await open(), await open()];
  await mine([payment(small, 999n)], braked);
  for (let block = 0; block < 5; block += 1) await mine([], braked);
  await mine([payment(large, 1000n)], braked);
  assert.equal((await receiptsOf(small))[0]?.status, 'FINAL');
  assert.equal((await receiptsOf(large))[0]?.status, 'INCLUDED');
  await observe();
  assert.equal((await receiptsOf(large))[0]?.status, 'FINAL');
});

test('parts of a large payment are held together, also when the brake comes later', async () => {
  const { open, mine, receiptsOf } = await startChain(() => 12);
  const [parted, apart] = [await open(), await open()];
  await mine([payment(apart, 600n)]);
  for (let block = 0; block < 6; block += 1) await mine();
  await mine([payment(parted, 600n)]);
  for (let block = 0; block < 4; block += 1) await mine();
  await mine([payment(parted, 600n)]);
  for (let block = 0; block < 8; block += 1) await mine([], braked);
  // Long after the blocks that came with the brake: what stood around it is looked up.
  for (let block = 0; block < 20; block += 1) await mine([], braked);
  const statuses = (await receiptsOf(parted)).map(({ status, heldAt }) => [
    status,
    heldAt?.toString(),
  ]);
  assert.deepEqual(statuses, [
    ['INCLUDED', clock.now().toString()],
    ['INCLUDED', clock.now().toString()],
  ]);
  assert.equal((await receiptsOf(apart))[0]?.status, 'FINAL');
  await mine();
  assert.deepEqual(
    (await receiptsOf(parted)).map(({ status }) => status),
    ['FINAL', 'FINAL'],
  );
});

test('what is held leaves its block like anything else, and is held again where it returns', async () => {
  const { open, mine, reorganise, receiptsOf } = await startChain(() => 1);
  const large = await open();
  const paid = payment(large, 5000n);
  await mine([paid], braked);
  assert.notEqual((await receiptsOf(large))[0]?.heldAt, undefined);
  await reorganise(1, () => [], braked);
  const [undone] = await receiptsOf(large);
  assert.deepEqual([undone?.status, undone?.heldAt], ['SEEN', undefined]);
  await mine([paid], braked);
  const [again] = await receiptsOf(large);
  assert.deepEqual([again?.status, again?.heldAt === undefined], ['INCLUDED', false]);
  assert.equal(again?.generation, 1);
  await mine();
  assert.equal((await receiptsOf(large))[0]?.status, 'FINAL');
});
