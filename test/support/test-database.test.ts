import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import { newDatabaseUrl, openTestDatabase } from './test-database.ts';

test('every test database is migrated, and none sees the writes of another', async () => {
  const [first, second] = await Promise.all([openTestDatabase(), openTestDatabase()]);
  try {
    await first.db.transact(async (tx) => tx.send(sql`create table only_here (number int)`));
    const find = sql`select to_regclass('only_here')::text as name`;
    assert.deepEqual(await first.db.query(find), [{ name: 'only_here' }]);
    assert.deepEqual(await second.db.query(find), [{ name: null }]);
    const applied = await second.db.query(sql`select number from schema_migration`);
    assert.ok(applied.length > 0);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});

test('a database URL reaches a fresh migrated database', async () => {
  const { url, close } = await newDatabaseUrl();
  const db = openDb({ connectionString: url, log: silentLog });
  try {
    const found = await db.query(sql`select to_regclass('checkout')::text as name`);
    assert.deepEqual(found, [{ name: 'checkout' }]);
  } finally {
    await db.close();
    await close();
  }
});
