import { type Db, sql } from '#db/db.ts';
import { SANDBOX_CHAINS } from '#networks/sandbox/sandbox-block.ts';

/**
 * Simulated chains get no block any more but those that are asked for: one that comes by itself
 * could take a payment before anybody sees it wait.
 */
export function holdBlocks(db: Db): Promise<void> {
  const chains = SANDBOX_CHAINS.map(({ chain }) => chain);
  return db.transact(async (tx) =>
    tx.send(sql`
      insert into sandbox_chain (chain, next_block_at)
      select unnest(${chains}::text[]), now() + interval '1 day'
      on conflict (chain) do update set next_block_at = excluded.next_block_at`),
  );
}
