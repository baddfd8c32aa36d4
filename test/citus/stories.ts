// Only with npm run test:citus, whose databases are distributed.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { type Db, openDb, type Reader, sql } from '#db/db.ts';
import { distributeSchema, refuseWrittenAnew } from '#postgres/distribute-schema.ts';
import { migrate } from '#postgres/migrate.ts';
import { takeNamesAway } from '#postgres/name-on-worker.ts';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import { forgetRequests, listRequests } from '#request-log/api-request.ts';
import { MIGRATIONS } from '#server/open-database.ts';
import { listNodes } from '#test/support/citus-nodes.ts';
import { openTestDatabase } from '#test/support/test-database.ts';

type Place = {
  /** Of the worker that has the tables. */
  readonly db: Db;
  readonly worker: ConnectionSettings;
  /** Of the coordinator. */
  readonly owner: Db;
  readonly other: ConnectionSettings;
};

async function inPlace(act: (place: Place) => Promise<void>): Promise<void> {
  const { db, connection, close } = await openTestDatabase();
  const { database } = connection;
  const [coordinator, ...workers] = listNodes(connection);
  const other = workers.find(({ port }) => port !== connection.port);
  assert.ok(coordinator !== undefined && other !== undefined);
  assert.notEqual(connection.port, coordinator.port, 'a worker is asked');
  // Each of the tables is moved by itself, and a machine may be busy.
  const slow = { log: silentLog, statementTimeoutSeconds: 1_800 };
  const owner = openDb({ ...coordinator, database, ...slow });
  try {
    await act({ db, worker: connection, owner, other: { ...other, database } });
  } finally {
    await owner.close();
    await close();
  }
}

async function schemaOf(reader: Reader): Promise<string | undefined> {
  const [heard] = await reader.query<{ schema: string }>(
    sql`select current_schema()::text as schema`,
  );
  return heard?.schema;
}

async function drawEventNumber(reader: Reader): Promise<bigint> {
  const [drawn] = await reader.query<{ number: bigint }>(sql`
    select nextval(pg_get_serial_sequence('quittance.event', 'number')) as number`);
  assert.ok(drawn !== undefined);
  return drawn.number;
}

test('all tables of an installation are on one worker, and distributing again changes nothing', () =>
  inPlace(async ({ db, worker, owner }) => {
    const before = await drawEventNumber(db);
    const { schema, tables, node, wasThere } = await distributeSchema(owner);
    const [own] = await owner.query<{ count: bigint }>(sql`
      select count(*) from pg_class
      where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`);
    assert.deepEqual(
      { schema, tables, node, wasThere },
      { schema: 'quittance', tables: own?.count, node: `127.0.0.1:${worker.port}`, wasThere: true },
    );
    assert.ok(tables > 100n);
    assert.equal(await drawEventNumber(db), before + 1n);
  }));

test('the service finds each table under its name where Citus writes nothing anew, and only there', () =>
  inPlace(async ({ db, owner, other }) => {
    assert.equal(await schemaOf(db), 'quittance_here');
    const [missing] = await db.query<{ names: string[] }>(sql`
      select array(select relname::text from pg_class t
        where relnamespace = 'quittance'::regnamespace and relkind in ('r', 'p', 'v')
          and not exists (select from pg_class v where v.relname = t.relname
            and v.relnamespace = 'quittance_here'::regnamespace and v.relkind = 'v')
          and relname !~ '_[0-9]{6,}$') as names`);
    assert.deepEqual(missing?.names, []);
    const rows = await db.query<Record<string, string>>(sql`explain select * from receipt`);
    const plan = rows.map((row) => Object.values(row).join()).join();
    assert.match(plan, /Seq Scan on receipt_\d+/);
    assert.doesNotMatch(plan, /Citus/);
    await refuseWrittenAnew(db);
    const elsewhere = openDb({ ...other, log: silentLog });
    try {
      assert.equal(await schemaOf(elsewhere), 'quittance');
      for (const place of [owner, elsewhere]) {
        await assert.rejects(refuseWrittenAnew(place), {
          kind: 'conflict',
          code: 'database_unsafe',
        });
      }
    } finally {
      await elsewhere.close();
    }
  }));

test('a migration is made at the coordinator and nowhere else, and the service finds what it made', () =>
  inPlace(async ({ db, owner }) => {
    const directory = mkdtempSync(join(tmpdir(), 'quittance-migrations-'));
    try {
      cpSync(MIGRATIONS, directory, { recursive: true });
      const next = String(readdirSync(directory).length + 1).padStart(4, '0');
      writeFileSync(join(directory, `${next}-later.sql`), LATER);
      await assert.rejects(migrate(db, directory, { log: silentLog }), {
        kind: 'conflict',
        code: 'schema_conflict',
      });
      const { applied } = await migrate(owner, directory, { log: silentLog });
      assert.deepEqual(applied, [`${next}-later`]);
      await db.single((tx) => tx.query(sql`insert into later (told) values ('one')`));
      await assert.rejects(
        db.single((tx) => tx.query(sql`update later set told = 'other'`)),
        { code: '23001' },
      );
      const found = await db.query(sql`
        select later.id, later.told, receipt.later from later left join receipt on true`);
      assert.deepEqual(found, [{ id: 1n, told: 'one', later: null }]);
      await assert.rejects(db.query(sql`select note from checkout_note`), { code: '42703' });
    } finally {
      rmSync(directory, { recursive: true });
    }
  }));

const LATER = `
  create table later (id bigint generated always as identity primary key, told text not null);
  create trigger later_immutable before update or delete on later
    for each row execute function refuse_change();
  alter table receipt add column later text;
  alter table checkout_note drop column note;`;

test('the log of requests is written, read and forgotten there too, its old days row by row', () =>
  inPlace(async ({ db }) => {
    const clock = { now: () => Temporal.Instant.from('2026-03-15T10:00:00Z') };
    const write = async () => {
      await db.single((tx) =>
        tx.query(sql`
          insert into api_request (id, merchant_id, environment, api_key, scope, method, path,
            status, duration_ms, address, request_bytes, answer_bytes, at)
          select 'r' || n, 'm', 'test', 'k', 'checkout', 'GET', '/', 200, 1, '::1', 0, 0,
            ${clock.now()}::timestamptz - n * interval '24 hours' from generate_series(0, 12) n
          on conflict do nothing`),
      );
    };
    await write();
    await write();
    const owner = { merchantId: 'm', environment: 'test' } as const;
    const ask = { hiddenScopes: [], cursor: undefined, limit: 100 };
    const { shown } = await listRequests({ db, clock }, owner, ask);
    const kept = Array.from({ length: 8 }, (_, n) => `r${n}`);
    assert.deepEqual(
      shown.map(({ id }) => id),
      kept,
    );
    const forgot = await forgetRequests({ db, clock });
    assert.deepEqual(forgot, { emptiedDays: 0, deleted: 5, hasMore: false });
    const left = await db.query<{ id: string }>(sql`select id from api_request order by at desc`);
    assert.deepEqual(
      left.map(({ id }) => id),
      kept,
    );
  }));

test('while the names are away nobody is written anew and nobody starts, until they are given again', () =>
  inPlace(async ({ db, worker, owner }) => {
    const ask = (reader: Reader) => reader.query(sql`select id from checkout`);
    await takeNamesAway(owner);
    const later = openDb({ ...worker, log: silentLog });
    try {
      for (const one of [db, later]) {
        await assert.rejects(ask(one), { code: '42P01' });
        await assert.rejects(refuseWrittenAnew(one), { kind: 'conflict', code: 'database_unsafe' });
        assert.deepEqual((await migrate(one, MIGRATIONS, { log: silentLog })).applied, []);
      }
      await distributeSchema(owner);
      for (const one of [db, later]) {
        assert.deepEqual(await ask(one), []);
        await refuseWrittenAnew(one);
      }
    } finally {
      await later.close();
    }
  }));

test('an installation that moves to another worker is found there, and its numbers rise', () =>
  inPlace(async ({ db, owner, other }) => {
    let last = 0n;
    for (let draws = 0; draws < 3; draws += 1) last = await drawEventNumber(db);
    await db.single((tx) =>
      tx.query(sql`insert into ledger_account (code, asset_id, environment)
        values ('fees', 'crypto:LTC', 'test')`),
    );
    const accounts = sql`select id, code from ledger_account`;
    const before = await db.query(accounts);
    await owner.query(sql`
      select citus_schema_move('quittance', ${other.host}, ${other.port}, 'block_writes')`);
    const { node } = await distributeSchema(owner);
    assert.equal(node, `${other.host}:${other.port}`);
    assert.ok(!/_here$/.test((await schemaOf(owner)) ?? ''));
    await assert.rejects(db.query(accounts), { code: '42P01' });
    const there = openDb({ ...other, log: silentLog });
    try {
      assert.equal(await schemaOf(there), 'quittance_here');
      assert.deepEqual(await there.query(accounts), before);
      assert.ok((await drawEventNumber(there)) > last);
    } finally {
      await there.close();
    }
  }));
