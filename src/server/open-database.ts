// Opens the database the settings name: the embedded one, or the operator's. Checks before anything
// is written that it is one a payment service may stand on (C13), and brings it to this version.

import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type Db, openDb, type Reader } from '#db/db.ts';
import { refuseWrittenAnew } from '#postgres/distribute-schema.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { migrate } from '#postgres/migrate.ts';
import type { ListenerOptions } from '#postgres/open-listener.ts';
import { isBehindPooler, listUnsettled, settleRole } from '#postgres/pooled-role.ts';
import { type ConnectionSettings, dbIsDurable } from '#postgres/postgres-server.ts';
import { prepareRuntimeRole, RUNTIME_ROLE, runtimePassword } from '#postgres/runtime-role.ts';
import type { Config } from './config.ts';
import { openReplica } from './open-replica.ts';

export type OpenDatabase = {
  readonly db: Db;
  /** For what may be some seconds old: a replica, where there is one. */
  readonly reads: Reader;
  readonly description: string;
  readonly applied: readonly string[];
  /** For connections of one's own. */
  readonly connection: ListenerOptions['connection'];
  /** Of the owner of the schema, for what the role of the service may not: the server's log. */
  readonly owner: ListenerOptions['connection'];
  close(): Promise<void>;
};

export const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');

type Owned = {
  readonly embedded: EmbeddedDatabase | undefined;
  /** Of the owner of the schema. */
  readonly owner: ListenerOptions['connection'];
};

async function openAsOwner(
  config: Config,
  log: Log,
  onProgress: (step: string) => void,
): Promise<Owned> {
  const { databaseUrl, databaseOwnerUrl, databaseDirectUrl, dataDirectory } = config;
  if (databaseUrl !== undefined) {
    const connectionString = databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl;
    return { embedded: undefined, owner: { connectionString } };
  }
  const directory = join(dataDirectory, 'postgres');
  const embedded = await startEmbeddedDatabase({ directory, log, onProgress });
  return { embedded, owner: embedded.connection };
}

/**
 * A place that a backup may be restored into: what the settings name, as its owner, and nothing is
 * made in it. @throws Refusal, as `openDatabase` does.
 */
export async function openEmptyPlace(
  config: Config,
  log: Log,
  onProgress: (step: string) => void,
): Promise<{ readonly connection: Owned['owner']; close(): Promise<void> }> {
  const { embedded, owner } = await openAsOwner(config, log, onProgress);
  const db = openDb({ ...owner, poolSize: 1, log });
  try {
    await refuseUnsafe(db);
    return { connection: owner, close: async () => embedded?.close() };
  } catch (error) {
    await embedded?.close();
    throw refusalOf(config, error);
  } finally {
    await db.close();
  }
}

async function refuseUnsafe(db: Db): Promise<void> {
  const faults = await dbIsDurable(db);
  if (faults.length > 0) throw new Refusal('conflict', 'database_unsafe', faults);
}

/** @throws Refusal with one line that says what to do. */
export async function openDatabase(
  config: Config,
  log: Log,
  onProgress: (step: string) => void,
): Promise<OpenDatabase> {
  const { embedded, owner } = await openAsOwner(config, log, onProgress);
  const asOwner = openDb({ ...owner, poolSize: 2, log });
  try {
    await refuseUnsafe(asOwner);
    const { applied, isNewer } = await migrate(asOwner, MIGRATIONS, { log });
    const grantor = isNewer ? undefined : asOwner;
    const where = await runtimeConnection(config, grantor, embedded?.connection);
    const db = await openRuntime(config, where, log);
    await refuseWrittenAnew(db);
    const description = embedded === undefined ? 'DATABASE_URL' : 'embedded PostgreSQL';
    const replica =
      config.databaseReadUrl === undefined
        ? undefined
        : openReplica({ clock: systemClock, log }, db, config.databaseReadUrl);
    const close = async () => {
      await replica?.close();
      await db.close();
      await embedded?.close();
    };
    await asOwner.close();
    return { db, reads: replica ?? db, description, applied, connection: where, owner, close };
  } catch (error) {
    await asOwner.close();
    await embedded?.close();
    throw refusalOf(config, error);
  }
}

function refusalOf({ databaseUrl }: Config, error: unknown): unknown {
  if (!(error instanceof Outage) || databaseUrl === undefined) return error;
  return new Refusal('conflict', 'database_unreachable', [
    `DATABASE_URL: the database does not answer (${reasonOf(error)})`,
  ]);
}

/**
 * The service itself does not own what it writes to, where the settings allow for two roles.
 * `grantor`: undefined where a later program has given the rights, also to tables unknown here.
 */
async function runtimeConnection(
  { databaseUrl, databaseOwnerUrl, databaseDirectUrl }: Config,
  grantor: Db | undefined,
  embedded: ConnectionSettings | undefined,
): Promise<ListenerOptions['connection']> {
  if (embedded !== undefined) {
    const password = runtimePassword(embedded.password);
    if (grantor) await prepareRuntimeRole(grantor, { role: RUNTIME_ROLE, password });
    return { ...embedded, user: RUNTIME_ROLE, password };
  }
  if (databaseUrl !== undefined && databaseOwnerUrl !== undefined && grantor) {
    await prepareRuntimeRole(grantor, { role: decodeURIComponent(new URL(databaseUrl).username) });
  }
  return { connectionString: databaseDirectUrl ?? databaseUrl ?? '' };
}

/** `direct`: for connections of one's own. */
async function openRuntime(
  { databaseUrl, databaseDirectUrl, databasePoolSize: poolSize }: Config,
  direct: ListenerOptions['connection'],
  log: Log,
): Promise<Db> {
  if (databaseDirectUrl === undefined) {
    if (databaseUrl !== undefined) await refusePooler(direct, 'DATABASE_URL', POOLED);
    return openDb({ ...direct, poolSize, log });
  }
  await refusePooler(direct, 'DATABASE_DIRECT_URL', 'leads to a pooler too');
  const past = openDb({ ...direct, poolSize: 1, log });
  await settleRole(past).finally(() => past.close());
  const db = openDb({ connectionString: databaseUrl ?? '', isPooled: true, poolSize, log });
  const unsettled = await listUnsettled(db);
  if (unsettled.length === 0) return db;
  await db.close();
  const told = unsettled.map((one) => `DATABASE_URL: ${one}: run RECONNECT in PgBouncer`);
  throw new Refusal('conflict', 'database_unsafe', told);
}

const POOLED =
  'leads to a pooler: name the database itself in DATABASE_DIRECT_URL (docs/operate/grow.md)';

/** Behind a pooler nothing of what the database announces would be heard. */
async function refusePooler(
  connection: ListenerOptions['connection'],
  setting: string,
  why: string,
): Promise<void> {
  if (!(await isBehindPooler(connection))) return;
  throw new Refusal('conflict', 'database_unsafe', [`${setting}: ${why}`]);
}

function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return cause.message || code;
}
