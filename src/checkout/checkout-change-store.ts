// Which checkouts changed, whoever changed them. Guarantees: what was committed between two
// questions is in the answer of the second, whatever the order in which transactions began and
// ended; each change is told once. Costs what changed, not what is open: one index range.

import { type Reader, sql } from '#db/db.ts';

export type ChangesSeen = {
  /** What to ask with the next time. */
  readonly snapshot: string;
  /** Undefined: more than can be listed, take all as changed. */
  readonly checkoutIds: readonly string[] | undefined;
};

const CHANGES_MOST = 5_000;

/** `since`: the snapshot of the question before; without one nothing is listed. */
export async function readCheckoutChanges(
  reader: Reader,
  since: string | undefined,
): Promise<ChangesSeen> {
  // The upper bound: rows restored from another server may carry numbers of its future.
  const [row] = await reader.query<{ snapshot: string; ids: string[] }>(sql`
    select pg_current_snapshot()::text as snapshot, array(
      select id from checkout
      where changed_in >= pg_snapshot_xmin(${since ?? null}::pg_snapshot)
        and changed_in < pg_snapshot_xmax(pg_current_snapshot())
        and not pg_visible_in_snapshot(changed_in, ${since ?? null}::pg_snapshot)
      limit ${CHANGES_MOST + 1}) as ids`);
  const { snapshot = '', ids = [] } = row ?? {};
  return { snapshot, checkoutIds: ids.length > CHANGES_MOST ? undefined : ids };
}
