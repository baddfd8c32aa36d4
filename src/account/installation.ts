import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { bytes, defineTable, moment, optional, type Row, selectOnly, text } from '#db/table.ts';
import type { Keyring } from './keyring.ts';

export const INSTALLATION = defineTable('installation', {
  id: text(),
  keyCheck: bytes,
  createdAt: moment,
  /** When rows from before seals were sealed: later ones without a seal are forged. */
  beneficiariesSealedAt: selectOnly(optional(moment)),
  transfersSealedAt: selectOnly(optional(moment)),
});
type Installation = Pick<Row<typeof INSTALLATION>, 'id' | 'createdAt'>;

const checkedText = Buffer.from('quittance');

/**
 * Makes the one row of a new database, or checks that the key file is the one the database was made
 * with.
 * @throws Refusal `key_file_mismatch` with one line.
 */
export async function openInstallation(
  db: Db,
  keyring: Keyring,
  clock: Clock,
  random: Random,
): Promise<Installation> {
  const keyCheck = keyring.mac('key-check', checkedText);
  const existing = await INSTALLATION.find(db, sql``);
  if (existing === undefined) {
    const row = { id: newId(random), keyCheck, createdAt: clock.now() };
    await db.single((tx) => tx.query(INSTALLATION.insert([row], sql`on conflict do nothing`)));
  }
  // It is read again because another process may have written the row first, with another key file.
  const installation = existing ?? (await INSTALLATION.find(db, sql``));
  if (installation === undefined || !timingSafeEqual(installation.keyCheck, keyCheck)) {
    throw new Refusal(
      'conflict',
      'key_file_mismatch',
      'the key file is not the one this database was made with: put the right one back',
    );
  }
  return { id: installation.id, createdAt: installation.createdAt };
}

/** False when it was set before. */
export async function markSealed(
  tx: Tx,
  what: 'beneficiaries' | 'transfers',
  now: Temporal.Instant,
): Promise<boolean> {
  const column = INSTALLATION.namesOf([`${what}SealedAt`]);
  const rows = await tx.query(
    sql`update installation set ${column} = ${now} where ${column} is null returning id`,
  );
  return rows.length > 0;
}
