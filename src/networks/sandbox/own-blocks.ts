// Blocks made and undone for one merchant alone. All merchants share the heights of a simulated
// chain, its blocks on schedule and their times; which of the blocks holds a payment is a matter of
// its merchant. So mining for one moves his payments down, as deep as if the blocks were on top of
// them, and undoing takes his payments out: blocks of other hashes stand at the same heights, and
// what everybody else was paid stands where it stood, as deep as before.
//
// Not guaranteed: on a chain with fewer than `ROOM` blocks there is nowhere to move to. There the
// blocks that are missing are made on top, and everybody's payments are so much deeper.

import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { lowestKeptBlock } from '#chain/chain-status.ts';
import { sql, type Tx } from '#db/db.ts';
import { findOwned } from '#deposit/deposit-instruction.ts';
import type { BlockReference } from '#deposit/network.ts';
import type { MakeBlocksApp } from './make-blocks.ts';
import type { SandboxApp } from './pay-sandbox.ts';
import { spendElsewhere } from './reorg-chain.ts';
import { lockSandboxChain, replaceBlocksFrom } from './sandbox-block.ts';
import {
  listReadyTransactions,
  listTransactionsAbove,
  type StoredTransaction,
  setState,
} from './sandbox-transaction.ts';

/** One thing of his alone where `purposeId` names it; money he sends is his, never of one thing. */
export type BlockOwner = { readonly merchantId: string; readonly purposeId?: string | undefined };

/** More than any payment needs to be final. */
const DEEPEST = 60n;
/** How deep payments are still moved; what is deeper is final long since. */
const MOVED = 30n;
export const ROOM = DEEPEST + MOVED;

/** His unconfirmed payments are mined, and all of his are deeper by that many blocks. */
export function mineOwn(
  app: MakeBlocksApp,
  chain: ChainId,
  owner: BlockOwner,
  count: number,
): Promise<BlockReference> {
  const now = app.clock.now();
  const wanted = BigInt(count) < DEEPEST ? BigInt(count) : DEEPEST;
  return app.db.transact(async (tx) => {
    const { tip, fork } = await lockSandboxChain(tx, chain, now);
    const [mined, ready] = await Promise.all([
      listTransactionsAbove(tx, chain, tip.height - MOVED),
      listReadyTransactions(tx, chain, now),
    ]);
    const own = await keepOwn(tx, chain, owner, [...mined, ...ready]);
    if (own.length === 0) return tip;
    const tops = own.map(({ blockHeight }) => blockHeight ?? tip.height + 1n);
    const lowest = least(tops);
    const room = lowest - 1n - (await floorOf(tx, chain, tip));
    const more = room < wanted ? wanted - (room > 0n ? room : 0n) : 0n;
    const down = wanted - more;
    const heights = new Map(own.map(({ transaction }, at) => [transaction, tops[at]! - down]));
    const from = least([...heights.values(), ...tops, tip.height + 1n]);
    setHeights(tx, chain, heights);
    return replaceBlocksFrom(tx, chain, from, { fork: fork + 1, more, now });
  });
}

/**
 * His payments in the last `depth` blocks are taken out of the chain: what pays him is spent by
 * somebody else, who waits to be mined (by his blocks too); what he sends is forgotten.
 */
export function undoOwn(
  app: SandboxApp,
  chain: ChainId,
  owner: BlockOwner,
  depth: number,
): Promise<BlockReference> {
  const now = app.clock.now();
  return app.db.transact(async (tx) => {
    const { tip, fork } = await lockSandboxChain(tx, chain, now);
    const ancestor = tip.height - BigInt(depth);
    if (depth < 1 || ancestor < (await floorOf(tx, chain, tip))) {
      throw new Refusal('invalid', 'depth_invalid', 'depth: 1 to the number of blocks there are');
    }
    const own = await keepOwn(tx, chain, owner, await listTransactionsAbove(tx, chain, ancestor));
    if (own.length === 0) return tip;
    const [sent, paid] = [
      own.filter(({ spends }) => spends.length === 0),
      own.filter(({ spends }) => spends.length > 0),
    ];
    const forgotten = sent.map(({ transaction }) => transaction);
    setState(tx, chain, forgotten, 'DROPPED');
    spendElsewhere(
      app,
      tx,
      chain,
      paid.map((one) => ({ ...one, merchantId: owner.merchantId })),
    );
    return replaceBlocksFrom(tx, chain, ancestor + 1n, { fork: fork + 1, more: 0n, now });
  });
}

/** Where transactions are mined now, each at its own height. */
function setHeights(tx: Tx, chain: ChainId, heights: ReadonlyMap<string, bigint>): void {
  tx.send(sql`
    update sandbox_transfer t set state = 'MINED', block_height = v.height
    from unnest(${[...heights.keys()]}::text[], ${[...heights.values()]}::bigint[])
      as v(transaction, height)
    where t.chain = ${chain} and t.transaction = v.transaction`);
}

async function keepOwn(
  tx: Tx,
  chain: ChainId,
  owner: BlockOwner,
  transactions: readonly StoredTransaction[],
): Promise<StoredTransaction[]> {
  const destinations = transactions.flatMap(({ outputs }) => outputs.map((one) => one.destination));
  const owned = await findOwned(tx, chain, destinations, owner);
  return transactions.filter(
    ({ outputs, merchantId }) =>
      outputs.every(({ destination }) => owned.has(destination)) ||
      (owner.purposeId === undefined && merchantId === owner.merchantId),
  );
}

/** The lowest block that stays: below it the service could not walk back. */
async function floorOf(tx: Tx, chain: ChainId, tip: BlockReference): Promise<bigint> {
  const kept = (await lowestKeptBlock(tx, chain)) ?? 0n;
  const dense = tip.height - ROOM;
  return kept > dense ? kept : dense > 0n ? dense : 0n;
}

function least(heights: readonly bigint[]): bigint {
  return heights.reduce((lowest, height) => (height < lowest ? height : lowest));
}
