// Who drafts for the signer on a chain: one process at a time, for its signer signs one transaction
// for each order and each turn of an account. A process that dies holds its turn until it ends.
import type { Clock } from '#base/clock.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Db, sql } from '#db/db.ts';

/** Longer than nodes and the signer take for one transfer. */
const TURN_SECONDS = 90;

/** `process`: differs between processes. */
export type TurnApp = { readonly db: Db; readonly clock: Clock; readonly processId: string };

export async function takeTurn(
  { db, clock, processId }: TurnApp,
  chain: ChainId,
): Promise<boolean> {
  const now = clock.now();
  const until = now.add({ seconds: TURN_SECONDS });
  const taken = await db.single((tx) =>
    tx.query(sql`
      insert into signing_turn as known (chain, process_id, ends_at)
      values (${chain}, ${processId}, ${until})
      on conflict (chain) do update set process_id = excluded.process_id, ends_at = excluded.ends_at
      where known.process_id = excluded.process_id or known.ends_at <= ${now}
      returning chain`),
  );
  return taken.length === 1;
}
