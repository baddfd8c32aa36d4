import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import {
  listReceiptsByPurpose,
  listUnsettledSuspense,
  markReceiptCredited,
  markReceiptReversed,
} from '#chain/receipt.ts';
import { type Db, sql } from '#db/db.ts';
import { type DepositInstruction, listInstructions } from '#deposit/deposit-instruction.ts';
import { settleSuspense } from '#settle/settle-suspense.ts';
import {
  openSandboxActs,
  openSandboxChain,
  type SandboxActs,
  sandboxKeyring,
} from '#test/support/sandbox-chain.ts';
import { freezeChain, makeSandboxBlocks, mineBlocks, thawChain } from './make-blocks.ts';
import { paySandbox } from './pay-sandbox.ts';
import { reorgChain, replaceTransaction } from './reorg-chain.ts';
import { lockSandboxChain } from './sandbox-block.ts';

const merchantId = 'merchant0001';
let acts: SandboxActs;
let db: Db;
let clock: SandboxActs['clock'];
before(async () => {
  acts = await openSandboxActs(11, [merchantId]);
  ({ db, clock } = acts);
});

async function startStory(chain: ChainId) {
  const { network, watch, assetId, open: openFor } = await openSandboxChain(acts, chain);
  const open = () => openFor(merchantId);
  const pay = async (instruction: { destination: string }, units: bigint) => {
    const [sent] = await paySandbox(acts, {
      chain,
      outputs: [{ destination: instruction.destination, assetId, units }],
    });
    await watch.step();
    return sent?.transaction ?? '';
  };
  const mine = async (count = 1) => {
    await mineBlocks(acts, chain, count);
    await watch.step();
  };
  return { acts, network, watch, open, pay, mine, assetId };
}

async function statuses({ purposeId }: DepositInstruction) {
  const receipts = await listReceiptsByPurpose(db, 'checkout', [purposeId]);
  return receipts.map(({ status, units }) => [status, units]);
}

test('seen, in a block, final', async () => {
  const { open, pay, mine } = await startStory('test:BITCOIN');
  const instruction = await open();
  await pay(instruction, 5000n);
  assert.deepEqual(await statuses(instruction), [['SEEN', 5000n]]);
  await mine();
  assert.deepEqual(await statuses(instruction), [['INCLUDED', 5000n]]);
  await mine();
  assert.deepEqual(await statuses(instruction), [['FINAL', 5000n]]);
});

test('blocks come on schedule, and each payment of a split one is a receipt', async () => {
  const { acts, open, watch, assetId } = await startStory('test:LITECOIN');
  const { destination, purposeId } = await open();
  const outputs = [{ destination, assetId, units: 100n }];
  await paySandbox(acts, { chain: 'test:LITECOIN', outputs, parts: 3 });
  await makeSandboxBlocks(acts, ['test:LITECOIN']);
  const receipts = async () => {
    await watch.step();
    const list = await listReceiptsByPurpose(db, 'checkout', [purposeId]);
    return list.map(({ units, confirmations }) => [units, confirmations]);
  };
  const confirmed = (count: bigint) => [34n, 33n, 33n].map((units) => [units, count]);
  assert.deepEqual(await receipts(), confirmed(1n));
  await clock.advance(3_999);
  assert.equal(await makeSandboxBlocks(acts, ['test:LITECOIN']), 0);
  await clock.advance(1);
  const [first, second] = await Promise.all(
    [1, 2].map(() => makeSandboxBlocks(acts, ['test:LITECOIN'])),
  );
  assert.equal((first ?? 0) + (second ?? 0), 1, 'two processes make one block');
  assert.deepEqual(await receipts(), confirmed(2n));
});

test('replaced by one that pays another amount', async () => {
  const { acts, open, pay, mine, watch } = await startStory('test:BITCOIN');
  const instruction = await open();
  const transaction = await pay(instruction, 5000n);
  const other = await replaceTransaction(acts, {
    chain: 'test:BITCOIN',
    transaction,
    units: 4000n,
  });
  await watch.step();
  assert.deepEqual(await statuses(instruction), [
    ['GONE', 5000n],
    ['SEEN', 4000n],
  ]);
  const [gone] = await listReceiptsByPurpose(db, 'checkout', [instruction.purposeId]);
  assert.equal(gone?.replacedBy, other.transaction);
  await mine(2);
  assert.deepEqual(await statuses(instruction), [
    ['GONE', 5000n],
    ['FINAL', 4000n],
  ]);
});

test('a double spend that pays somebody else leaves nothing to credit', async () => {
  const { acts, open, pay, mine } = await startStory('test:BITCOIN');
  const instruction = await open();
  const transaction = await pay(instruction, 5000n);
  await replaceTransaction(acts, { chain: 'test:BITCOIN', transaction });
  await mine();
  const [gone] = await listReceiptsByPurpose(db, 'checkout', [instruction.purposeId]);
  assert.equal(gone?.status, 'GONE');
  assert.notEqual(gone.conflictHeight, undefined);
});

test('reorganised away and mined again', async () => {
  const { acts, open, pay, mine, watch } = await startStory('test:BITCOIN');
  const instruction = await open();
  await pay(instruction, 5000n);
  await mine();
  await reorgChain(acts, { chain: 'test:BITCOIN', depth: 1, transactions: 'return' });
  await watch.step();
  assert.deepEqual(await statuses(instruction), [['SEEN', 5000n]]);
  await mine();
  assert.deepEqual(await statuses(instruction), [['INCLUDED', 5000n]]);
  await reorgChain(acts, { chain: 'test:BITCOIN', depth: 1, transactions: 'remine' });
  await watch.step();
  assert.deepEqual(await statuses(instruction), [['FINAL', 5000n]]);
});

for (const mode of ['drop', 'double-spend'] as const) {
  test(`credited and reorganised away (${mode}): due to be reversed, once`, async () => {
    const { acts, open, pay, mine, watch } = await startStory('test:BITCOIN');
    const instruction = await open();
    await pay(instruction, 5000n);
    await mine(2);
    const read = async () => {
      const [receipt] = await listReceiptsByPurpose(db, 'checkout', [instruction.purposeId]);
      assert.ok(receipt !== undefined);
      return receipt;
    };
    const { id } = await read();
    await db.transact(async (tx) => markReceiptCredited(tx, id, 1));
    await reorgChain(acts, { chain: 'test:BITCOIN', depth: 2, transactions: mode });
    await watch.step();
    await watch.step();
    assert.equal((await read()).status, 'GONE');
    // A rival is deep enough by now; a mere absence counts twice the depth.
    assert.equal((await read()).reversalDue, mode === 'double-spend');
    await mine(3);
    assert.equal((await read()).reversalDue, true);
    await db.transact(async (tx) => markReceiptReversed(tx, id, 1));
    assert.equal((await read()).reversalDue, false);
  });
}

test('one transaction that pays the same address twice is two receipts', async () => {
  const { acts, open, assetId, watch, mine } = await startStory('test:BITCOIN');
  const instruction = await open();
  const output = { destination: instruction.destination, assetId, units: 700n };
  await paySandbox(acts, { chain: 'test:BITCOIN', outputs: [output, output] });
  await watch.step();
  await mine();
  assert.deepEqual(await statuses(instruction), [
    ['INCLUDED', 700n],
    ['INCLUDED', 700n],
  ]);
});

test('a memo nobody has: the money lies in suspense, booked once', async () => {
  const { network, open, pay, mine } = await startStory('test:STELLAR');
  const instruction = await open();
  await pay(instruction, 5n);
  await pay({ destination: `${network.addressSource}:1` }, 7n);
  await pay({ destination: network.addressSource }, 8n);
  await pay({ destination: 'GSTRANGER:1' }, 9n);
  await mine();
  assert.deepEqual(await statuses(instruction), [['FINAL', 5n]]);
  const unmatched = await listUnsettledSuspense(db, 'test:STELLAR', 10);
  assert.deepEqual(
    unmatched.map(({ units }) => units),
    [7n, 8n],
  );
  const app = { db, clock, log: silentLog };
  assert.equal(await settleSuspense(app, 'test:STELLAR'), 2);
  assert.equal(await settleSuspense(app, 'test:STELLAR'), 0);
  const balances = await db.query(sql`select code, balance_units as units from ledger_balance
    where environment = ${environmentOf('test:STELLAR')} order by code`);
  assert.deepEqual(balances, [
    { code: 'custody:STELLAR', units: 15n },
    { code: 'suspense:STELLAR', units: -15n },
  ]);
});

test('suspense that leaves the chain again is taken back', async () => {
  const { acts, network, pay, mine, watch } = await startStory('test:STELLAR');
  await pay({ destination: `${network.addressSource}:2` }, 100n);
  await mine();
  const app = { db, clock, log: silentLog };
  assert.equal(await settleSuspense(app, 'test:STELLAR'), 1);
  await reorgChain(acts, { chain: 'test:STELLAR', depth: 1, transactions: 'drop' });
  await watch.step();
  await mine(2);
  assert.equal(await settleSuspense(app, 'test:STELLAR'), 1);
  assert.equal(await settleSuspense(app, 'test:STELLAR'), 0);
  const [account] = await db.query<{ units: bigint }>(
    sql`select balance_units as units from ledger_balance where code = 'suspense:STELLAR'`,
  );
  assert.equal(account?.units, -15n);
});

test('a Lightning payment is final at once, and an invoice is paid once', async () => {
  const { open, pay, watch } = await startStory('test:LIGHTNING');
  const instruction = await open();
  await pay(instruction, 5000n);
  assert.deepEqual(await statuses(instruction), [['FINAL', 5000n]]);
  await assert.rejects(pay(instruction, 5000n), { name: 'Refusal' });
  await watch.step();
  assert.equal((await statuses(instruction)).length, 1);
});

test('while the chain is frozen its node is dead; afterwards nothing is missing', async () => {
  const { acts, open, pay, watch } = await startStory('test:ETHEREUM');
  const instruction = await open();
  await freezeChain(acts, 'test:ETHEREUM', clock.now().add({ seconds: 60 }));
  await assert.rejects(pay(instruction, 5n), { name: 'Outage' });
  await clock.advance(59_000);
  assert.equal(await makeSandboxBlocks(acts, ['test:ETHEREUM']), 0);
  await mineBlocks(acts, 'test:ETHEREUM', 3);
  assert.deepEqual(await statuses(instruction), []);
  await thawChain(acts, 'test:ETHEREUM');
  await watch.step();
  assert.deepEqual(await statuses(instruction), [['FINAL', 5n]]);
});

test('a payment held back stays in the mempool', async () => {
  const { acts, open, watch, mine, assetId } = await startStory('test:BITCOIN');
  const instruction = await open();
  const [sent] = await paySandbox(acts, {
    chain: 'test:BITCOIN',
    outputs: [{ destination: instruction.destination, assetId, units: 5n }],
    heldUntil: clock.now().add({ hours: 1 }),
  });
  await mine();
  assert.deepEqual(await statuses(instruction), [['SEEN', 5n]]);
  await mineBlocks(acts, 'test:BITCOIN', 1, [sent?.transaction ?? '']);
  await watch.step();
  assert.deepEqual(await statuses(instruction), [['INCLUDED', 5n]]);
});

test('an instruction that was changed in the database is never shown', async () => {
  const { open } = await startStory('test:BITCOIN');
  const { purposeId, id } = await open();
  const list = () => listInstructions({ keyring: sandboxKeyring }, db, 'checkout', purposeId);
  assert.deepEqual(
    (await list()).map((one) => one.id),
    [id],
  );
  await db.transact(async (tx) =>
    tx.send(sql`update deposit_instruction set address = 'mine' where id = ${id}`),
  );
  await assert.rejects(list(), { name: 'AssertionFailure' });
});

test('a chain that is there is locked by two questions, and no row is written', async () => {
  const chain: ChainId = 'test:BITCOIN';
  await startStory(chain);
  const asked: string[] = [];
  await db.transact((tx) => {
    const heard: typeof tx = {
      ...tx,
      send(statement) {
        asked.push(statement.text);
        tx.send(statement);
      },
      query(statement) {
        asked.push(statement.text);
        return tx.query(statement);
      },
    };
    return lockSandboxChain(heard, chain, clock.now());
  });
  assert.equal(asked.length, 2);
  for (const text of asked) assert.match(text, /^\s*select /);
});
