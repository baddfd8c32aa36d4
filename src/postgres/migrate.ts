// Brings the database to the form this code expects. Every migration is applied once, in order, in
// one transaction with its own row; what was applied may never change afterwards. One migrator at a
// time. Guarantees beside a program that serves: nobody stands in line for more than seconds behind
// a migration that waits; and a program that a later one has overtaken goes on, and starts again,
// as long as no migration says that programs have to know it (`-- works from: 0123`).
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { assert } from '#base/assert.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { isKeptByName, keepNamed, takeNamesAway } from './name-on-worker.ts';
import { splitScript } from './split-script.ts';

type Migration = {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
  /** Programs that do not know this one of the migrations no longer work after it. */
  readonly worksFrom: number | undefined;
};
type Applicable = Migration & {
  readonly commands: readonly string[];
  readonly isDistributed: boolean;
};
type AppliedRow = {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly worksFrom: number | null;
};

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

/** A line of a migration that contracts: from which migration on a program has to know it. */
const WORKS_FROM = /^-- works from: (\d{4})$/m;

/** Whoever wants the same table waits behind a migration that waits for it. */
const LOCK_WAIT_MS = 2_000;
const LOCK_PAUSE_MS = 3_000;
const LOCK_TAKEN = '55P03';
const SAID_EACH = 20;

type Migrated = {
  readonly applied: string[];
  /** The database has migrations of a later program, with which this one works. */
  readonly isNewer: boolean;
};

/**
 * Refuses (kind conflict) a database that this program no longer works with, or that was made by
 * another history.
 */
export async function migrate(
  db: Db,
  migrationsDirectory: string,
  { log }: { readonly log: Log },
): Promise<Migrated> {
  const migrations = await readMigrations(migrationsDirectory);
  const applied: string[] = [];
  const history = await db.transact((tx) => openHistory(tx, migrations));
  const isNewer = history.length > migrations.length;
  if (isNewer) log.info('the database is of a later program', { has: history.at(-1)?.name });
  const [next, ...later] = migrations.slice(history.length);
  if (next === undefined) return { applied, isNewer };
  await refuseIfNotOwner(db, next);
  await keepNamed(db, async (isDistributed) => {
    for (const migration of [next, ...later]) {
      const commands = isDistributed ? splitScript(migration.text) : [migration.text];
      if (!(await applyWhenFree(db, migrations, { ...migration, commands, isDistributed }, log)))
        continue;
      log.debug('migration applied', { migration: migration.name });
      applied.push(migration.name);
    }
  });
  return { applied, isNewer };
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
      const from = WORKS_FROM.exec(text)?.[1];
      const worksFrom = from === undefined ? undefined : Number(from);
      return { number, name: file.replace(/\.sql$/, ''), text, checksum, worksFrom };
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

/**
 * Where the owner migrates elsewhere, a process that comes before him says what it waits for. On a
 * worker of Citus the tables are views, and a new one would be of that worker alone.
 */
async function refuseIfNotOwner(db: Db, { name }: Migration): Promise<void> {
  const [known] = await db.query<{ mayCreate: boolean }>(sql`
    select has_schema_privilege(current_schema(), 'create') and not exists (
      select from pg_class where oid = to_regclass('schema_migration') and relkind = 'v')
      as "mayCreate"`);
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

/**
 * Others go on between two attempts: a backup, for example, holds every table until it is made.
 * False when it was applied before.
 */
async function applyWhenFree(
  db: Db,
  migrations: readonly Migration[],
  migration: Applicable,
  log: Log,
): Promise<boolean> {
  let areAway = !migration.isDistributed;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await db.transact((tx) => applyMigration(tx, migrations, migration));
    } catch (error) {
      if (isKeptByName(error) && !areAway) {
        log.warn('names on the worker are away until all is made: stop what serves', {
          migration: migration.name,
        });
        await takeNamesAway(db);
        areAway = true;
        continue;
      }
      if (!(error instanceof Error && 'code' in error && error.code === LOCK_TAKEN)) throw error;
      if (attempt % SAID_EACH === 0) {
        log.warn('a migration waits until others let go of a table', { migration: migration.name });
      }
      await pause(LOCK_PAUSE_MS);
    }
  }
}

async function applyMigration(
  tx: Tx,
  migrations: readonly Migration[],
  { number, name, commands, checksum, worksFrom }: Applicable,
): Promise<boolean> {
  await lockMigrators(tx);
  const history = await checkHistory(tx, migrations);
  if (history.length >= number) return false;
  // On a worker of Citus too, where it is others that wait.
  tx.send(rawStatement("set local citus.propagate_set_commands = 'local'"));
  tx.send(rawStatement(`set local lock_timeout = ${LOCK_WAIT_MS}`));
  // Those of a distributed installation are safe: what they read and write is on the same worker.
  tx.send(rawStatement("set local citus.enable_unsafe_triggers = 'on'"));
  for (const command of commands) tx.send(rawStatement(command));
  await tx.query(sql`
    insert into schema_migration (number, name, checksum)
    values (${number}, ${name}, ${checksum})`);
  if (worksFrom !== undefined) {
    await tx.query(sql`
      update schema_migration set works_from = ${worksFrom} where number = ${number}`);
  }
  return true;
}

/** What was applied, in order of their numbers. */
export function listApplied(
  reader: Reader,
): Promise<{ readonly name: string; readonly appliedAt: Temporal.Instant }[]> {
  return reader.query(sql`
    select name, applied_at as "appliedAt" from schema_migration order by number`);
}

/** The column `works_from` came with one of the migrations: before it, no row has it. */
async function checkHistory(tx: Tx, migrations: readonly Migration[]): Promise<AppliedRow[]> {
  const history = await tx.query<AppliedRow>(sql`
    select number, name, checksum, (to_jsonb(m) ->> 'works_from')::int as "worksFrom"
    from schema_migration m order by number`);
  history.forEach((row, index) => {
    const migration = migrations[index];
    if (row.number !== index + 1) refuse(`migration ${index + 1} is missing in the database`);
    if (migration !== undefined && migration.checksum !== row.checksum) {
      refuse(`migration ${migration.name} was changed after it was applied as ${row.name}`);
    }
  });
  const least = history.slice(migrations.length).filter(isBeyond(migrations.length)).at(-1);
  if (least !== undefined) {
    const needed = `${least.worksFrom}`.padStart(4, '0');
    refuse(
      `the database is newer than this program: after its migration ${least.name} only programs ` +
        `that know migration ${needed} work with it`,
    );
  }
  return history;
}

function isBeyond(known: number): (row: AppliedRow) => boolean {
  return ({ worksFrom }) => worksFrom !== null && worksFrom > known;
}

function refuse(message: string): never {
  throw new Refusal('conflict', 'schema_conflict', message);
}
