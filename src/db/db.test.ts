import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { AssertionFailure } from '#base/assert.ts';
import { silentLog } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { dbIsDurable } from '#postgres/postgres-server.ts';
import { openSlowWire } from '#test/support/slow-wire.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { ConstraintViolation, type Db, openDb, ResultUnknown, sql, type Tx } from './db.ts';

let database: TestDatabase;
let db: Db;

before(async () => {
  database = await openTestDatabase();
  db = database.db;
  await db.transact(async (tx) => {
    tx.send(sql`create table item (id int primary key, size numeric(78,0) not null,
      constraint item_size check (size >= 0))`);
    tx.send(sql`create table later (id int references item deferrable initially deferred)`);
  });
});
after(() => database.close());
beforeEach(() => db.single(async (tx) => tx.send(sql`truncate item, later`)));

function insert(id: number, size = 1n) {
  return sql`insert into item (id, size) values (${id}, ${size})`;
}
async function countItems(): Promise<bigint | undefined> {
  const [row] = await db.query<{ count: bigint }>(sql`select count(*) from item`);
  return row?.count;
}
function isViolation(constraint: string, code: string) {
  return (error: unknown) =>
    error instanceof ConstraintViolation && error.constraint === constraint && error.code === code;
}

test('values come back as they went in', async () => {
  const instant = Temporal.Instant.from('2026-11-21T10:00:00.123456Z');
  const [row] = await db.query<Record<string, unknown>>(sql`
    select ${2n ** 255n}::numeric(78,0) as large, ${-(2n ** 63n)}::int8 as small, 7::int4 as number,
      1.50::numeric(20,2) as fraction, 2::numeric(20,2) as whole_with_scale,
      ${instant}::timestamptz as instant, ${new Uint8Array([0, 255])}::bytea as bytes,
      '{"amount": 1.10, "n": 12345678901234567890}'::json as json, '[1.0]'::jsonb as jsonb,
      ${[1n, 2n ** 80n]}::numeric(78,0)[] as numbers, ${[instant]}::timestamptz[] as instants,
      ${['a,"b', 'NULL', null]}::text[] as texts, ${[new Uint8Array([1])]}::bytea[] as bytes_list,
      ${true}::boolean as flag, null as nothing`);
  assert.deepEqual(
    { ...row, instant: String(row?.instant), instants: String(row?.instants) },
    {
      large: 2n ** 255n,
      small: -(2n ** 63n),
      number: 7,
      fraction: '1.50',
      whole_with_scale: '2.00',
      instant: instant.toString(),
      bytes: new Uint8Array([0, 255]),
      json: '{"amount": 1.10, "n": 12345678901234567890}',
      jsonb: '[1.0]',
      numbers: [1n, 2n ** 80n],
      instants: instant.toString(),
      texts: ['a,"b', 'NULL', null],
      bytes_list: [new Uint8Array([1])],
      flag: true,
      nothing: null,
    },
  );
});

test('lists of texts and bytes come back whatever their parts look like', async () => {
  const texts = [
    [],
    [''],
    ['plain'],
    ['a', 'b c', 'ä'],
    ['a,b', '{}'],
    ['\\x61', '"'],
    ['null', null],
  ];
  const bytes = [[], [[]], [[1, 255], []], [[0x5c, 0x78], null]].map((list) =>
    list.map((part) => (part === null ? null : Uint8Array.from(part))),
  );
  for (const list of texts) {
    const [row] = await db.query<{ list: unknown }>(sql`select ${list}::text[] as list`);
    assert.deepEqual(row?.list, list);
  }
  for (const list of bytes) {
    const [row] = await db.query<{ list: unknown }>(sql`select ${list}::bytea[] as list`);
    assert.deepEqual(row?.list, list);
  }
});

test('what an act sends is committed when the act resolves', async () => {
  const result = await db.transact(async (tx) => {
    tx.send(insert(1));
    assert.equal(await countItems(), 0n, 'others do not see it yet');
    tx.send(insert(2));
    return 'done';
  });
  assert.equal(result, 'done');
  assert.equal(await countItems(), 2n);
});

test('an act that throws leaves nothing behind', async () => {
  const failure = new Error('changed my mind');
  const act = async (tx: Tx) => {
    tx.send(insert(1));
    await tx.query(insert(2));
    throw failure;
  };
  await assert.rejects(db.transact(act), failure);
  assert.equal(await countItems(), 0n);
});

test('a failed send fails the act, and nothing stays', async () => {
  const act = async (tx: Tx) => {
    tx.send(insert(1));
    tx.send(insert(2, -1n));
    tx.send(insert(3));
  };
  await assert.rejects(db.transact(act), isViolation('item_size', '23514'));
  assert.equal(await countItems(), 0n);
});

test('a query behind a failed send fails for the same reason', async () => {
  const act = async (tx: Tx) => {
    tx.send(insert(2, -1n));
    await tx.query(sql`select 1`);
  };
  await assert.rejects(db.transact(act), isViolation('item_size', '23514'));
});

test('an act that swallows the failure of a statement is not committed', async () => {
  const act = async (tx: Tx) => {
    await tx.query(insert(1));
    await tx.query(insert(1)).catch(() => undefined);
  };
  await assert.rejects(db.transact(act), isViolation('item_pkey', '23505'));
  assert.equal(await countItems(), 0n);
});

test('an act may answer a violation with its own error', async () => {
  await db.single(async (tx) => tx.send(insert(1)));
  const taken = new Error('taken');
  for (const way of [db.transact, db.single]) {
    const act = async (tx: Tx) => {
      await tx.query(insert(1)).catch((error: unknown) => {
        assert.ok(isViolation('item_pkey', '23505')(error));
        throw taken;
      });
    };
    await assert.rejects(way(act), taken);
  }
});

test('violations carry the name of their constraint', async () => {
  const cases = [
    [sql`insert into item (id, size) values (1, null)`, 'item_size_not_null', '23502'],
    [sql`insert into later values (99)`, 'later_id_fkey', '23503'],
  ] as const;
  for (const [statement, constraint, code] of cases) {
    const act = async (tx: Tx) => tx.send(statement);
    await assert.rejects(db.transact(act), isViolation(constraint, code));
    await assert.rejects(db.single(act), isViolation(constraint, code));
  }
});

test('the number that Citus puts behind a constraint on a worker is no part of its name', async () => {
  await db.query(sql`
    create table shard (size integer constraint shard_small_102069 check (size < 2))`);
  const act = async (tx: Tx) => tx.send(sql`insert into shard values (2)`);
  await assert.rejects(db.transact(act), isViolation('shard_small', '23514'));
});

test('a constraint that is checked at COMMIT fails the act', async () => {
  const act = async (tx: Tx) => {
    await tx.query(sql`insert into later values (99)`);
  };
  await assert.rejects(db.transact(act), isViolation('later_id_fkey', '23503'));
});

test('single takes exactly one statement', async () => {
  await db.single(async (tx) => tx.send(insert(1)));
  const two = async (tx: Tx) => {
    tx.send(insert(2));
    tx.send(insert(3));
  };
  await assert.rejects(db.single(two), AssertionFailure);
  await assert.rejects(
    db.single(async () => {}),
    AssertionFailure,
  );
  const [row] = await db.query<{ max: number }>(sql`select max(id) from item`);
  assert.ok(row !== undefined && row.max < 3, 'the second statement was never issued');
});

test('a transaction cannot be used when it is over', async () => {
  let kept: Tx | undefined;
  await db.transact(async (tx) => {
    kept = tx;
  });
  await assert.rejects(async () => kept?.query(insert(1)), AssertionFailure);
  assert.throws(() => kept?.send(insert(1)), AssertionFailure);
});

test('two acts that lock each other out both succeed', { timeout: 30_000 }, async () => {
  await db.transact(async (tx) => {
    tx.send(insert(1));
    tx.send(insert(2));
  });
  let attempts = 0;
  let holding = 0;
  const bothHold = Promise.withResolvers<void>();
  const bump = (first: number, second: number) => async (tx: Tx) => {
    attempts += 1;
    await tx.query(sql`update item set size = size + 1 where id = ${first}`);
    holding += 1;
    if (holding === 2) bothHold.resolve();
    await bothHold.promise;
    await tx.query(sql`update item set size = size + 1 where id = ${second}`);
  };
  await Promise.all([db.transact(bump(1, 2)), db.transact(bump(2, 1))]);
  // One was tried again; once more where it was back before the other had noticed.
  assert.ok(attempts >= 3, `${attempts} attempts`);
  const rows = await db.query(sql`select size from item order by id`);
  assert.deepEqual(rows, [{ size: 3n }, { size: 3n }]);
});

test('an act is tried again at most 5 times', async () => {
  let attempts = 0;
  const act = async (tx: Tx) => {
    attempts += 1;
    tx.send(insert(1));
    tx.send(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
  };
  await assert.rejects(db.transact(act), Outage);
  assert.equal(attempts, 6);
  assert.equal(await countItems(), 0n);
});

test('a killed connection is an outage, and the next act succeeds', async () => {
  const endMyself = sql`select pg_terminate_backend(pg_backend_pid())`;
  const act = async (tx: Tx) => {
    tx.send(insert(1));
    await tx.query(endMyself);
  };
  for (let round = 0; round < 5; round += 1) {
    await assert.rejects(db.transact(act), (error) => {
      assert.ok(error instanceof Outage && error.what === 'database');
      return !(error.cause instanceof ResultUnknown);
    });
  }
  await assert.rejects(db.query(endMyself), Outage);
  assert.equal(await countItems(), 0n);
});

test('idle connections that the server ends do not disturb anybody', async () => {
  await Promise.all(Array.from({ length: 8 }, () => db.query(sql`select pg_sleep(0.02)`)));
  const admin = openDb({ ...database.connection, log: silentLog, poolSize: 1 });
  await admin.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  const alive = async () => {
    const rows = await admin.query(sql`select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    return rows.length > 0;
  };
  while (await alive()) await wait(10);
  await admin.close();
  await wait(100);
  const counts = await Promise.all(Array.from({ length: 8 }, countItems));
  assert.deepEqual(counts, Array(8).fill(0n));
});

test('a connection lost during COMMIT leaves the result unknown', async () => {
  const act = async (tx: Tx) => {
    tx.send(insert(1));
    tx.send(sql`select pg_terminate_backend(pg_backend_pid())`);
  };
  for (const attempt of [
    () => db.transact(act),
    () => db.single(async (tx) => tx.send(sql`select pg_terminate_backend(pg_backend_pid())`)),
  ]) {
    await assert.rejects(attempt, (error) => {
      assert.ok(error instanceof Outage, String(error));
      return error.cause instanceof ResultUnknown;
    });
  }
});

test('a server that is not there is an outage', async () => {
  const nowhere = openDb({ host: '127.0.0.1', port: 1, log: silentLog });
  await assert.rejects(nowhere.query(sql`select 1`), Outage);
  await assert.rejects(
    nowhere.transact(async (tx) => tx.send(sql`select 1`)),
    Outage,
  );
  await nowhere.close();
});

test('a statement that takes too long is an outage', async () => {
  const impatient = openDb({ ...database.connection, log: silentLog, statementTimeoutSeconds: 1 });
  await assert.rejects(impatient.query(sql`select pg_sleep(5)`), Outage);
  assert.deepEqual(await impatient.query(sql`select 1 as one`), [{ one: 1 }]);
  await impatient.close();
});

test('BEGIN travels with the first statement and COMMIT with the last', async () => {
  const wire = await openSlowWire(database.connection);
  const near = openDb({ ...database.connection, ...wire.address, log: silentLog, poolSize: 1 });
  try {
    await near.query(sql`select 1`);
    const oneWay = await wire.countRoundTrips(() =>
      near.transact(async (tx) => {
        tx.send(insert(1));
        tx.send(insert(2));
        tx.send(sql`update item set size = size + 1`);
      }),
    );
    assert.equal(oneWay, 1);
    const withRead = await wire.countRoundTrips(() =>
      near.transact(async (tx) => {
        await tx.query(sql`select size from item where id = 1 for update`);
        tx.send(sql`update item set size = size + 1 where id = 1`);
        tx.send(insert(3));
      }),
    );
    assert.equal(withRead, 2);
    assert.equal(
      await wire.countRoundTrips(() => near.single(async (tx) => tx.send(insert(4)))),
      1,
    );
    assert.equal(await wire.countRoundTrips(() => near.transact(async () => 'nothing')), 0);
  } finally {
    await near.close();
    await wire.close();
  }
});

test('statements issued together leave in one write', async (context) => {
  const socket: Required<Pick<Socket, '_write' | '_writev'>> = Socket.prototype as never;
  const one = context.mock.method(socket, '_write');
  const joined = context.mock.method(socket, '_writev');
  const writes = () => one.mock.callCount() + joined.mock.callCount();
  await db.query(sql`select 1`);
  const before = writes();
  await db.read(async ({ query }) => {
    await Promise.all([query(sql`select 1`), query(sql`select 2`), query(sql`select 3`)]);
  });
  assert.equal(writes() - before, 1);
});

test('the embedded server is durable', async () => {
  assert.deepEqual(await dbIsDurable(db), []);
});

test('a server that does not sync is not durable', async () => {
  const fast = await openTestDatabase({ unsafeFast: true });
  try {
    const faults = await dbIsDurable(fast.db);
    assert.equal(faults.length, 3);
    assert.match(faults.join(), /fsync.*full_page_writes|full_page_writes.*fsync/);
  } finally {
    await fast.close();
  }
});
