// Puts an archive into an empty database: the schema by our own migrations up to the one the backup
// was made at, then the rows. One transaction: it is all there or nothing is. The server that it
// came from may have been another one, also of another version of PostgreSQL.

import { Refusal } from '#base/refusal.ts';
import type { CopyConnection } from '#db/copy-connection.ts';
import { sql } from '#db/db.ts';
import { HISTORY_TABLE, type readMigrations } from '#postgres/migrate.ts';
import { parseSealed, type SealedManifest } from './manifest.ts';
import { copyText, quoted } from './open-snapshot.ts';
import { damaged, type TarEntry } from './tar.ts';

type Migrations = Awaited<ReturnType<typeof readMigrations>>;

type LoadOptions = {
  readonly migrations: Migrations;
  readonly onProgress: (step: string) => void;
  /** Before anything is written. @throws Refusal when this backup does not fit here. */
  readonly onManifest: (manifest: SealedManifest, files: ReadonlyMap<string, Uint8Array>) => void;
  /** When all was read and nothing is committed yet. @throws Refusal */
  readonly onRead: () => void;
};

export type Loaded = {
  readonly manifest: SealedManifest;
  readonly rows: bigint;
  /** By name: settings, and the key file where it was asked for. */
  readonly files: ReadonlyMap<string, Uint8Array>;
};

const ROWS_FILE = /^data\/([^/]+)\/\d{7}\.copy$/;
export const END_FILE = 'end.json';
export const MANIFEST_FILE = 'manifest.json';

/** @throws Refusal when the place is not empty. */
export async function refuseFull(connection: CopyConnection): Promise<void> {
  const found = await connection.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace order by relname limit 1`);
  const [first] = found;
  if (first === undefined) return;
  throw new Refusal('conflict', 'place_not_empty', [
    `the database is not empty (it has ${first.name}): a backup is restored into an empty place only`,
  ]);
}

/** @throws Refusal; then nothing was changed. */
export async function loadArchive(
  connection: CopyConnection,
  entries: AsyncGenerator<TarEntry>,
  { migrations, onProgress, onManifest, onRead }: LoadOptions,
): Promise<Loaded> {
  const { manifest, files, first } = await readHead(entries);
  const known = knownMigrations(manifest, migrations);
  onManifest(manifest, files);
  await connection.run('begin');
  try {
    await refuseFull(connection);
    onProgress('making the tables');
    await connection.run(HISTORY_TABLE);
    for (const { text } of known) await connection.run(text);
    const wasThere = await takeAway(connection, manifest);
    const rows = await loadRows(connection, manifest, behind(first, entries), onProgress);
    onRead();
    for (const [step, command] of wasThere) {
      onProgress(step);
      await connection.run(command);
    }
    for (const { table, column, lastValue, isCalled } of manifest.sequences) {
      await connection.query(sql`
        select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}),
          ${BigInt(lastValue)}, ${isCalled})`);
    }
    await connection.run('commit');
    onProgress('counting what is there');
    await connection.run('analyze');
    return { manifest, rows, files };
  } catch (error) {
    await connection.run('rollback').catch(() => undefined);
    throw error;
  }
}

type Head = Pick<Loaded, 'manifest' | 'files'> & { readonly first: TarEntry | undefined };

/** What stands before the rows. */
async function readHead(entries: AsyncGenerator<TarEntry>): Promise<Head> {
  const files = new Map<string, Uint8Array>();
  let first: TarEntry | undefined;
  for (;;) {
    const { value, done } = await entries.next();
    if (done === true) break;
    if (ROWS_FILE.test(value.name) || value.name === END_FILE) {
      first = value;
      break;
    }
    files.set(value.name, value.bytes);
  }
  const manifest = files.get(MANIFEST_FILE);
  if (manifest === undefined) throw damaged('it has no manifest');
  return { manifest: parseSealed(Buffer.from(manifest).toString('utf8')), files, first };
}

/** Those that made the schema of the backup. @throws Refusal when this program lacks one. */
function knownMigrations(manifest: SealedManifest, migrations: Migrations): Migrations {
  for (const [index, { number, name, checksum }] of manifest.migrations.entries()) {
    const own = migrations[index];
    if (own !== undefined && own.number === number && own.checksum === checksum) continue;
    const reason =
      own === undefined
        ? `the backup is newer than this program: it has migration ${name}`
        : `migration ${own.name} of this program is not the ${name} of the backup`;
    throw new Refusal('conflict', 'backup_version', [
      `${reason}; restore it with version ${manifest.version} or later`,
    ]);
  }
  return migrations.slice(0, manifest.migrations.length);
}

async function* behind(
  first: TarEntry | undefined,
  rest: AsyncGenerator<TarEntry>,
): AsyncGenerator<TarEntry> {
  if (first !== undefined) yield first;
  yield* rest;
}

/**
 * What would look at each row while it comes in: it was right when it was written, and foreign keys
 * are proven anew at the end. Gives the commands that bring it back as it was, in their order.
 */
async function takeAway(
  connection: CopyConnection,
  { tables }: SealedManifest,
): Promise<[step: string, command: string][]> {
  const triggers = await connection.query<{ table: string; name: string; how: string }>(sql`
    select tgrelid::regclass::text as "table", quote_ident(tgname) as name, tgenabled::text as how
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not tgisinternal and c.relnamespace = current_schema()::regnamespace
    order by 1, 2`);
  const foreignKeys = await connection.query<{ table: string; name: string; text: string }>(sql`
    select conrelid::regclass::text as "table", quote_ident(conname) as name,
      pg_get_constraintdef(oid) as text
    from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace
    order by 1, 2`);
  for (const { table, name } of triggers) {
    await connection.run(`alter table ${table} disable trigger ${name}`);
  }
  for (const { table, name } of foreignKeys) {
    await connection.run(`alter table ${table} drop constraint ${name}`);
  }
  // Migrations put rows into new tables: those of the backup take their place.
  await connection.run(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
  const enable: Record<string, string> = { O: 'enable', A: 'enable always', R: 'enable replica' };
  return [
    ...foreignKeys.map(({ table, name, text }): [string, string] => [
      `proving ${name} of ${table}`,
      `alter table ${table} add constraint ${name} ${text}`,
    ]),
    ...triggers
      .filter(({ how }) => enable[how] !== undefined)
      .map(({ table, name, how }): [string, string] => [
        `watching ${table} again`,
        `alter table ${table} ${enable[how]} trigger ${name}`,
      ]),
  ];
}

/** Files of one table follow each other. */
async function loadRows(
  connection: CopyConnection,
  manifest: SealedManifest,
  entries: AsyncGenerator<TarEntry>,
  onProgress: (step: string) => void,
): Promise<bigint> {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  let rows = 0n;
  let next = await entries.next();
  while (next.done !== true && next.value.name !== END_FILE) {
    const [, name = ''] = ROWS_FILE.exec(next.value.name) ?? [];
    const table = tables.get(name);
    if (table === undefined) throw damaged(`it has a file ${next.value.name} of no table`);
    // A second run of files of the same table would be rows that nobody wrote.
    tables.delete(name);
    async function* ofTable(): AsyncGenerator<Uint8Array> {
      while (next.done !== true && ROWS_FILE.exec(next.value.name)?.[1] === name) {
        yield next.value.bytes;
        onProgress(`${name}: ${next.value.name}`);
        next = await entries.next();
      }
    }
    rows += await connection.copyIn(copyText(table, 'from stdin'), ofTable());
  }
  const end = next.done === true ? undefined : Buffer.from(next.value.bytes).toString('utf8');
  if (end === undefined) throw damaged('it has no end');
  const { rows: written } = JSON.parse(end) as { readonly rows?: unknown };
  if (written !== `${rows}`) throw damaged(`it should have ${written} rows and has ${rows}`);
  // To the end of the file: what was cut off or hung on is refused there.
  if ((await entries.next()).done !== true) throw damaged('something follows its end');
  return rows;
}
