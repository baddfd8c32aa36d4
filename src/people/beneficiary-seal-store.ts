// SQL of the step that seals old rows, private to this folder.
import { type Reader, sql, type Tx } from '#db/db.ts';
import type { SealedFields } from './seal-beneficiary.ts';

/** False when it was set before. */
export async function setSealedAt(tx: Tx, now: Temporal.Instant): Promise<boolean> {
  const rows = await tx.query(sql`
    update installation set beneficiaries_sealed_at = ${now}
    where beneficiaries_sealed_at is null returning id`);
  return rows.length > 0;
}

export function listUnsealedRows(reader: Reader): Promise<SealedFields[]> {
  return reader.query<SealedFields>(sql`
    select id, merchant_id as "merchantId", environment, label, network, account,
      usable_at as "usableAt"
    from beneficiary where seal is null`);
}

export function setSeal(tx: Tx, id: string, seal: Uint8Array): void {
  tx.send(sql`update beneficiary set seal = ${seal}::bytea where id = ${id}`);
}
