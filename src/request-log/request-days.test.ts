// The log of requests lies in a partition for each day, nine of them in turn: what that keeps of the log as
// it was, what it gives back to the disk, and what nobody can remove by it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { type Db, openDb, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { decodeCursor } from '#db/page-cursor.ts';
import { rawStatement } from '#db/statement.ts';
import { prepareRuntimeRole, runtimePassword } from '#postgres/runtime-role.ts';
import { explain } from '#test/support/explain.ts';
import { waitUntil } from '#test/support/shop.ts';
import {
  newEmptyDatabase,
  openTestDatabase,
  type TestDatabase,
} from '#test/support/test-database.ts';
import { type ApiRequest, forgetRequests, insertRequests, listRequests } from './api-request.ts';

const OWNER = { merchantId: 'shop', environment: 'test' } as const;
const NOW = Temporal.Instant.from('2026-03-15T10:00:00Z');
const clockAt = (now: Temporal.Instant) => ({ now: () => now });
const ALL = { hiddenScopes: [], cursor: undefined, limit: 100 };

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  ({ db } = database);
});
beforeEach(async () => {
  await db.single((tx) => tx.query(sql`truncate api_request`));
});
after(() => database.close());

let written = 0;
function requestAt(at: Temporal.Instant, given: Partial<ApiRequest> = {}): ApiRequest {
  written += 1;
  return {
    ...{ id: `request${String(written).padStart(6, '0')}`, ...OWNER, apiKey: 'key', at },
    ...{ scope: 'checkout', method: 'POST', path: '/api/v1/checkout', query: undefined },
    ...{ status: 200, errorCode: undefined, durationMs: 12, address: '203.0.113.7' },
    ...{ requestHeaders: undefined, requestBody: undefined, requestBytes: 0 },
    ...{ answerHeaders: undefined, answerBody: undefined, answerBytes: 0, ...given },
  };
}
const hoursAgo = (hours: number, now = NOW) => now.subtract({ hours });
const daysAgo = (days: number, now = NOW) => hoursAgo(24 * days, now);

async function write(...requests: readonly ApiRequest[]): Promise<void> {
  await db.single(async (tx) => insertRequests(tx, requests));
}
async function idsOnDisk(reader: Reader = db): Promise<string[]> {
  const rows = await reader.query<{ id: string }>(sql`select id from api_request order by id`);
  return rows.map(({ id }) => id);
}
const idsOf = (...requests: readonly ApiRequest[]) => requests.map(({ id }) => id).sort();
async function nowOfDatabase(): Promise<Temporal.Instant> {
  const [row] = await db.query<{ now: Temporal.Instant }>(sql`select now()`);
  assert.ok(row !== undefined);
  return row.now;
}
/** By the name of the partition, its whole size. */
async function sizes(): Promise<Map<string, bigint>> {
  const rows = await db.query<{ name: string; bytes: bigint }>(sql`
    select relname::text as name, pg_total_relation_size(oid) as bytes from pg_class
    where oid in (select inhrelid from pg_inherits where inhparent = 'api_request'::regclass)`);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
async function partitionOf({ id }: ApiRequest): Promise<string> {
  const [row] = await db.query<{ name: string }>(sql`
    select tableoid::regclass::text as name from api_request where id = ${id}`);
  assert.ok(row !== undefined);
  return row.name;
}

test('a day that is over is emptied at once, and the disk has its space back', async () => {
  const empty = await sizes();
  assert.equal(empty.size, 9);
  const answerBody = 'x'.repeat(1_000);
  const old = Array.from({ length: 500 }, () => requestAt(daysAgo(8), { answerBody }));
  const kept = [daysAgo(7).add({ seconds: 1 }), daysAgo(3), NOW].map((at) => requestAt(at));
  await write(...old, ...kept);
  const name = await partitionOf(old[0]!);
  assert.ok((await sizes()).get(name)! > 500_000n);
  assert.deepEqual(await forgetRequests({ db, clock: clockAt(NOW) }), {
    ...{ emptiedDays: 1, deleted: 0, hasMore: false },
  });
  assert.equal((await sizes()).get(name), empty.get(name));
  assert.deepEqual(await idsOnDisk(), idsOf(...kept));
  assert.equal((await forgetRequests({ db, clock: clockAt(NOW) })).emptiedDays, 0);
});

test('what was deleted row by row leaves no space behind either', async () => {
  const empty = await sizes();
  const old = requestAt(daysAgo(8));
  await write(old);
  const name = await partitionOf(old);
  await db.single((tx) => tx.query(sql`delete from api_request`));
  assert.ok((await sizes()).get(name)! > empty.get(name)!);
  assert.equal((await forgetRequests({ db, clock: clockAt(NOW) })).emptiedDays, 1);
  assert.equal((await sizes()).get(name), empty.get(name));
});

test('of a day that is partly over all stays on the disk, and only what is young is shown', async () => {
  const [old, young] = [requestAt(daysAgo(7).subtract({ seconds: 1 })), requestAt(daysAgo(7))];
  await write(old, young);
  assert.equal(await partitionOf(old), await partitionOf(young));
  const forgot = await forgetRequests({ db, clock: clockAt(NOW) });
  assert.deepEqual(forgot, { emptiedDays: 0, deleted: 0, hasMore: false });
  assert.deepEqual(await idsOnDisk(), idsOf(old, young));
  const { shown } = await listRequests({ db, clock: clockAt(NOW) }, OWNER, ALL);
  assert.deepEqual(
    shown.map(({ id }) => id),
    [young.id],
  );
});

test('where a day could not be emptied before its place was needed again, rows go one by one', async () => {
  // Of a service that was stopped for days: one day shares its place with today, others do not.
  const old = [9, 10, 11].map((days) => requestAt(daysAgo(days)));
  const kept = [requestAt(NOW), requestAt(daysAgo(1))];
  await write(...old, ...kept);
  assert.equal(await partitionOf(old[0]!), await partitionOf(kept[0]!));
  const { emptiedDays, deleted } = await forgetRequests({ db, clock: clockAt(NOW) });
  assert.deepEqual([emptiedDays, deleted], [1, 2]);
  assert.deepEqual(await idsOnDisk(), idsOf(...kept));
});

test('whatever moment is asked for, what is younger than a week by the clock of the database stays', async () => {
  const now = await nowOfDatabase();
  const kept = [requestAt(hoursAgo(7 * 24 - 1, now)), requestAt(hoursAgo(1, now))];
  await write(...kept, requestAt(daysAgo(12, now)));
  const [role, password] = ['empties days', runtimePassword('days')];
  await prepareRuntimeRole(db, { role, password });
  const runtime = openDb({ ...database.connection, user: role, password, log: silentLog });
  const ask = (before: string) =>
    runtime.query<{ emptied: number }>(
      sql`select empty_request_days(${before}::timestamptz) as emptied`,
    );
  try {
    assert.deepEqual(await ask('infinity'), [{ emptied: 1 }]);
    assert.deepEqual(await ask('infinity'), [{ emptied: 0 }]);
    assert.deepEqual(await idsOnDisk(runtime), idsOf(...kept));
  } finally {
    await runtime.close();
  }
});

test('a transaction that sees one moment only may not ask: it would not see what came since', async () => {
  const act = db.transact(async (tx) => {
    tx.send(sql`set transaction isolation level repeatable read`);
    return tx.query(sql`select empty_request_days(now())`);
  });
  await assert.rejects(act, { code: '25000' });
});

/** What `act` does in a transaction stays open until `meanwhile` is over, however that ends. */
async function whileOpen<Result>(
  act: (tx: Tx) => Promise<unknown>,
  meanwhile: (end: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const open = db.transact(async (tx) => {
    await act(tx);
    begun.resolve();
    await over.promise;
  });
  const end = () => {
    over.resolve();
    return open;
  };
  await begun.promise;
  return meanwhile(end).finally(end);
}

test('what is being written into a day that seems to be over is never lost', async () => {
  const old = requestAt(daysAgo(8));
  await write(old);
  const name = await partitionOf(old);
  // Nine days later the day has the same place.
  const late = requestAt(daysAgo(-1));
  const insert = (tx: Tx) => {
    insertRequests(tx, [late]);
    return tx.query(sql`select 1`);
  };
  const forgot = await whileOpen(insert, async (end) => {
    let isOver = false;
    const forgetting = forgetRequests({ db, clock: clockAt(NOW) }).finally(() => {
      isOver = true;
    });
    // It waits a fifth of a second at the most: on a busy machine it may be over before.
    await waitUntil(`somebody waits for ${name}`, async () => {
      const waiting = await db.query(sql`
        select 1 from pg_locks where not granted and relation = ${name}::text::regclass`);
      return isOver || waiting.length > 0;
    });
    await end();
    return forgetting;
  });
  assert.deepEqual([forgot.emptiedDays, forgot.deleted], [0, 1]);
  assert.deepEqual(await idsOnDisk(), idsOf(late));
});

test('who reads for long keeps its space from the disk until the next time, and nobody waits for him', async () => {
  const old = requestAt(daysAgo(8));
  const young = requestAt(NOW);
  await write(old, young);
  const read = (tx: Tx) => tx.query(sql`select 1 from api_request`);
  await whileOpen(read, async () => {
    const forgot = await forgetRequests({ db, clock: clockAt(NOW) });
    assert.deepEqual(forgot, { emptiedDays: 0, deleted: 1, hasMore: false });
    const { shown } = await listRequests({ db, clock: clockAt(NOW) }, OWNER, ALL);
    assert.equal(shown.length, 1);
    assert.deepEqual(await idsOnDisk(), idsOf(young));
  });
  assert.equal((await forgetRequests({ db, clock: clockAt(NOW) })).emptiedDays, 1);
  assert.deepEqual(await idsOnDisk(), idsOf(young));
});

test('several processes at once empty each day once, and none of them fails', async () => {
  const young = requestAt(NOW);
  await write(young, ...[8, 10, 11, 12, 13].map((days) => requestAt(daysAgo(days))));
  const forgot = await Promise.all(
    Array.from({ length: 4 }, () => forgetRequests({ db, clock: clockAt(NOW) })),
  );
  await forgetRequests({ db, clock: clockAt(NOW) });
  const emptied = forgot.reduce((sum, { emptiedDays }) => sum + emptiedDays, 0);
  assert.ok(emptied <= 5, `${emptied}`);
  assert.deepEqual(await idsOnDisk(), idsOf(young));
});

test('pages go on over the borders of days, each request once, in their order', async () => {
  const midnight = Temporal.Instant.from('2026-03-15T00:00:00Z');
  const places = [0, 1, 2, 3, 4, 5, 6].flatMap((days) =>
    [-1, 0, 0, 1].map((ms) => daysAgo(days, midnight).add({ milliseconds: ms })),
  );
  const requests = places.map((at) => requestAt(at));
  await write(...requests, requestAt(NOW, { merchantId: 'other' }));
  const newestFirst = requests.toSorted(
    (one, other) => Temporal.Instant.compare(other.at, one.at) || (one.id < other.id ? 1 : -1),
  );
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listRequests>> = await listRequests(
      { db, clock: clockAt(NOW) },
      OWNER,
      { ...ALL, limit: 3, cursor: cursor === null ? undefined : decodeCursor(cursor) },
    );
    found.push(...page.shown.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(
    found,
    newestFirst.map(({ id }) => id),
  );
});

test('the newest requests of a shop that has few are found without reading those of others', async () => {
  await db.single((tx) =>
    tx.query(sql`
      insert into api_request (id, merchant_id, environment, api_key, scope, method, path, status,
        duration_ms, address, answer_body, request_bytes, answer_bytes, at)
      select 'other' || n, 'large', 'test', 'key', 'checkout', 'GET', '/', 200, 1, '::1',
        repeat('x', 1500), 0, 0, ${NOW}::timestamptz - n * interval '30 seconds' from generate_series(1, 20000) n`),
  );
  await write(...[1, 3, 5].map((days) => requestAt(daysAgo(days))));
  await db.single((tx) => tx.query(sql`analyze api_request`));
  const asked: Statement[] = [];
  const spy: Reader = {
    query: (statement) => {
      asked.push(statement);
      return db.query(statement);
    },
  };
  await listRequests({ db: spy, clock: clockAt(NOW) }, OWNER, ALL);
  assert.equal(asked.length, 2);
  for (const statement of asked) {
    const read = (await explain(db, statement)).reduce((sum, { rows }) => sum + rows, 0);
    assert.ok(read <= 10, `${read} rows`);
  }
});

test('a batch that is written again is there once', async () => {
  const requests = [0, 1, 2, 3, 4, 5, 6, 7].map((days) => requestAt(daysAgo(days)));
  await write(...requests);
  await write(...requests.map((one) => ({ ...one, status: 500 })), requestAt(NOW));
  const rows = await db.query<{ count: bigint; status: number }>(sql`
    select count(*), max(status) as status from api_request`);
  assert.deepEqual(rows, [{ count: 9n, status: 200 }]);
});

/** As programs ask that know the log without its days, word by word. */
const BEFORE = {
  insert: (request: ApiRequest) => sql`
    insert into api_request (id, merchant_id, environment, api_key, scope, method, path, status,
      duration_ms, address, request_bytes, answer_bytes, at)
    values (${request.id}, ${request.merchantId}, ${request.environment}, 'key', 'checkout', 'GET',
      '/', 200, 1, '203.0.113.7', 0, 0, ${request.at}) on conflict do nothing`,
  list: (now: Temporal.Instant) => sql`
    select id, api_key as "apiKey", at from api_request where id in (select id from (
        select id, scope, status, path, api_key from api_request
        where merchant_id = 'shop' and environment = 'test' and at >= ${daysAgo(7, now)}
          and (at, id) < (${now.add({ hours: 1 })}, '') order by at desc, id desc limit 10000) looked
      where status between 0 and 999 and scope <> all('{}'::text[]))
    order by at desc, id desc limit 101`,
  forget: (now: Temporal.Instant) => sql`
    delete from api_request where id in (
      select id from api_request where at < ${daysAgo(7, now)} order by at limit 1000
      for update skip locked)
    returning id`,
};

test('a program that does not know of days writes, lists and deletes as it always did', async () => {
  const [old, ...kept] = [8, 6, 0].map((days) => requestAt(daysAgo(days)));
  for (const one of [old!, ...kept, ...kept]) await db.single((tx) => tx.query(BEFORE.insert(one)));
  const listed = await db.query<{ id: string }>(BEFORE.list(NOW));
  assert.deepEqual(
    listed.map(({ id }) => id),
    idsOf(...kept).reverse(),
  );
  const gone = await db.single((tx) => tx.query<{ id: string }>(BEFORE.forget(NOW)));
  assert.deepEqual(gone, [{ id: old!.id }]);
});

test('the migration moves each row to its day, beside a program that has prepared its statements', async () => {
  const empty = await newEmptyDatabase();
  const before = openDb({ ...empty.connection, poolSize: 1, log: silentLog });
  const owner = openDb({ ...empty.connection, poolSize: 1, log: silentLog });
  const run = (name: string) =>
    owner.transact(async (tx) => {
      const path = join(import.meta.dirname, '..', '..', 'migrations', name);
      await tx.query(rawStatement(readFileSync(path, 'utf8')));
    });
  const digest = sql`
    select count(*), md5(string_agg(r::text, '|' order by id)) as rows from api_request r`;
  try {
    await run('0102-request-log.sql');
    await owner.single((tx) =>
      tx.query(sql`
        insert into api_request select 'id' || n, 'shop', 'test', 'key', 'checkout', 'POST', '/' || n,
          case when n % 2 = 0 then 'a=b' end, 200, null, n, '203.0.113.7', null,
          repeat(md5(n::text), 400), 5, 'b: c', null, 6, ${NOW}::timestamptz - n * interval '37 minutes'
        from generate_series(1, 500) n`),
    );
    const whole = await owner.query<{ count: bigint }>(digest);
    assert.equal(whole[0]?.count, 500n);
    const all = await before.query(BEFORE.list(NOW));
    await before.single((tx) => tx.query(BEFORE.insert(requestAt(daysAgo(20)))));
    await owner.single((tx) => tx.query(sql`delete from api_request where id like 'request%'`));

    await run('0149-request-days.sql');
    assert.deepEqual(await owner.query(digest), whole);
    assert.deepEqual(await before.query(BEFORE.list(NOW)), all);
    const [spread] = await owner.query<{ days: bigint }>(sql`
      select count(distinct tableoid) as days from api_request`);
    assert.equal(spread?.days, 9n);
    const late = requestAt(NOW);
    await before.single((tx) => tx.query(BEFORE.insert(late)));
    assert.equal((await before.query<{ id: string }>(BEFORE.list(NOW)))[0]?.id, late.id);
  } finally {
    await before.close();
    await owner.close();
    await empty.close();
  }
});
