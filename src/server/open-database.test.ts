import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { migrate } from '#postgres/migrate.ts';
import { findExcessRights, prepareRuntimeRole } from '#postgres/runtime-role.ts';
import { newDatabaseUrl } from '#test/support/test-database.ts';
import { type Config, readConfig } from './config.ts';
import { openDatabase } from './open-database.ts';

const migrations = join(import.meta.dirname, '..', '..', 'migrations');
const entry = (causeKey: string): Entry => ({
  ...{ causeKey, kind: 'arrived', environment: 'test' },
  occurredAt: Temporal.Instant.from('2026-11-21T10:00:00Z'),
  postings: [
    { account: { code: 'custody:LITECOIN' }, assetId: 'LTC:NATIVE', units: 5n },
    { account: { code: 'suspense:LITECOIN' }, assetId: 'LTC:NATIVE', units: -5n },
  ],
});

async function postOne(db: ReturnType<typeof openDb>, cause: string): Promise<void> {
  await ensureAccounts(db, accountsOf([entry(cause)]));
  await db.transact(async (tx) => postEntries(tx, [entry(cause)]));
}

async function withDirectory(act: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-open-'));
  try {
    await act(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function configIn(directory: string, settings: Record<string, string> = {}): Config {
  const environment = { DATA_DIR: directory, ...settings };
  return readConfig({ environment, directory, file: undefined });
}

test('the service of an earlier data directory goes on, and owns nothing from then on', async () => {
  await withDirectory(async (directory) => {
    const earlier = await startEmbeddedDatabase({
      directory: join(directory, 'postgres'),
      log: silentLog,
    });
    const db = openDb({ ...earlier.connection, log: silentLog });
    await migrate(db, migrations, { log: silentLog });
    await postOne(db, 'earlier');
    await db.close();
    await earlier.close();

    const opened = await openDatabase(configIn(directory), silentLog, () => undefined);
    try {
      assert.equal(await findExcessRights(opened.db), undefined);
      await postOne(opened.db, 'later');
      const { ok, entries } = await verifyLedger(opened.db);
      assert.deepEqual({ ok, entries }, { ok: true, entries: 2n });
      const removal = opened.db.single((tx) => tx.query(sql`delete from ledger_entry`));
      await assert.rejects(removal, { code: '42501' });
      // Another process beside it, a command for example.
      const beside = await openDatabase(configIn(directory), silentLog, () => undefined);
      assert.equal(await findExcessRights(beside.db), undefined);
      await beside.close();
    } finally {
      await opened.close();
    }
  });
});

test('with an owner named the service runs as another role, and the owner migrates', async () => {
  const { url, close } = await newDatabaseUrl();
  const owner = openDb({ connectionString: url, log: silentLog });
  try {
    await owner.query(sql`drop role if exists quittance_runs`);
    await owner.query(sql`create role quittance_runs login password 'runs'`);
    const runtime = new URL(url);
    runtime.username = 'quittance_runs';
    runtime.password = 'runs';
    await withDirectory(async (directory) => {
      const settings = { DATABASE_URL: runtime.href, DATABASE_OWNER_URL: url };
      const opened = await openDatabase(configIn(directory, settings), silentLog, () => undefined);
      try {
        assert.equal(await findExcessRights(opened.db), undefined);
        await postOne(opened.db, 'as the other role');
      } finally {
        await opened.close();
      }
    });
    await owner.query(sql`drop owned by quittance_runs`);
    await owner.query(sql`drop role quittance_runs`);
  } finally {
    await owner.close();
    await close();
  }
});

test('a process without the owner waits for him to migrate, says so, and then starts', async () => {
  const { url, close } = await newDatabaseUrl();
  const owner = openDb({ connectionString: url, log: silentLog });
  try {
    await owner.query(sql`drop role if exists quittance_waits`);
    await owner.query(sql`create role quittance_waits login password 'waits'`);
    await migrate(owner, migrations, { log: silentLog });
    await prepareRuntimeRole(owner, { role: 'quittance_waits' });
    const runtime = new URL(url);
    runtime.username = 'quittance_waits';
    runtime.password = 'waits';
    await withDirectory(async (directory) => {
      const config = configIn(directory, { DATABASE_URL: runtime.href });
      const opened = await openDatabase(config, silentLog, () => undefined);
      assert.equal(await findExcessRights(opened.db), undefined);
      assert.deepEqual(opened.applied, []);
      await opened.close();

      await owner.query(sql`delete from schema_migration
        where number = (select max(number) from schema_migration)`);
      const early = openDatabase(config, silentLog, () => undefined);
      const said = /lacks migration \d+.*: run npx quittance migrate with DATABASE_OWNER_URL/;
      await assert.rejects(early, said);
    });
    await owner.query(sql`drop owned by quittance_waits`);
    await owner.query(sql`drop role quittance_waits`);
  } finally {
    await owner.close();
    await close();
  }
});
