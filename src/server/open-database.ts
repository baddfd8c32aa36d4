// Opens the database the settings name: the embedded one, or the operator's. Checks before anything
// is written that it is one a payment service may stand on (C13), and brings it to this version.

import { join } from 'node:path';
import type { Log } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type Db, openDb } from '#db/db.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { migrate } from '#postgres/migrate.ts';
import type { ListenerOptions } from '#postgres/open-listener.ts';
import { type ConnectionSettings, dbIsDurable } from '#postgres/postgres-server.ts';
import { prepareRuntimeRole, RUNTIME_ROLE, runtimePassword } from '#postgres/runtime-role.ts';
import type { Config } from './config.ts';

export type OpenDatabase = {
  readonly db: Db;
  readonly description: string;
  readonly applied: readonly string[];
  /** For connections of one's own. */
  readonly connection: ListenerOptions['connection'];
  close(): Promise<void>;
};

export const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');

/** @throws Refusal with one line that says what to do. */
export async function openDatabase(
  config: Config,
  log: Log,
  onProgress: (step: string) => void,
): Promise<OpenDatabase> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedDatabase({
          directory: join(config.dataDirectory, 'postgres'),
          log,
          onProgress,
        })
      : undefined;
  const ownerUrl = config.databaseOwnerUrl ?? config.databaseUrl;
  const owner = embedded?.connection ?? { connectionString: ownerUrl ?? '' };
  const asOwner = openDb({ ...owner, poolSize: 2, log });
  try {
    const faults = await dbIsDurable(asOwner);
    if (faults.length > 0) throw new Refusal('conflict', 'database_unsafe', faults);
    const { applied } = await migrate(asOwner, MIGRATIONS, { log });
    const where = await runtimeConnection(config, asOwner, embedded?.connection);
    const db = openDb({ ...where, poolSize: config.databasePoolSize, log });
    const description = embedded === undefined ? 'DATABASE_URL' : 'embedded PostgreSQL';
    const close = async () => {
      await db.close();
      await embedded?.close();
    };
    await asOwner.close();
    return { db, description, applied, connection: where, close };
  } catch (error) {
    await asOwner.close();
    await embedded?.close();
    if (error instanceof Outage && config.databaseUrl !== undefined) {
      throw new Refusal('conflict', 'database_unreachable', [
        `DATABASE_URL: the database does not answer (${reasonOf(error)})`,
      ]);
    }
    throw error;
  }
}

/** The service itself does not own what it writes to, where the settings allow for two roles. */
async function runtimeConnection(
  { databaseUrl, databaseOwnerUrl }: Config,
  asOwner: Db,
  embedded: ConnectionSettings | undefined,
): Promise<ListenerOptions['connection']> {
  if (embedded !== undefined) {
    const password = runtimePassword(embedded.password);
    await prepareRuntimeRole(asOwner, { role: RUNTIME_ROLE, password });
    return { ...embedded, user: RUNTIME_ROLE, password };
  }
  if (databaseUrl !== undefined && databaseOwnerUrl !== undefined) {
    await prepareRuntimeRole(asOwner, { role: decodeURIComponent(new URL(databaseUrl).username) });
  }
  return { connectionString: databaseUrl ?? '' };
}

function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return cause.message || code;
}
