// A few seeds, one after the other, in one fresh database, cloned from one that is migrated. At the
// end all of it is checked, the ledger with it.
import { join } from 'node:path';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { migrate } from '#postgres/migrate.ts';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import type { ShopReceiver } from './receiver.ts';
import { runSeed } from './run-seed.ts';
import { type Counters, noCounters } from './story.ts';
import { openWorld, SERVICE_NAME } from './world.ts';

export const TEMPLATE = 'simulation_template';
const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');
const START = '2026-01-05T08:00:00Z';
export const SEEDS_A_DATABASE = 20;

export type SeedRange = {
  /** The first seed. */
  readonly from: number;
  readonly count: number;
  readonly server: ConnectionSettings;
  readonly onStep?: ((line: string) => void) | undefined;
};

export async function makeTemplate(server: ConnectionSettings): Promise<void> {
  const admin = openDb({ ...server, poolSize: 1, log: silentLog });
  await admin.query(rawStatement(`create database ${TEMPLATE}`)).finally(() => admin.close());
  const db = openDb({ ...server, database: TEMPLATE, poolSize: 2, log: silentLog });
  await migrate(db, MIGRATIONS, { log: silentLog }).finally(() => db.close());
}

/** @throws SeedFailure at the first seed that fails. */
export async function runSeedsInOneDatabase(
  range: SeedRange,
  receiver: ShopReceiver,
): Promise<Counters> {
  const { server, from: first, count, onStep } = range;
  const counters = noCounters();
  const name = `simulation_${first}`;
  const admin = openDb({ ...server, poolSize: 1, log: silentLog });
  // Of a thread that was ended.
  await admin.query(rawStatement(`drop database if exists ${name} with (force)`));
  await admin.query(rawStatement(`create database ${name} template ${TEMPLATE}`));
  const connection = { ...server, database: name, log: silentLog };
  const db = openDb({ ...connection, poolSize: 4 });
  const serviceDb = openDb({ ...connection, poolSize: 10, applicationName: SERVICE_NAME });
  try {
    const world = await openWorld({ db, serviceDb }, manualClock(START), first);
    for (let seed = first; seed < first + count; seed += 1) {
      await runSeed({ seed, world, receiver, counters, onStep });
    }
    const broken = await checkInvariants(db, {
      now: world.clock.now(),
      settled: true,
      expiredByHand: world.expiredByHand,
    });
    broken.push(...(await verifyReasons(db)));
    if (broken.length > 0) {
      throw new Error(`after seeds ${first} to ${first + count - 1}: ${broken.join('\n  ')}`);
    }
    const [unclaimed] = await db.query<{ count: number }>(sql`
      select count(*)::int as count from receipt where instruction_id is null`);
    counters.suspense += unclaimed?.count ?? 0;
    return counters;
  } finally {
    await Promise.all([db.close(), serviceDb.close()]);
    await admin.query(rawStatement(`drop database ${name} with (force)`));
    await admin.close();
  }
}
