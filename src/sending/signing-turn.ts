// Who drafts for the signer on a chain: one process at a time, for its signer signs one transaction
// for each order and each turn of an account. A process that dies holds its turn until it ends;
// where it is known to be gone, because it ran on this machine, another one has it at once. What it
// sent to the database with its last breath may still be carried out there: whoever stores what the
// signer is asked looks under the lock whether anything was stored meanwhile.
import type { Clock } from '#base/clock.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Db, sql } from '#db/db.ts';
import { hasEnded } from '#runtime/process-lock.ts';

/** Longer than nodes and the signer take for one transfer. */
const TURN_SECONDS = 90;

/** `processId`: differs between processes (`nameProcess`). */
export type TurnApp = { readonly db: Db; readonly clock: Clock; readonly processId: string };

export async function takeTurn(app: TurnApp, chain: ChainId): Promise<boolean> {
  if (await take(app, chain, app.processId)) return true;
  const [holder] = await app.db.query<{ processId: string }>(sql`
    select process_id as "processId" from signing_turn where chain = ${chain}`);
  if (holder === undefined || !hasEnded(holder.processId)) return false;
  // Of several that find this out, one still finds it there.
  return take(app, chain, holder.processId);
}

/** Where it is over, or held by the process of this name. */
async function take(
  { db, clock, processId }: TurnApp,
  chain: ChainId,
  from: string,
): Promise<boolean> {
  const now = clock.now();
  const until = now.add({ seconds: TURN_SECONDS });
  const taken = await db.single((tx) =>
    tx.query(sql`
      insert into signing_turn as known (chain, process_id, ends_at)
      values (${chain}, ${processId}, ${until})
      on conflict (chain) do update set process_id = excluded.process_id, ends_at = excluded.ends_at
      where known.process_id = ${from} or known.ends_at <= ${now}
      returning chain`),
  );
  return taken.length === 1;
}
