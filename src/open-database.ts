// Opens the database the settings name: the embedded one, or the operator's. Checks before anything
// is written that it is one a payment service may stand on (C13), and brings it to this version.

import { join } from 'node:path';
import type { Log } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type Db, openDb } from '#db/db.ts';
import { dbIsDurable } from '#db/durability.ts';
import { startEmbeddedDatabase } from '#db/embedded-database.ts';
import { migrate } from '#db/migrate.ts';
import type { ListenerOptions } from '#db/open-listener.ts';
import type { Config } from './config.ts';

export type OpenDatabase = {
  readonly db: Db;
  readonly description: string;
  readonly applied: readonly string[];
  /** For connections of one's own. */
  readonly connection: ListenerOptions['connection'];
  close(): Promise<void>;
};

const MIGRATIONS = join(import.meta.dirname, '..', 'migrations');

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
  const where = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' };
  const db = openDb({ ...where, poolSize: config.databasePoolSize, log });
  const close = async () => {
    await db.close();
    await embedded?.close();
  };
  try {
    const faults = await dbIsDurable(db);
    if (faults.length > 0) throw new Refusal('conflict', 'database_unsafe', faults);
    const { applied } = await migrate(db, MIGRATIONS, { log });
    const description = embedded === undefined ? 'DATABASE_URL' : 'embedded PostgreSQL';
    return { db, description, applied, connection: where, close };
  } catch (error) {
    await close();
    if (error instanceof Outage && config.databaseUrl !== undefined) {
      throw new Refusal('conflict', 'database_unreachable', [
        `DATABASE_URL: the database does not answer (${reasonOf(error)})`,
      ]);
    }
    throw error;
  }
}

function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown }).code;
  return cause.message || (typeof code === 'string' ? code : cause.name);
}
