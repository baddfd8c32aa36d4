import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { type Db, sql } from '#db/db.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { readPosition } from './chain-status.ts';

const CHAIN = chainOf('test', 'LITECOIN');
const name = (number: number) => `tx${String(number).padStart(6, '0')}`;

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

/** Each with so many outputs to us. */
async function seeTransactions(count: number, outputs: number): Promise<void> {
  await db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(sql`delete from receipt`);
    await tx.query(sql`
      insert into receipt (chain, credit_key, transaction, destination, asset_id, units, status,
        seen_at)
      select ${CHAIN}, 'tx' || lpad(n::text, 6, '0') || ':' || o, 'tx' || lpad(n::text, 6, '0'),
        'somewhere', 'LTC:NATIVE', 1, 'SEEN', now()
      from generate_series(1, ${count}::int) n cross join generate_series(1, ${outputs}::int) o`);
  });
}

/** What a watcher is told from step to step. */
async function windows(steps: number): Promise<(readonly string[])[]> {
  const told: (readonly string[])[] = [];
  for (let step = 0; step < steps; step += 1) {
    const { unconfirmed } = await readPosition(db, CHAIN, {
      unconfirmedAfter: told.at(-1)?.at(-1) ?? '',
    });
    told.push(unconfirmed);
  }
  return told;
}

test('a few unconfirmed transactions are all told each time', async () => {
  await seeTransactions(300, 3);
  for (const window of await windows(3)) {
    assert.deepEqual(
      window.toSorted(),
      Array.from({ length: 300 }, (_, index) => name(index + 1)),
    );
  }
});

test('of very many each step tells so many, and comes round to every one', async () => {
  await seeTransactions(2_500, 1);
  const told = await windows(5);
  for (const window of told) assert.equal(window.length, 1_000);
  assert.equal(new Set(told.slice(0, 3).flat()).size, 2_500);
  assert.deepEqual([told[2]?.[0], told[2]?.[500]], [name(2_001), name(1)]);
  assert.equal(new Set(told.slice(2, 5).flat()).size, 2_500);
});

test('a transaction with more outputs than a step looks at stops nothing', async () => {
  await seeTransactions(3, 1_500);
  assert.deepEqual(await windows(4), [[name(1)], [name(2)], [name(3)], [name(1)]]);
});
