import { sql } from '#db/db.ts';
import type { ServerProcess } from '#test/support/server-process.ts';

/** What whoever signs refused is asked about again every half minute: set back, as if it passed. */
export async function passHalfAMinute({ db }: Pick<ServerProcess, 'db'>): Promise<void> {
  await db.transact(async (tx) =>
    tx.send(sql`update attempt set answered_at = answered_at - interval '1 minute'`),
  );
}
