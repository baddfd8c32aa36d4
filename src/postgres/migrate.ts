// Brings the database to the form this code expects. Every migration is applied once, in order, in
// one transaction with its own row; what was applied may never change afterwards. One migrator at a
// time.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '#base/assert.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';

type Migration = {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
};
type AppliedRow = { readonly number: number; readonly name: string; readonly checksum: string };

/** Which migrations a database has; it stands before the first of them. */
export const HISTORY_TABLE = `
  create table if not exists schema_migration (
    number int primary key check (number > 0),
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`;

// Any constant does; every migrator of every version must use the same one.
const MIGRATOR_LOCK = 7_144_301_299n;

/**
 * Refuses (kind conflict) a database that is newer than the code or was made by another history.
 */
export async function migrate(
  db: Db,
  migrationsDirectory: string,
  { log }: { readonly log: Log },
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(migrationsDirectory);
  const applied: string[] = [];
  const history = await db.transact((tx) => openHistory(tx, migrations));
  const [next] = migrations.slice(history.length);
  if (next !== undefined) await refuseIfNotOwner(db, next);
  for (const migration of migrations.slice(history.length)) {
    if (!(await db.transact((tx) => applyMigration(tx, migrations, migration)))) continue;
    log.debug('migration applied', { migration: migration.name });
    applied.push(migration.name);
  }
  return { applied };
}

/** In order of their numbers, which start at 1 and leave no gap. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1] ?? Number.NaN);
      assert(number === index + 1, `migration ${file} should have number ${index + 1}`);
      const text = await readFile(join(directory, file), 'utf8');
      // A checkout with other line ends is the same migration.
      const checksum = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
      return { number, name: file.replace(/\.sql$/, ''), text, checksum };
    }),
  );
}

async function openHistory(tx: Tx, migrations: readonly Migration[]): Promise<AppliedRow[]> {
  await lockMigrators(tx);
  const [known] = await tx.query<{ isThere: boolean }>(sql`
    select to_regclass('schema_migration') is not null as "isThere"`);
  // Whoever owns nothing may look whether all is there, and not even ask for what is.
  if (known?.isThere !== true) tx.send(rawStatement(HISTORY_TABLE));
  return checkHistory(tx, migrations);
}

/** Where the owner migrates elsewhere, a process that comes before him says what it waits for. */
async function refuseIfNotOwner(db: Db, { name }: Migration): Promise<void> {
  const [known] = await db.query<{ mayCreate: boolean }>(sql`
    select has_schema_privilege(current_schema(), 'create') as "mayCreate"`);
  if (known?.mayCreate === true) return;
  refuse(
    `the database lacks migration ${name}, and this role may not make it: ` +
      'run npx quittance migrate with DATABASE_OWNER_URL',
  );
}

/** Held until the transaction ends. A waiting migrator outlasts the usual limit of a statement. */
async function lockMigrators(tx: Tx): Promise<void> {
  tx.send(sql`set local statement_timeout = 0`);
  await tx.query(sql`select pg_advisory_xact_lock(${MIGRATOR_LOCK})`);
}

/** False when it was applied before. */
async function applyMigration(
  tx: Tx,
  migrations: readonly Migration[],
  { number, name, text, checksum }: Migration,
): Promise<boolean> {
  await lockMigrators(tx);
  const history = await checkHistory(tx, migrations);
  if (history.length >= number) return false;
  tx.send(rawStatement(text));
  await tx.query(sql`
    insert into schema_migration (number, name, checksum)
    values (${number}, ${name}, ${checksum})`);
  return true;
}

/** What was applied, in order of their numbers. */
export function listApplied(
  reader: Reader,
): Promise<{ readonly name: string; readonly appliedAt: Temporal.Instant }[]> {
  return reader.query(sql`
    select name, applied_at as "appliedAt" from schema_migration order by number`);
}

async function checkHistory(tx: Tx, migrations: readonly Migration[]): Promise<AppliedRow[]> {
  const history = await tx.query<AppliedRow>(sql`
    select number, name, checksum from schema_migration order by number`);
  history.forEach((row, index) => {
    const migration = migrations[index];
    if (row.number !== index + 1) refuse(`migration ${index + 1} is missing in the database`);
    if (migration === undefined) {
      refuse(`the database is newer than this program: it has migration ${row.name}`);
    } else if (migration.checksum !== row.checksum) {
      refuse(`migration ${migration.name} was changed after it was applied as ${row.name}`);
    }
  });
  return history;
}

function refuse(message: string): never {
  throw new Refusal('conflict', 'schema_conflict', message);
}
