import { sql, type Tx } from '#db/db.ts';

/** Also forgets a few of the signatures used before `forgetBefore`. */
export async function insertUsedSignature(
  tx: Tx,
  row: { readonly apiKey: string; readonly mac: Uint8Array; readonly usedAt: Temporal.Instant },
  forgetBefore: Temporal.Instant,
): Promise<void> {
  await tx.query(sql`
    with old as (
      delete from used_signature where (api_key, mac) in (
        select api_key, mac from used_signature where used_at < ${forgetBefore}::timestamptz
        order by used_at limit 100 for update skip locked)
    )
    insert into used_signature (api_key, mac, used_at)
    values (${row.apiKey}, ${row.mac}, ${row.usedAt})`);
}
