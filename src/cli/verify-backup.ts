// Whether a backup can be restored, found out by doing it: into a database that is made for it and
// removed again, whose ledger is proven from its rows. It needs an identity, and no key file.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { restoreBackup } from '#backup/restore-backup.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type Db, openDb } from '#db/db.ts';
import { verifyEvents } from '#event/prove-events.ts';
import { checkHash } from '#ledger/head-record.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { migrate, readMigrations } from '#postgres/migrate.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { MIGRATIONS } from '#server/open-database.ts';

type VerifyApp = {
  readonly clock: Clock;
  readonly log: Log;
  readonly onProgress: (step: string) => void;
};

type Proven = {
  readonly rows: bigint;
  readonly entries: bigint;
  readonly createdAt: Temporal.Instant;
  /** A sentence each. */
  readonly faults: readonly string[];
};

/** `scratch`: a directory with as much space as the database takes. @throws Refusal */
export async function verifyBackup(
  app: VerifyApp,
  source: Parameters<typeof restoreBackup>[0],
  scratch: string,
): Promise<Proven> {
  const { log, onProgress } = app;
  mkdirSync(scratch, { recursive: true });
  const place = mkdtempSync(join(scratch, 'quittance-verify-'));
  // The server of a process of root runs as another user, who has to pass through.
  if (getuid?.() === 0) chmodSync(place, 0o711);
  const directory = join(place, 'postgres');
  try {
    const server = await startEmbeddedDatabase({ directory, log, onProgress, unsafeFast: true });
    const db = openDb({ ...server.connection, poolSize: 4, log });
    try {
      const { connection } = server;
      const migrations = await readMigrations(MIGRATIONS);
      const options = { connection, migrations, onProgress, onManifest: () => undefined };
      const { rows, manifest } = await restoreBackup(source, options);
      await migrate(db, MIGRATIONS, { log });
      const { entries, faults } = await proveAll({ ...app, db });
      const { createdAt, ledgerHead } = manifest;
      const cut = ledgerHead === null ? [] : await checkHash(db, ledgerHead.hash);
      return { rows, entries, createdAt, faults: [...faults, ...cut] };
    } finally {
      await db.close();
      await server.close();
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What `ledger verify` proves of the rows alone. */
export async function proveAll({
  db,
  clock,
  onProgress,
}: Omit<VerifyApp, 'log'> & { readonly db: Db }): Promise<{
  readonly entries: bigint;
  readonly faults: readonly string[];
}> {
  const { entries, faults } = await verifyLedger(db, onProgress);
  const told = await verifyEvents({ db, clock }, onProgress);
  const reasons = await verifyReasons(db, onProgress);
  return { entries, faults: [...faults, ...told.faults, ...reasons] };
}
