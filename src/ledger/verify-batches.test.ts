// The proof walks a ledger of any size in batches. PostgreSQL plans them without knowing their values
// (plan_cache_mode in src/db/db.ts), and where a batch looks like a good part of a ledger that is larger
// than the memory, it reads all of it, for each batch anew. Seen with 100 million postings.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import type { Db, Statement } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { explain, type TableRead } from '#test/support/explain.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { sealEntries } from './seal-entries.ts';
import { verifyLedger } from './verify-ledger.ts';

const TABLES = ['ledger_entry', 'ledger_posting', 'event_digest'];
const SEALED_AT_ONCE = 1_000;
const ENTRIES = 10_000;
const LINES = 5;
/** The largest batch, and the rest of its last entry. */
const READ_MOST = 5_000 + LINES;

let db: Db;

before(async () => {
  ({ db } = await openTestDatabase({ unsafeFast: true }));
  await db.transact(async (tx) => {
    // Without triggers and foreign keys: only how much is read is looked at here.
    await tx.query(rawStatement('set local session_replication_role = replica'));
    // As many pages as ten times the rows would have.
    for (const table of TABLES) {
      await tx.query(rawStatement(`alter table ${table} set (fillfactor = 10)`));
    }
    await tx.query(
      rawStatement(`insert into ledger_account (environment, code, asset_id)
        select 'test', code, 'LTC:NATIVE' from unnest(array['fees', 'dust']) as code`),
    );
    await tx.query(
      rawStatement(`insert into ledger_entry (cause_key, kind, environment, occurred_at)
        select 'cause ' || n, 'k', 'test', now() from generate_series(1, ${ENTRIES}) as n`),
    );
    await tx.query(
      rawStatement(`insert into ledger_posting (entry_id, position, account_id, asset_id, units,
          environment, owner)
        select id, line, 1 + line % 2, 'LTC:NATIVE', 1, 'test', ''
        from ledger_entry, generate_series(1, ${LINES}) as line`),
    );
    await tx.query(
      rawStatement(`insert into event_digest (number, event_id, told_at, digest)
        select n, 'event ' || n, now(), sha256(n::text::bytea) from generate_series(1, ${ENTRIES}) as n`),
    );
  });
  await db.query(rawStatement('analyze'));
  while ((await sealEntries({ db, clock: systemClock }, { limit: SEALED_AT_ONCE })).sealed > 0);
});

/** Beside each question what PostgreSQL reads for it, as it plans for a table that is larger than the memory. */
function noting(reads: TableRead[]): Db {
  return {
    ...db,
    async query<Row>(statement: Statement): Promise<Row[]> {
      reads.push(...(await explain(db, statement, { isLarge: true })));
      return db.query<Row>(statement);
    },
  };
}

test('no batch of the proof reads more than its own entries, postings and digests', async () => {
  const reads: TableRead[] = [];
  const { entries, postings, accounts, seals } = await verifyLedger(noting(reads));
  assert.equal(accounts, 2n);
  assert.equal(seals, BigInt(ENTRIES / SEALED_AT_ONCE));
  assert.equal(entries, BigInt(ENTRIES));
  assert.equal(postings, BigInt(ENTRIES * LINES));
  for (const table of TABLES) {
    const ofTable = reads.filter((read) => read.table === table);
    assert.ok(ofTable.length >= ENTRIES / 1_000, table);
    for (const { node, rows } of ofTable) {
      assert.ok(rows <= READ_MOST, `${node} of ${table} reads ${rows} rows`);
    }
  }
});
