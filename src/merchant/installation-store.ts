import { type Reader, sql, type Tx } from '#db/db.ts';

export type InstallationRow = {
  readonly id: string;
  readonly keyCheck: Uint8Array;
  readonly createdAt: Temporal.Instant;
};

export async function findInstallation(reader: Reader): Promise<InstallationRow | undefined> {
  const [row] = await reader.query<InstallationRow>(sql`
    select id, key_check as "keyCheck", created_at as "createdAt" from installation`);
  return row;
}

export async function insertInstallation(tx: Tx, row: InstallationRow): Promise<void> {
  await tx.query(sql`
    insert into installation (id, key_check, created_at)
    values (${row.id}, ${row.keyCheck}, ${row.createdAt}) on conflict do nothing`);
}
