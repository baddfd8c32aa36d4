// Where destinations come from, one after the other: an account of a wallet, or the numbers behind
// one address. And the SQL of its table.

import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import { listInvoiceChains } from '#catalog/network.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
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
 * `first`: where a source begins that is new. Gives the first of `count` in a row. The row is
 * locked until the transaction ends: two takers never get the same index (AD2).
 */
export async function takeIndexes(
  tx: Tx,
  { owner, descriptor }: SourceName,
  { first, count }: { readonly first: bigint; readonly count: bigint },
  now: Temporal.Instant,
): Promise<{ sourceId: bigint; index: bigint }> {
  const row = {
    chain: owner,
    descriptor,
    firstIndex: first,
    nextIndex: first + count,
    createdAt: now,
  };
  // How many are taken is said by the row alone.
  const rest = sql`
    on conflict (chain, descriptor) do update
      set next_index = address_source.next_index + excluded.next_index - excluded.first_index
    returning id as "sourceId", next_index as "nextIndex"`;
  const [taken] = await tx.query<{ sourceId: bigint; nextIndex: bigint }>(
    ADDRESS_SOURCE.insert([row], rest),
  );
  assert(taken !== undefined, 'a source is made or goes on');
  return { sourceId: taken.sourceId, index: taken.nextIndex - count };
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

/** Destinations that are looked at for a gap: more than a wallet would be set to look ahead. */
export const GAP_LOOKED_AT = 5_000n;

export type SourceGap = {
  readonly chain: ChainId;
  readonly descriptor: string;
  /** How many were given out; both count from the first that was. */
  readonly issued: bigint;
  /** Of the newest `GAP_LOOKED_AT`; null when none of them was paid. */
  readonly lastPaidIndex: bigint | null;
};

/**
 * Counts back from the newest destination to the first one that was paid: that is the gap. None of
 * invoices: what a node makes has no gap, and anybody may ask for one that nobody pays. Anybody may
 * commit to a checkout too, and ask for the health of the service: not beyond `GAP_LOOKED_AT`.
 * `isPaid`: whether anything came for the instruction `d`.
 */
export function listSourceGaps(reader: Reader, isPaid: Statement): Promise<SourceGap[]> {
  const invoiceChains = listInvoiceChains();
  return reader.query<SourceGap>(sql`
    select s.chain, s.descriptor, s.next_index - s.first_index as issued,
      (select d.source_index - s.first_index from deposit_instruction d
        where d.source_id = s.id and d.source_index >= s.next_index - ${GAP_LOOKED_AT}
          and ${isPaid}
        order by d.source_index desc limit 1) as "lastPaidIndex"
    from address_source s where s.chain <> all(${invoiceChains}::text[]) order by s.id`);
}
