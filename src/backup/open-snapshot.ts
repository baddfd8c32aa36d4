// All rows of the database as of one moment, beside live traffic: one transaction that sees what
// was committed before it began, and nothing since (REPEATABLE READ). Nobody waits for it. What it
// holds up is vacuum, as long as it lasts.

import { Refusal } from '#base/refusal.ts';
import type { CopyConnection } from '#db/copy-connection.ts';
import { sql } from '#db/db.ts';
import { fragment } from '#db/statement.ts';
import type { SealedManifest, Sequence } from './manifest.ts';
import type { TarEntry } from './tar.ts';

type Table = SealedManifest['tables'][number] & { readonly bytes: bigint };

export type Snapshot = {
  /** Everything that was acknowledged before is in it. */
  readonly takenAt: Temporal.Instant;
  readonly postgres: string;
  readonly tables: readonly Table[];
  readonly sequences: readonly Sequence[];
  readonly migrations: SealedManifest['migrations'];
  /** The rows, table by table, each file of whole rows; and how many there were. */
  files(onProgress: (step: string) => void): AsyncGenerator<TarEntry, bigint>;
};

// Any constant does; every process of every version must use the same one.
const BACKUP_LOCK = 7_144_301_301n;
const FILE_BYTES = 4_000_000;
const LINE_END = 0x0a;

/** @throws Refusal `backup_running` while another one is made of this database. */
export async function openSnapshot(connection: CopyConnection): Promise<Snapshot> {
  await connection.run('begin isolation level repeatable read read only');
  const [start] = await connection.query<{ isFree: boolean; now: Temporal.Instant; v: string }>(sql`
    select pg_try_advisory_xact_lock(${BACKUP_LOCK}) as "isFree",
      date_trunc('milliseconds', now()) as now, current_setting('server_version') as v`);
  if (start?.isFree !== true) {
    throw new Refusal('conflict', 'backup_running', 'another backup of this database is made now');
  }
  const tables = await listTables(connection);
  const migrations = await connection.query<SealedManifest['migrations'][number]>(sql`
    select number, name, checksum from schema_migration order by number`);
  return {
    takenAt: start.now,
    postgres: start.v,
    tables,
    sequences: await listSequences(connection),
    migrations,
    files: (onProgress) => readTables(connection, tables, onProgress),
  };
}

/** Generated columns are computed again by whoever has the rest. */
function listTables(connection: CopyConnection): Promise<Table[]> {
  return connection.query(sql`
    select c.relname::text as name, pg_table_size(c.oid) as bytes,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum)::text[] as columns
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    order by c.relname`);
}

/** Read after the snapshot began, so none is behind a row of it. */
async function listSequences(connection: CopyConnection): Promise<Sequence[]> {
  const found = await connection.query<{ table: string; column: string; sequence: string }>(sql`
    select c.relname::text as "table", a.attname::text as "column",
      pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and a.attidentity <> '' and not a.attisdropped
    order by 1, 2`);
  const sequences: Sequence[] = [];
  for (const { table, column, sequence } of found) {
    const [row] = await connection.query<{ lastValue: bigint; isCalled: boolean }>(sql`
      select last_value as "lastValue", is_called as "isCalled" from ${fragment(sequence)}`);
    if (row === undefined) continue;
    sequences.push({ table, column, lastValue: `${row.lastValue}`, isCalled: row.isCalled });
  }
  return sequences;
}

async function* readTables(
  connection: CopyConnection,
  tables: readonly Table[],
  onProgress: (step: string) => void,
): AsyncGenerator<TarEntry, bigint> {
  let rows = 0n;
  let [done, all] = [0n, tables.reduce((total, { bytes }) => total + bytes, 1n)];
  for (const table of tables) {
    let number = 0;
    for await (const bytes of filesOf(connection.copyOut(copyText(table, 'to stdout')))) {
      number += 1;
      rows += countLines(bytes);
      yield { name: `data/${table.name}/${String(number).padStart(7, '0')}.copy`, bytes };
      onProgress(`${(done * 100n) / all} %: ${table.name}, ${rows} rows`);
    }
    done += table.bytes;
  }
  await connection.run('commit');
  return rows;
}

async function* filesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < FILE_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/** In the text of a copy each row is a line; a line end inside a value is written otherwise. */
function countLines(bytes: Uint8Array): bigint {
  let lines = 0n;
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) lines += 1n;
  return lines;
}

export function copyText(
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  way: 'to stdout' | 'from stdin',
): string {
  return `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) ${way}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
