import { sql } from '#db/db.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';

export type Cursor = { readonly height: bigint; readonly hash: string };

/** Until the server has read the chain as far as that. */
export function waitForCursor(
  { db }: ServerProcess,
  chain: string,
  isReached: (cursor: Cursor) => boolean,
): Promise<void> {
  return waitUntil('the server to read the tip', async () => {
    const [cursor] = await db.query<Cursor>(
      sql`select height, hash from chain_cursor where chain = ${chain}`,
    );
    return cursor !== undefined && isReached(cursor);
  });
}
