// What a watcher asks the database for before each step, with 100,000 unconfirmed payments to us
// against 1,000: a part of so many is looked at, and the next one with the next step.

import { readPosition } from '#chain/chain-status.ts';
import { sql } from '#db/db.ts';
import type { Bench } from './bench.ts';
import type { BenchDatabase } from './bench-database.ts';
import { CHAIN } from './bench-network.ts';
import { type Figure, figureOf, timeInTurns } from './measure.ts';
import { settleDown } from './seed.ts';

const MANY = 100_000;
const FEW = 1_000;
const AIM = { atMost: 1.5 };

export async function measurePosition(bench: Bench): Promise<Figure[]> {
  const many = await openSeen(bench, 'bench_position_many', MANY);
  const few = await openSeen(bench, 'bench_position_few', FEW);
  const [ours, reference] = await timeInTurns({ runs: 31, warmUps: 5 }, many, few);
  const named = {
    name: `position (${MANY.toLocaleString('en')} unconfirmed)`,
    against: `${FEW.toLocaleString('en')} unconfirmed`,
    unit: 'ms' as const,
    aim: AIM,
  };
  return [figureOf(named, ours, reference)];
}

/** A watcher that goes from one part to the next. */
async function openSeen(bench: Bench, name: string, count: number): Promise<() => Promise<void>> {
  const { db } = await bench.openDatabase(name);
  await seePayments(db, count);
  await settleDown(db);
  let unconfirmedAfter = '';
  return async () => {
    const { unconfirmed } = await readPosition(db, CHAIN, { unconfirmedAfter });
    if (unconfirmed.length !== FEW) throw new Error(`${unconfirmed.length} were told`);
    unconfirmedAfter = unconfirmed.at(-1) ?? '';
  };
}

async function seePayments(db: BenchDatabase['db'], count: number): Promise<void> {
  await db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(sql`
      insert into receipt (chain, credit_key, transaction, destination, asset_id, units, status,
        seen_at)
      select ${CHAIN}, md5(n::text) || ':0', md5(n::text), 'somewhere', 'LTC:NATIVE', 1, 'SEEN', now()
      from generate_series(1, ${count}::int) n`);
  });
}
