// Where destinations come from, one after the other: an account of a wallet, or the numbers behind
// one address. And the SQL of its table.

import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { bigInteger, defineTable, insertOnly, moment, text } from '#db/table.ts';

export const ADDRESS_SOURCE = defineTable('address_source', {
  chain: text<ChainId>(),
  descriptor: text(),
  /** Zero where destinations are derived, anywhere where they are numbers. */
  firstIndex: bigInteger,
  /** Everything from the first to below it was given out, or is left out. */
  nextIndex: bigInteger,
  createdAt: insertOnly(moment),
});
const NEXT = ADDRESS_SOURCE.only('nextIndex');

/** `owner`: the chain that counts for all that have the same destinations. */
export type SourceName = { readonly owner: ChainId; readonly descriptor: string };

/**
 * `first`: where a source begins that is new. The row is locked until the transaction ends: two
 * takers never get the same index (AD2).
 */
export async function takeIndex(
  tx: Tx,
  { owner, descriptor }: SourceName,
  first: bigint,
  now: Temporal.Instant,
): Promise<{ sourceId: bigint; index: bigint }> {
  const row = {
    chain: owner,
    descriptor,
    firstIndex: first,
    nextIndex: first + 1n,
    createdAt: now,
  };
  const rest = sql`
    on conflict (chain, descriptor) do update set next_index = address_source.next_index + 1
    returning id as "sourceId", next_index - 1 as index`;
  const [taken] = await tx.query<{ sourceId: bigint; index: bigint }>(
    ADDRESS_SOURCE.insert([row], rest),
  );
  assert(taken !== undefined, 'a source is made or goes on');
  return taken;
}

export async function findNextIndex(
  reader: Reader,
  { owner, descriptor }: SourceName,
): Promise<bigint | undefined> {
  const found = await NEXT.find(reader, sql`where chain = ${owner} and descriptor = ${descriptor}`);
  return found?.nextIndex;
}

/** The source goes on at `to` at least; gives where it goes on. */
export async function raiseNextIndex(
  tx: Tx,
  { owner, descriptor }: SourceName,
  to: bigint,
  now: Temporal.Instant,
): Promise<bigint> {
  const row = { chain: owner, descriptor, firstIndex: 0n, nextIndex: to, createdAt: now };
  const rest = sql`
    on conflict (chain, descriptor) do update
      set next_index = greatest(address_source.next_index, excluded.next_index)
    returning next_index as next`;
  const [raised] = await tx.query<{ next: bigint }>(ADDRESS_SOURCE.insert([row], rest));
  return raised?.next ?? to;
}
