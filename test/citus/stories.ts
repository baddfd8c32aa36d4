// Only with npm run test:citus, whose databases are distributed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import { distributeSchema } from '#postgres/distribute-schema.ts';
import { listNodes } from '#test/support/citus-nodes.ts';
import { openTestDatabase } from '#test/support/test-database.ts';

test('all tables of an installation are on one worker, and distributing again changes nothing', async () => {
  const { db, connection, close } = await openTestDatabase();
  const [coordinator] = listNodes(connection);
  assert.ok(coordinator !== undefined);
  assert.notEqual(connection.port, coordinator.port, 'a worker is asked');
  const owner = openDb({ ...coordinator, database: connection.database, log: silentLog });
  try {
    const { schema, tables, node, wasThere } = await distributeSchema(owner);
    const [own] = await owner.query<{ count: bigint }>(sql`
      select count(*) from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
    assert.deepEqual(
      { schema, tables, node, wasThere },
      {
        schema: 'quittance',
        tables: own?.count,
        node: `127.0.0.1:${connection.port}`,
        wasThere: true,
      },
    );
    assert.ok(tables > 100n);
    const [heard] = await db.query<{ schema: string }>(
      sql`select current_schema()::text as schema`,
    );
    assert.equal(heard?.schema, 'quittance');
  } finally {
    await owner.close();
    await close();
  }
});
