import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
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
/** Whoever mended it, or tried something once, is not told of it for ever. */
const PROXY_SEEN_DAYS = 7;

/** What a request showed of a proxy that no setting fits. */
export type ProxySeen = { readonly from: string; readonly saysHttps: boolean };

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
  const keyCheck = keyCheckOf(keyring);
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

/** Tells a key file again, and gives nothing of it away. */
export function keyCheckOf(keyring: Keyring): Uint8Array {
  return keyring.mac('key-check', checkedText);
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

/** What a server noted lately. */
export async function findProxySeen(
  { db }: { readonly db: Reader },
  now: Temporal.Instant,
): Promise<ProxySeen | undefined> {
  const since = now.subtract({ hours: PROXY_SEEN_DAYS * 24 });
  const [seen] = await db.query<ProxySeen>(sql`
    select proxy_seen_from as "from", proxy_says_https as "saysHttps" from installation
    where proxy_seen_at > ${since}`);
  return seen;
}

export async function noteProxySeen(
  { db }: { readonly db: Db },
  { from, saysHttps }: ProxySeen,
  now: Temporal.Instant,
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update installation set proxy_seen_at = ${now}, proxy_seen_from = ${from},
        proxy_says_https = ${saysHttps}`),
  );
}

/** Where a server served last: undefined before the first start. */
export async function findPublicUrl(reader: Reader): Promise<string | undefined> {
  const [row] = await reader.query<{ url: string | null }>(
    sql`select public_url as url from installation`,
  );
  return row?.url ?? undefined;
}

export async function notePublicUrl({ db }: { readonly db: Db }, url: string): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update installation set public_url = ${url} where public_url is distinct from ${url}`),
  );
}
