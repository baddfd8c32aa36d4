// The embedded PostgreSQL in a temporary directory, with fsync, and one migrated database for each
// part of the bench. Ours and the hand-written transactions use the same tables, each with a
// merchant of its own.

import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
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

export async function startBenchServer(): Promise<BenchServer> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-bench-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const keyFile = join(directory, 'keys', 'quittance.key');
  try {
    const keyring = openKeyring(keyFile, systemRandom, { create: true });
    const embedded = await startEmbeddedDatabase({ directory: join(directory, 'postgres'), log });
    const opened: Db[] = [];
    return {
      directory,
      keyFile,
      keyring,
      async openDatabase(name) {
        const database = await makeDatabase(embedded.connection, keyring, name);
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
): Promise<BenchDatabase> {
  const admin = openDb({ ...server, poolSize: 1, log });
  await admin.query(rawStatement(`create database ${name}`)).finally(() => admin.close());
  const connection = { ...server, database: name };
  const db = openDb({ ...connection, poolSize: POOL_SIZE, log, statementTimeoutSeconds: 120 });
  const faults = await dbIsDurable(db);
  if (faults.length > 0) throw new Error(faults.join('; '));
  await migrate(db, MIGRATIONS, { log });
  const app = { db, keyring, clock: systemClock, random: systemRandom };
  const ours = await openShop(app, 'Ours');
  const theirs = await openShop(app, 'Hand-written');
  return {
    ...{ db, connection, url: urlOf(connection), ours, theirs },
    openShop: (name) => openShop(app, name),
  };
}

async function openShop(app: Parameters<typeof createMerchant>[0], name: string): Promise<Shop> {
  const { id: merchantId } = await createMerchant(app, { name });
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
