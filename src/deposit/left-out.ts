// SQL of address_left_out, and of address_source where it is left out of; private to this folder.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';

/** Why money lies in suspense. */
export const GIVEN_BEFORE_RESTORE = 'address given out before a restore';

export type SourceName = { readonly owner: ChainId; readonly descriptor: string };

export async function findNextIndex(
  reader: Reader,
  { owner, descriptor }: SourceName,
): Promise<bigint | undefined> {
  const [row] = await reader.query<{ next: bigint }>(sql`
    select next_index as next from address_source
    where chain = ${owner} and descriptor = ${descriptor}`);
  return row?.next;
}

/** The source goes on at `to` at least; gives where it goes on. */
export async function raiseNextIndex(
  tx: Tx,
  { owner, descriptor }: SourceName,
  to: bigint,
  now: Temporal.Instant,
): Promise<bigint> {
  const [row] = await tx.query<{ next: bigint }>(sql`
    insert into address_source (chain, descriptor, first_index, next_index, created_at)
    values (${owner}, ${descriptor}, 0, ${to}, ${now})
    on conflict (chain, descriptor) do update
      set next_index = greatest(address_source.next_index, excluded.next_index)
    returning next_index as next`);
  return row?.next ?? to;
}

export function insertLeftOut(
  tx: Tx,
  chain: ChainId,
  destinations: readonly string[],
  reason: string,
  now: Temporal.Instant,
): void {
  if (destinations.length === 0) return;
  tx.send(sql`
    insert into address_left_out (chain, destination, reason, left_out_at)
    select ${chain}, destination, ${reason}, ${now}::timestamptz
    from unnest(${destinations}::text[]) destination
    where not exists (select from deposit_instruction i
      where i.chain = ${chain} and i.destination = destination.destination)
    on conflict do nothing`);
}

/** Few, or none: all of them at once. */
export async function listLeftOut(
  reader: Reader,
  chains: readonly ChainId[],
): Promise<{ chain: ChainId; destination: string }[]> {
  return reader.query(sql`
    select chain, destination from address_left_out where chain = any(${chains}::text[])`);
}
