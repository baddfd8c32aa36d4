// A real, empty, migrated database for a test: a clone of a template that is migrated once for each set
// of migrations. The server is one that `npm test` started (QUITTANCE_TEST_DATABASE, and one that never
// syncs), or, when a test file is run by itself, one of its own in a temporary directory that
// disappears with the process.
import { hash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { after } from 'node:test';
import { silentLog } from '#base/log.ts';
import { type Db, openDb, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { migrate, readMigrations } from '#postgres/migrate.ts';
import { settleRole } from '#postgres/pooled-role.ts';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import { distributeTemplate, findPlace, listNodes } from './citus-nodes.ts';
import { keepEvents } from './keep-events.ts';
import { makeDirectoryInMemory } from './make-directory-in-memory.ts';

export type TestDatabase = {
  readonly db: Db;
  /** For a second pool or another process. */
  readonly connection: ConnectionSettings;
  close(): Promise<void>;
};

const migrations = join(import.meta.dirname, '..', '..', 'migrations');
const makersLock = 5_201_887n;
const DROPS_MOST = 10;
const servers = new Map<string, Promise<ConnectionSettings>>();
const templates = new Map<string, Promise<string>>();
const closers: (() => Promise<void>)[] = [];
const openDatabases = new Set<() => Promise<void>>();
/** What databases are made and dropped by: to connect anew for each is a tenth of what a test costs. */
const admins = new Map<string, Db>();
let isOver = false;

// Said while the file is loaded, so that it belongs to the file and not to the first test that asks.
// It runs before the `after` of the test file, so it closes what that would have closed.
after(async () => {
  await closeTestDatabases();
  isOver = true;
  await Promise.all(Array.from(admins.values(), (admin) => admin.close()));
  await Promise.all(closers.map((close) => close()));
});

/** What the tests of a file left open: where one process runs many files, at the end of each. */
export async function closeTestDatabases(): Promise<void> {
  await Promise.all(Array.from(openDatabases, (close) => close()));
}

/**
 * `unsafeFast`: on a server that never syncs to disk, for what nobody pulls the plug of: many
 * databases, or thousands of small transactions.
 * Close it in `after` or `finally`: a database with open connections cannot be dropped.
 */
export async function openTestDatabase(
  options: { readonly unsafeFast?: boolean; readonly poolSize?: number } = {},
): Promise<TestDatabase> {
  const { unsafeFast = false, poolSize } = options;
  const server = await findServer(unsafeFast);
  const connection = await findPlace(server, await cloneTemplate(server));
  const db = await openThrough({ ...connection, poolSize, applicationName: 'test' });
  const close = async () => {
    if (!openDatabases.delete(close)) return;
    await keepEvents(db);
    await db.close();
    await onNodes(server, (admin) => dropDatabase(admin, connection.database));
  };
  openDatabases.add(close);
  return { db, connection, close };
}

/** With `npm run test:pgbouncer` through PgBouncer, as the service reaches it. */
async function openThrough(
  connection: ConnectionSettings & {
    readonly poolSize: number | undefined;
    applicationName: string;
  },
): Promise<Db> {
  const direct = { ...connection, log: silentLog };
  const port = Number(env.QUITTANCE_TEST_POOLER ?? 0);
  if (port === 0) return openDb(direct);
  const past = openDb({ ...direct, poolSize: 1 });
  await settleRole(past).finally(() => past.close());
  return openDb({ ...direct, host: '127.0.0.1', port, isPooled: true });
}

export type DatabaseUrl = {
  readonly url: string;
  /** Settings of a program over it: past PgBouncer too, where it is reached through that. */
  readonly settings: Readonly<Record<string, string>>;
  /** All of it, as it is now; the programs over it are stopped. */
  backUp(): Promise<void>;
  /** Whatever happened since the backup never happened. */
  restore(): Promise<void>;
  /** Empty, as a server gives it: without a table of ours. */
  wipe(): Promise<void>;
  close(): Promise<void>;
};

/** A fresh migrated database as DATABASE_URL, for a test that starts the real program. */
export async function newDatabaseUrl(): Promise<DatabaseUrl> {
  const server = await findServer(false);
  const database = await cloneTemplate(server);
  const backup = `${database}_backup`;
  const copy = (from: string, to: string) =>
    onNodes(server, async (admin) => {
      await dropDatabase(admin, to);
      // Nobody may look at what is copied.
      await admin.query(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${from}`,
      );
      await admin.query(rawStatement(`create database ${to} template ${from}`));
    });
  const url = toUrl(await findPlace(server, database));
  const port = Number(env.QUITTANCE_TEST_POOLER ?? 0);
  const through = toUrl({ ...server, host: '127.0.0.1', port, database });
  return {
    url,
    settings:
      port === 0 ? { DATABASE_URL: url } : { DATABASE_URL: through, DATABASE_DIRECT_URL: url },
    backUp: () => copy(database, backup),
    restore: () => copy(backup, database),
    wipe: () => copy('template0', database),
    close: () =>
      onNodes(server, async (admin) => {
        await dropDatabase(admin, database);
        await dropDatabase(admin, backup);
      }),
  };
}

/** An empty database of a server that never syncs, for another program that keeps its own tables. */
export async function newEmptyDatabase(): Promise<Omit<TestDatabase, 'db'>> {
  const server = await findServer(true);
  const database = `empty_${randomBytes(6).toString('hex')}`;
  await withAdmin(server, async (admin) => {
    await admin.query(rawStatement(`create database ${database}`));
  });
  return {
    connection: { ...server, database },
    close: () => withAdmin(server, (admin) => dropDatabase(admin, database)),
  };
}

/** For what stands on such a database, a process for example: it ends before its database does. */
export function closeFirst(close: () => Promise<void>): void {
  openDatabases.add(close);
}

/** The socket directory travels as a parameter: a path has no place in the host part. */
export function toUrl({ host, port, user, password, database }: ConnectionSettings): string {
  const url = new URL(`postgres://${user}:${password}@localhost:${port}/${database}`);
  if (host.startsWith('/')) url.searchParams.set('host', host);
  else url.hostname = host;
  return url.href;
}

function findServer(unsafeFast: boolean): Promise<ConnectionSettings> {
  const key = unsafeFast ? 'fast' : 'durable';
  let server = servers.get(key);
  if (server === undefined) {
    const { QUITTANCE_TEST_DATABASE, QUITTANCE_TEST_DATABASE_UNSAFE } = env;
    const given = unsafeFast ? QUITTANCE_TEST_DATABASE_UNSAFE : QUITTANCE_TEST_DATABASE;
    server = given === undefined ? startOwnServer(unsafeFast) : Promise.resolve(JSON.parse(given));
    servers.set(key, server);
  }
  return server;
}

async function startOwnServer(unsafeFast: boolean): Promise<ConnectionSettings> {
  const directory = makeDirectoryInMemory();
  const server = await startEmbeddedDatabase({ directory, log: silentLog, unsafeFast });
  closers.push(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return server.connection;
}

/** In memory it is half the work to copy the files; the usual way logs each page. */
async function cloneTemplate(server: ConnectionSettings): Promise<string> {
  let template = templates.get(server.host);
  if (template === undefined) {
    template = makeTemplate(server);
    templates.set(server.host, template);
  }
  const templateName = await template;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onNodes(server, async (admin) => {
    const copy = `create database ${name} template ${templateName} strategy file_copy`;
    await admin.query(rawStatement(copy));
  });
  return name;
}

/** Built under another name and renamed when whole: a killed test run leaves no half template. */
async function makeTemplate(server: ConnectionSettings): Promise<string> {
  const list = await readMigrations(migrations);
  const digest = hash('sha256', list.map(({ checksum }) => checksum).join());
  const name = `template_${digest.slice(0, 24)}`;
  await withOneConnection(server, async (admin) => {
    await admin.query(sql`select pg_advisory_lock(${makersLock})`);
    const known = await admin.query(sql`select 1 from pg_database where datname = ${name}`);
    if (known.length > 0) return;
    const draft = `${name}_draft`;
    await onNodes(server, async (node) => {
      await dropDatabase(node, draft);
      await node.query(rawStatement(`create database ${draft}`));
    });
    const distribute = await distributeTemplate(server, draft);
    const db = openDb({ ...server, database: draft, log: silentLog });
    await migrate(db, migrations, { log: silentLog })
      .then(() => distribute?.(db))
      .finally(() => db.close());
    await onNodes(server, async (node) => {
      await node.query(rawStatement(`alter database ${draft} rename to ${name}`));
    });
  });
  return name;
}

async function dropDatabase(admin: Db, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await admin.query(rawStatement(`drop database if exists ${name} with (force)`));
      return;
    } catch (error) {
      // Nodes of Citus connect to one another's again while it is dropped.
      const isUsed = error instanceof Error && 'code' in error && error.code === '55006';
      if (!isUsed || attempt === DROPS_MOST) throw error;
    }
  }
}

/** The connections of this file; once it has ended, one for the act alone. */
async function withAdmin<T>(
  server: ConnectionSettings,
  act: (admin: Db) => Promise<T>,
): Promise<T> {
  if (isOver) return withOneConnection(server, act);
  const place = `${server.host}:${server.port}`;
  const admin = admins.get(place) ?? openAdmin(server, 4);
  admins.set(place, admin);
  return act(admin);
}

/** With `npm run test:citus` on each node, of which a database is the sum; else on the one server. */
async function onNodes(
  server: ConnectionSettings,
  act: (admin: Db) => Promise<void>,
): Promise<void> {
  await Promise.all(listNodes(server).map((node) => withAdmin(node, act)));
}

/** So that a session lock lasts until the end of `act`. */
async function withOneConnection<T>(
  server: ConnectionSettings,
  act: (admin: Db) => Promise<T>,
): Promise<T> {
  const admin = openAdmin(server, 1);
  try {
    return await act(admin);
  } finally {
    await admin.close();
  }
}

function openAdmin(server: ConnectionSettings, poolSize: number): Db {
  return openDb({ ...server, poolSize, log: silentLog, statementTimeoutSeconds: 120 });
}
