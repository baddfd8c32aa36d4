// What tells whether a checkout is still as it was read: one cheap statement in place of one for
// each table. Everything that read-records.ts reads must be in it; check-invariants.ts of the tests
// compares what is remembered with what is stored.

import type { Reader } from '#db/db.ts';
import { sql } from '#db/db.ts';

/**
 * A text that is another one after any change: the place of a row and the transaction that wrote
 * it, and the heights and brakes that confirmations are counted with. Commitments, credits and the
 * history are only ever written together with the row of their checkout, credits of a refund with
 * the refund.
 */
export type RecordVersions = {
  /** Of the transactions that had ended: while it is the same, nothing at all was written. */
  readonly snapshot: string;
  readonly versions: ReadonlyMap<string, string>;
};

/**
 * Undefined when nothing was written in the whole database since `unchangedSince`, which is asked
 * for free. Only for checkouts that exist: none is ever deleted.
 */
export async function readRecordVersions(
  reader: Reader,
  ids: readonly string[],
  unchangedSince: string | undefined,
): Promise<RecordVersions | undefined> {
  const rows = await reader.query<{ id: string; version: string; snapshot: string }>(sql`
    select c.id, pg_current_snapshot()::text as snapshot,
      concat_ws('/', c.xmin::text, c.ctid::text,
      (select string_agg(concat(r.xmin::text, r.ctid::text, h.height::text, h.brake is null), '')
        from receipt r join chain_cursor h on h.chain = r.chain
        where r.purpose = 'checkout' and r.purpose_id = c.id),
      (select string_agg(concat(f.xmin::text, f.ctid::text, t.xmin::text, t.ctid::text), '')
        from refund f left join transfer t on t.id = f.transfer_id where f.checkout_id = c.id),
      (select string_agg(concat(a.xmin::text, a.ctid::text), '')
        from deposit_instruction i join anchor_deposit a on a.instruction_id = i.id
        where i.purpose = 'checkout' and i.purpose_id = c.id and not i.is_address_invoice)
      ) as version
    from checkout c
    where (select pg_current_snapshot()::text) <> ${unchangedSince ?? ''}
      and c.id = any(${ids}::text[])`);
  const [first] = rows;
  if (first === undefined && unchangedSince !== undefined) return undefined;
  return {
    snapshot: first?.snapshot ?? '',
    versions: new Map(rows.map(({ id, version }) => [id, version])),
  };
}
