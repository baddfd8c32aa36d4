// The embedded PostgreSQL in a temporary directory, with fsync, and one migrated database for each
// part of the bench. Ours and the hand-written transactions use the same tables, each with a
// merchant of its own.

import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey, type NewApiKey } from '#access/api-key.ts';
import { systemClock } from '#base/clock.ts';
import { jsonLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { type Db, openDb, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { type Keyring, openKeyring } from '#installation/keyring.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { migrate } from '#postgres/migrate.ts';
import { type ConnectionSettings, dbIsDurable } from '#postgres/postgres-server.ts';

const MIGRATIONS = join(import.meta.dirname, '..', 'migrations');
/** One for each of the 16 workers, and some for what they ask beside their transaction. */
const POOL_SIZE = 20;
/** One percent: a sale then has three postings. */
const FEE_PARTS_PER_MILLION = 10_000;

export const log = jsonLog((line) => console.error(line), 'error', systemClock);

export type Shop = NewApiKey & { readonly merchantId: string };

export type BenchServer = {
  readonly directory: string;
  readonly keyFile: string;
  readonly keyring: Keyring;
  /** Made where it is not there yet; each time with new keys. */
  openDatabase(name: string): Promise<BenchDatabase>;
  close(): Promise<void>;
};

export type BenchDatabase = {
  readonly db: Db;
  readonly connection: ConnectionSettings;
  readonly url: string;
  readonly ours: Shop;
  /** The merchant of the hand-written transactions. */
  readonly theirs: Shop;
  /** One more. */
  openShop(name: string): Promise<Shop>;
};

/**
 * `kept`: a directory that stays, in which a run before this one may have left its databases.
 * `settings`: of PostgreSQL, for filling; nothing may be measured with them.
 */
export async function startBenchServer({
  kept,
  settings,
}: {
  readonly kept?: string | undefined;
  readonly settings?: readonly string[];
} = {}): Promise<BenchServer> {
  const directory = kept ?? (await mkdtemp(join(tmpdir(), 'quittance-bench-')));
  await mkdir(directory, { recursive: true });
  const remove = () => {
    if (kept === undefined) rmSync(directory, { recursive: true, force: true });
  };
  const keyFile = join(directory, 'keys', 'quittance.key');
  try {
    const keyring = openKeyring(keyFile, systemRandom, { create: true });
    const embedded = await startEmbeddedDatabase({
      ...{ directory: join(directory, 'postgres'), log },
      settings: settings ?? [],
    });
    const opened: Db[] = [];
    return {
      directory,
      keyFile,
      keyring,
      async openDatabase(name) {
        const isFilling = settings !== undefined;
        const database = await makeDatabase(embedded.connection, keyring, name, isFilling);
        const faults = isFilling ? [] : await dbIsDurable(database.db);
        if (faults.length > 0) throw new Error(faults.join('; '));
        opened.push(database.db);
        return database;
      },
      async close() {
        try {
          await Promise.allSettled(opened.map((db) => db.close()));
          await embedded.close();
        } finally {
          remove();
        }
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function makeDatabase(
  server: ConnectionSettings,
  keyring: Keyring,
  name: string,
  isFilling: boolean,
): Promise<BenchDatabase> {
  await createIfAbsent(server, name);
  const connection = { ...server, database: name };
  const statementTimeoutSeconds = isFilling ? 0 : 120;
  const db = openDb({ ...connection, poolSize: POOL_SIZE, log, statementTimeoutSeconds });
  await migrate(db, MIGRATIONS, { log });
  const app = { db, keyring, clock: systemClock, random: systemRandom };
  const ours = await openShop(app, 'Ours');
  const theirs = await openShop(app, 'Hand-written');
  return {
    ...{ db, connection, url: urlOf(connection), ours, theirs },
    openShop: (name) => openShop(app, name),
  };
}

async function createIfAbsent(server: ConnectionSettings, name: string): Promise<void> {
  const admin = openDb({ ...server, poolSize: 1, log });
  try {
    const found = await admin.query(sql`select 1 from pg_database where datname = ${name}`);
    if (found.length === 0) await admin.query(rawStatement(`create database ${name}`));
  } finally {
    await admin.close();
  }
}

async function openShop(app: Parameters<typeof createMerchant>[0], name: string): Promise<Shop> {
  const [known] = await app.db.query<{ id: string }>(sql`
    select id from merchant where name = ${name}`);
  const { id: merchantId } = known ?? (await createMerchant(app, { name }));
  await app.db.single((tx) =>
    tx.query(sql`update merchant set fee_parts_per_million = ${FEE_PARTS_PER_MILLION}
      where id = ${merchantId}`),
  );
  const key = await createApiKey(app, { merchantId, environment: 'test' });
  return { ...key, merchantId };
}

/** The socket directory travels as a parameter: a path has no place in the host part. */
function urlOf({ host, port, user, password, database }: ConnectionSettings): string {
  const url = new URL(`postgres://${user}:${password}@localhost:${port}/${database}`);
  if (host.startsWith('/')) url.searchParams.set('host', host);
  else url.hostname = host;
  return url.href;
}
