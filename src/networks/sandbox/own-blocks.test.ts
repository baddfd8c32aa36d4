// What one merchant plays on a simulated chain, as the service sees it happen to two of them.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { newId } from '#base/id.ts';
import type { ChainId } from '#catalog/chain.ts';
import { listReceiptsByPurpose } from '#chain/receipt.ts';
import { type Db, sql } from '#db/db.ts';
import type { DepositInstruction } from '#deposit/deposit-instruction.ts';
import {
  openSandboxActs,
  openSandboxChain,
  type SandboxActs,
} from '#test/support/sandbox-chain.ts';
import { makeSandboxBlocks, mineBlocks, silenceChain } from './make-blocks.ts';
import { mineOwn, ROOM, undoOwn } from './own-blocks.ts';
import { paySandbox } from './pay-sandbox.ts';

const [mine, theirs] = [{ merchantId: 'merchant0001' }, { merchantId: 'merchant0002' }];
let acts: SandboxActs;
let db: Db;
let clock: SandboxActs['clock'];
let random: SandboxActs['random'];
before(async () => {
  acts = await openSandboxActs(12, [mine.merchantId, theirs.merchantId]);
  ({ db, clock, random } = acts);
});

/** A chain that is watched, older than its first minutes, and a payment of each merchant on it. */
async function openStory(chain: ChainId) {
  const { watch, assetId, open } = await openSandboxChain(acts, chain);
  await mineBlocks(acts, chain, Number(ROOM) + 20);
  await watch.step();
  const pay = async ({ merchantId }: { readonly merchantId: string }) => {
    const instruction = await open(merchantId);
    const outputs = [{ destination: instruction.destination, assetId, units: 5000n }];
    await paySandbox(acts, { chain, outputs, merchantId });
    await watch.step();
    return instruction;
  };
  /** Of a payment: how it stands, and how many blocks hold and bury it. */
  const told = async (...instructions: readonly DepositInstruction[]) => {
    // What a reorganisation threw out is asked about in the step after it.
    await watch.step();
    await watch.step();
    const [tip] = await db.query<{ height: bigint }>(
      sql`select height from chain_cursor where chain = ${chain}`,
    );
    return Promise.all(
      instructions.map(async ({ purposeId }) => {
        const [receipt] = await listReceiptsByPurpose(db, 'checkout', [purposeId]);
        const height = receipt?.blockHeight;
        const depth = height === undefined ? 0n : (tip?.height ?? 0n) - height + 1n;
        return `${receipt?.status ?? 'UNSEEN'} ${depth}`;
      }),
    );
  };
  return { acts, pay, told, both: [await pay(mine), await pay(theirs)] as const };
}

test('blocks of one merchant confirm his payments, as deep as he says, and nobody else’s', async () => {
  const { acts, told, both } = await openStory('test:BITCOIN');
  assert.deepEqual(await told(...both), ['SEEN 0', 'SEEN 0']);
  await mineOwn(acts, 'test:BITCOIN', mine, 1);
  assert.deepEqual(await told(...both), ['INCLUDED 1', 'SEEN 0']);
  await mineBlocks(acts, 'test:BITCOIN', 1);
  assert.deepEqual(await told(...both), ['FINAL 2', 'INCLUDED 1']);
  await mineOwn(acts, 'test:BITCOIN', mine, 5);
  assert.deepEqual(await told(...both), ['FINAL 7', 'INCLUDED 1']);
  await mineOwn(acts, 'test:BITCOIN', theirs, 1);
  assert.deepEqual(await told(...both), ['FINAL 7', 'FINAL 2']);
});

test('what one merchant undoes is gone for him; what others were paid stands as deep as before', async () => {
  const { acts, told, both } = await openStory('test:LITECOIN');
  await mineBlocks(acts, 'test:LITECOIN', 3);
  assert.deepEqual(await told(...both), ['FINAL 3', 'FINAL 3']);
  await undoOwn(acts, 'test:LITECOIN', mine, 3);
  assert.deepEqual(await told(...both), ['GONE 0', 'FINAL 3']);
  await mineBlocks(acts, 'test:LITECOIN', 1);
  assert.deepEqual(await told(...both), ['GONE 0', 'FINAL 4']);
});

test('his blocks bury what took the place of his payments, and nobody else’s', async () => {
  const chain = 'test:OPTIMISM';
  const { acts, told, both } = await openStory(chain);
  const rival = async () => {
    const [row] = await db.query<{ depth: bigint | null }>(sql`
      select (select max(height) from sandbox_block where chain = ${chain}) - block_height + 1
        as depth from sandbox_transfer
      where chain = ${chain} and destination like 'elsewhere-%'`);
    return row?.depth;
  };
  await mineBlocks(acts, chain, 2);
  await undoOwn(acts, chain, mine, 2);
  assert.equal(await rival(), null);
  await mineOwn(acts, chain, mine, 3);
  assert.equal(await rival(), 3n);
  assert.deepEqual(
    (await told(...both)).map((one) => one.slice(-1)),
    ['0', '2'],
  );
});

test('of one checkout alone: the other payments of the same merchant stay', async () => {
  const { acts, pay, told, both } = await openStory('test:POLYGON');
  const more = await pay(mine);
  const { purposeId } = more;
  await mineOwn(acts, 'test:POLYGON', { ...mine, purposeId }, 2);
  assert.deepEqual(
    (await told(...both, more)).map((one) => one.slice(-1)),
    ['0', '0', '2'],
  );
  await undoOwn(acts, 'test:POLYGON', { ...mine, purposeId }, 2);
  assert.deepEqual(await told(...both, more), ['SEEN 0', 'SEEN 0', 'GONE 0']);
});

test('where nothing is one’s own, nothing is made', async () => {
  const { acts, told, both } = await openStory('test:STELLAR');
  const nobody = { merchantId: 'merchant0003' };
  const before = await mineOwn(acts, 'test:STELLAR', nobody, 5);
  assert.deepEqual(await undoOwn(acts, 'test:STELLAR', nobody, 5), before);
  assert.deepEqual(await told(...both), ['SEEN 0', 'SEEN 0']);
});

test('a node is silent for one merchant: his payments come when he hears it again', async () => {
  const chain = 'test:BASE';
  const { acts, pay, told } = await openStory(chain);
  await silenceChain(acts, chain, mine.merchantId, clock.now().add({ seconds: 60 }));
  const both = [await pay(mine), await pay(theirs)];
  assert.deepEqual(await told(...both), ['UNSEEN 0', 'SEEN 0']);
  await mineBlocks(acts, chain, 1);
  await mineOwn(acts, chain, mine, 1);
  assert.equal((await told(...both))[0], 'UNSEEN 0');
  await clock.advance(60_000);
  assert.equal((await told(...both))[0], 'SEEN 0');
});

test('on a network without blocks a payment made in silence lands when the silence is over', async () => {
  const chain = 'test:SEPA';
  const { acts, pay, told } = await openStory(chain);
  await silenceChain(acts, chain, mine.merchantId, clock.now().add({ seconds: 60 }));
  const both = [await pay(mine), await pay(theirs)];
  assert.deepEqual(
    (await told(...both)).map((one) => one.split(' ')[0]),
    ['UNSEEN', 'FINAL'],
  );
  assert.equal(await makeSandboxBlocks(acts, [chain]), 0);
  await clock.advance(60_000);
  assert.equal(await makeSandboxBlocks(acts, [chain]), 1);
  assert.deepEqual(
    (await told(...both)).map((one) => one.split(' ')[0]),
    ['FINAL', 'FINAL'],
  );
});

test('a chain of a few blocks has no room: the missing blocks are made on top, for everybody', async () => {
  const chain = 'test:XRP_LEDGER';
  const destination = `nobody-${newId(random)}`;
  const outputs = [{ destination, assetId: 'XRP:XRP_LEDGER', units: 5000n }];
  const [sent] = await paySandbox(acts, { chain, outputs, merchantId: mine.merchantId });
  const tip = await mineOwn(acts, chain, mine, 4);
  const [row] = await db.query<{ height: bigint }>(sql`
    select block_height as height from sandbox_transfer where transaction = ${sent?.transaction}`);
  assert.deepEqual([tip.height, row?.height], [4n, 1n]);
});
