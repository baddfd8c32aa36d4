// What the proof of the ledger costs, and that of its reasons and of what was told: 300,000 postings
// and 100,000 events against 30,000 and 10,000. One that looks at each line by an index costs ten
// times as much; and no statement comes near the 30 seconds after which the service ends it.

import process from 'node:process';
import { systemClock } from '#base/clock.ts';
import { openDb, sql } from '#db/db.ts';
import { digestEvents, verifyEvents } from '#event/prove-events.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import type { Bench } from './bench.ts';
import { openBenchApp } from './bench-app.ts';
import { type BenchDatabase, log } from './bench-database.ts';
import { commitMany, creditBlocks, startChain } from './figure-credit.ts';
import { type Figure, figureOf, median, timed } from './measure.ts';
import { settleDown } from './seed.ts';

const MANY = 100_000;
const FEW = 10_000;
const RUNS = 3;
const SEALED_AT_ONCE = 1_000;
const AIM = { atMost: 11 };
/** Of the time after which a statement is ended. */
const STATEMENT_AIM = { atMost: 0.1 };
const STATEMENT_LIMIT_MS = 30_000;

/** What a heap holds between two collections is not the proof's. */
const HEAP_AIM = { atMost: 1.5 };
const MEGABYTE = 1_048_576;

type Proof = {
  readonly prove: () => Promise<void>;
  close(): Promise<void>;
  longestMs: number;
  /** The most that the heap held after a statement. */
  heapMost: number;
};

export async function measureVerify(bench: Bench): Promise<Figure[]> {
  const few = await openProof(bench, 'bench_verify_few', FEW);
  const many = await openProof(bench, 'bench_verify_many', MANY);
  try {
    const [mine, theirs]: [number[], number[]] = [[], []];
    await few.prove();
    for (let run = 1; run <= RUNS; run += 1) {
      mine.push(await timed(many.prove));
      theirs.push(await timed(few.prove));
      const [a, b] = [mine.at(-1) ?? 0, theirs.at(-1) ?? 0];
      bench.say(`verify, run ${run}: ${a.toFixed(0)} ms, ${3 * FEW} postings ${b.toFixed(0)} ms`);
    }
    const name = `verify (${(3 * MANY).toLocaleString('en')} postings)`;
    const unit = 'ms' as const;
    const against = `${(3 * FEW).toLocaleString('en')} postings`;
    return [
      figureOf({ name, against, unit, aim: AIM }, median(mine), median(theirs)),
      figureOf(
        { name: `${name}, longest step`, against: '30 s', unit, aim: STATEMENT_AIM },
        many.longestMs,
        STATEMENT_LIMIT_MS,
      ),
      figureOf(
        { name: `${name}, heap at the most`, against, unit: 'MB', aim: HEAP_AIM },
        many.heapMost / MEGABYTE,
        few.heapMost / MEGABYTE,
      ),
    ];
  } finally {
    await few.close();
    await many.close();
  }
}

/** One payment is credited as it is in life, and copied so often. */
async function openProof(bench: Bench, name: string, payments: number): Promise<Proof> {
  const database = await bench.openDatabase(name);
  const app = await openBenchApp(database, bench.keyring);
  const cursor = { at: await startChain(app) };
  const due = await commitMany(app, [database.ours.key], 1);
  await creditBlocks(app, cursor, due);
  bench.say(`verify: making ${(3 * payments).toLocaleString('en')} postings`);
  await copyPayment(database, payments - 1);
  const { db: owner } = database;
  const clock = systemClock;
  for (let events = 0; events <= payments; events += SEALED_AT_ONCE) {
    await digestEvents({ db: owner, clock }, { limit: SEALED_AT_ONCE });
  }
  while ((await sealEntries({ db: owner, clock }, { limit: SEALED_AT_ONCE })).sealed > 0);
  await settleDown(owner);
  // With the limit that the service has.
  const db = openDb({ ...database.connection, poolSize: 2, log });
  const proof = {
    longestMs: 0,
    heapMost: 0,
    async prove() {
      let lastMs = performance.now();
      const onProgress = () => {
        const nowMs = performance.now();
        proof.longestMs = Math.max(proof.longestMs, nowMs - lastMs);
        lastMs = nowMs;
        proof.heapMost = Math.max(proof.heapMost, process.memoryUsage().heapUsed);
      };
      const { ok, postings, faults } = await verifyLedger(db, onProgress);
      const told = await verifyEvents({ db, clock }, onProgress);
      const reasons = await verifyReasons(db, onProgress);
      const found = [...faults, ...told.faults, ...reasons];
      const isAll = postings === BigInt(3 * payments) && told.kept >= BigInt(payments);
      if (!ok || !isAll || found.length > 0) {
        throw new Error(`${postings} postings, ${told.kept} events: ${found[0] ?? 'not as many'}`);
      }
    },
    close: () => db.close(),
  };
  return proof;
}

/** As rows, with the triggers off: balances are written once. */
export async function copyPayment({ db }: BenchDatabase, copies: number): Promise<void> {
  await db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(sql`
      insert into receipt overriding system value
      select (jsonb_populate_record(r, jsonb_build_object('id', r.id + n,
        'credit_key', r.credit_key || '/' || n, 'transaction', r.transaction || n))).*
      from receipt r cross join generate_series(1, ${copies}::int) n`);
    await tx.query(sql`
      insert into receipt_credit
      select (jsonb_populate_record(c, jsonb_build_object('receipt_id', c.receipt_id + n))).*
      from receipt_credit c cross join generate_series(1, ${copies}::int) n`);
    await tx.query(sql`
      insert into ledger_posting (entry_id, position, account_id, asset_id, units, environment, owner)
      select p.entry_id + n, p.position, p.account_id, p.asset_id, p.units, p.environment, p.owner
      from ledger_posting p cross join generate_series(1, ${copies}::int) n`);
    await tx.query(sql`
      insert into ledger_entry overriding system value
      select (jsonb_populate_record(e, jsonb_build_object('id', e.id + n,
        'cause_key', 'receipt:' || r.id + n || ':1'))).*
      from ledger_entry e cross join (select min(id) as id from receipt) r
        cross join generate_series(1, ${copies}::int) n`);
    const eventId = sql`lpad(n::text, 12, '0')`;
    await tx.query(sql`
      insert into event (id, merchant_id, environment, type, subject, subject_id, sequence,
        cause_key, body, api_key, created_at)
      select ${eventId}, merchant_id, environment, type, subject, subject_id, 1000 + n,
        cause_key || '/' || n, body, api_key, created_at
      from event cross join generate_series(1, ${copies}::int) n
      where type = 'CHECKOUT_COMPLETED' order by n`);
    await tx.query(sql`
      insert into webhook_delivery (event_id, merchant_id, environment, url, lane, state,
        next_attempt_at, created_at)
      select ${eventId}, merchant_id, environment, url, lane, state, next_attempt_at, created_at
      from webhook_delivery cross join generate_series(1, ${copies}::int) n
      where event_id = (select id from event where type = 'CHECKOUT_COMPLETED' and sequence < 1000)
      order by n`);
    await tx.query(sql`update checkout set event_sequence = ${1_000 + copies}`);
    await tx.query(sql`
      update ledger_balance_part b set units = (
        select sum(units) from ledger_posting p where p.account_id = b.account_id)`);
  });
}
