// Only with npm run test:citus. Two installations in one database, each on a worker of its own, sell
// while a worker dies, the coordinator dies, and a migration is made.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { type Db, openDb, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { refuseWrittenAnew } from '#postgres/distribute-schema.ts';
import { migrate } from '#postgres/migrate.ts';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import { MIGRATIONS } from '#server/open-database.ts';
import { listNodes } from '#test/support/citus-nodes.ts';
import { type MerchantKey, openMerchantClient } from '#test/support/merchant-client.ts';
import { countLost, longestGap, type SalesLoad, startSalesLoad } from '#test/support/sales-load.ts';
import {
  openServerProcess,
  runCommandHere,
  type ServerProcess,
} from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openTestDatabase, toUrl } from '#test/support/test-database.ts';
import { openWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';

/** Answers of each installation before something happens, and after it. */
const ANSWERS = 60;
/** From the moment in which the worker answers again. */
const SERVICE_AIM_MS = 15_000;

type Installation = {
  /** On the worker that has its tables. */
  readonly url: string;
  readonly worker: ConnectionSettings;
  /** Two processes where two are asked for. */
  readonly processes: readonly ServerProcess[];
  readonly loads: readonly SalesLoad[];
};

let receiver: WebhookReceiver;
let coordinator: ConnectionSettings;
let first: Installation;
let second: Installation;
const closers: (() => Promise<unknown>)[] = [];

before(async () => {
  receiver = await openWebhookReceiver();
  closers.push(() => receiver.close());
  const { connection } = await openTestDatabase();
  const { database } = connection;
  const [head, ...workers] = listNodes(connection);
  assert.ok(head !== undefined);
  coordinator = { ...head, database };
  const other = workers.find(({ port }) => port !== connection.port);
  assert.ok(other !== undefined);
  const user = `${database}_second`;
  await makeSecond(user, other);
  second = await openInstallation({ ...other, database, user }, 1);
  first = await openInstallation(connection, 2);
});
after(async () => {
  for (const close of closers.reverse()) await close();
});

/** As docs/operate/shard.md says it, on the worker that is named. */
async function makeSecond(user: string, { host, port }: ConnectionSettings): Promise<void> {
  const slow = { poolSize: 1, log: silentLog, statementTimeoutSeconds: 1_800 };
  const admin = openDb({ ...coordinator, ...slow });
  const directory = mkdtempSync(join(tmpdir(), 'quittance-second-'));
  const settings = { DATABASE_URL: toUrl({ ...coordinator, user }), DATA_DIR: directory };
  const command = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await runCommandHere(words, settings, directory);
    assert.equal(exitCode, 0, `${stdout}${stderr}`);
    return stdout;
  };
  try {
    await admin.query(rawStatement(`create role ${user} login superuser`));
    await admin.query(rawStatement(`create schema ${user} authorization ${user}`));
    await command('migrate');
    if (!(await command('distribute')).endsWith(`${host}:${port}.\n`)) {
      const move = sql`select citus_schema_move(${user}, ${host}, ${port}, 'block_writes')`;
      await admin.query(move);
      assert.match(await command('distribute'), new RegExp(`all on ${host}:${port}\\.`));
    }
  } finally {
    await admin.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function openInstallation(worker: ConnectionSettings, count: number): Promise<Installation> {
  const url = toUrl(worker);
  const settings = {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: toUrl({ ...coordinator, user: worker.user }),
    SANDBOX: 'on',
    RATE_LIMIT_PER_KEY: '0',
    RATE_LIMIT_PER_IP: '0',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  };
  const processes: ServerProcess[] = [];
  while (processes.length < count) {
    const keys = processes.slice(0, 1).map(({ keyFile }) => ['KEY_FILE', keyFile]);
    const own = { ...settings, ...Object.fromEntries(keys) };
    const one = await openServerProcess({ isEmbedded: true, settings: own });
    closers.push(() => one.close());
    await one.start();
    processes.push(one);
  }
  const made = await processes[0]?.command('key', 'create', '--environment', 'test', '--json');
  const key = made?.json as MerchantKey;
  const loads = processes.map(({ origin }) =>
    startSalesLoad(openMerchantClient(origin, key), `${receiver.origin}/`, { workers: 2 }),
  );
  closers.push(() => Promise.all(loads.map((load) => load.stop())));
  return { url, worker, processes, loads };
}

const loadsOf = (...all: Installation[]) => all.flatMap(({ loads }) => loads);

/** Each process answers so often from now on. */
async function waitForAnswers(loads: readonly SalesLoad[]): Promise<void> {
  const wanted = loads.map((load) => load.times.length + ANSWERS);
  await waitUntil('answers', () =>
    loads.every((load, index) => load.times.length >= (wanted[index] ?? 0)),
  );
}

/** Its machine loses its power: every process of that PostgreSQL is gone, and nobody says goodbye. */
async function killNode(node: ConnectionSettings): Promise<void> {
  const db: Db = openDb({ ...node, poolSize: 1, log: silentLog });
  const [heard] = await db.query<{ file: string; pids: number[] }>(sql`
    select pg_read_file('postmaster.pid') as file,
      array(select pid from pg_stat_activity) as pids`);
  assert.ok(heard !== undefined);
  for (const pid of [Number(heard.file.split('\n')[0]), ...heard.pids]) {
    assert.ok(pid > 1);
    process.kill(pid, 'SIGKILL');
  }
  await db.close();
}

/** Gives the moment in which it answers again. */
async function waitForNode(node: ConnectionSettings): Promise<number> {
  const db = openDb({ ...node, poolSize: 1, log: silentLog });
  const isAnswering = () =>
    db.query(sql`select 1`).then(
      () => true,
      () => false,
    );
  try {
    await waitUntil('the node', isAnswering);
    return performance.now();
  } finally {
    await db.close();
  }
}

test('a worker that dies takes its own installation along until it is back, and nobody else', async (t) => {
  const mine = loadsOf(first);
  const others = loadsOf(second);
  await waitForAnswers([...mine, ...others]);
  const pids = first.processes.map((one) => one.pid());
  const failed = others.map(({ failures }) => failures);
  const killedMs = performance.now();
  await killNode(first.worker);
  const backMs = await waitForNode(first.worker);
  await waitForAnswers([...mine, ...others]);
  const gaps = mine.map(({ times }) => longestGap(times, killedMs));
  const after = mine.map(({ times }) => (times.find((at) => at > backMs) ?? 0) - backMs);
  t.diagnostic(
    `without an answer: ${gaps.map(Math.round).join(' and ')} ms where the worker died, until ` +
      `${after.map(Math.round).join(' and ')} ms after it answered again; ` +
      `${Math.round(Math.max(...others.map(({ times }) => longestGap(times, killedMs))))} ms at ` +
      `the other; ${mine.reduce((sum, { failures }) => sum + failures, 0)} requests repeated`,
  );
  assert.ok(
    mine.every(({ failures }) => failures > 0),
    'it was away',
  );
  assert.ok(Math.max(...after) < SERVICE_AIM_MS, `${after} ms without service`);
  assert.deepEqual(
    others.map(({ failures }) => failures),
    failed,
    `the other installation is refused nothing: ${others.flatMap(({ refusals }) => [...refusals])}`,
  );
  const now = first.processes.map((one) => one.pid());
  assert.deepEqual(now, pids, 'no process was started again');
});

test('a coordinator that dies is noticed by no installation', async () => {
  const loads = loadsOf(first, second);
  await waitForAnswers(loads);
  const failed = loads.map(({ failures }) => failures);
  await killNode(coordinator);
  await waitForAnswers(loads);
  const now = loads.map(({ failures }) => failures);
  assert.deepEqual(now, failed);
  await waitForNode(coordinator);
});

test('a migration that expands is made while both installations serve, and no request fails', async () => {
  const loads = loadsOf(first, second);
  await waitForAnswers(loads);
  const failed = loads.map(({ failures }) => failures);
  const directory = mkdtempSync(join(tmpdir(), 'quittance-migrations-'));
  const owner = openDb({ ...coordinator, log: silentLog, statementTimeoutSeconds: 1_800 });
  try {
    cpSync(MIGRATIONS, directory, { recursive: true });
    const next = String(readdirSync(directory).length + 1).padStart(4, '0');
    writeFileSync(join(directory, `${next}-expands.sql`), EXPANDS);
    const { applied } = await migrate(owner, directory, { log: silentLog });
    assert.deepEqual(applied, [`${next}-expands`]);
    await waitForAnswers(loads);
    const now = loads.map(({ failures }) => failures);
    assert.deepEqual(now, failed);
    const db = openDb({ ...first.worker, log: silentLog });
    try {
      await refuseWrittenAnew(db);
      await db.single((tx) => tx.query(sql`insert into expanded (told) values ('one')`));
      const found = sql`select c.expanded, e.told from checkout c, expanded e limit 1`;
      assert.deepEqual(await db.query(found), [{ expanded: 0, told: 'one' }]);
    } finally {
      await db.close();
    }
  } finally {
    await owner.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

/** What an upgrade makes that programs of before and after both work with. */
const EXPANDS = `
  create table expanded (id bigint generated always as identity primary key, told text not null);
  alter table checkout add column expanded int not null default 0;
  alter table ledger_entry add column expanded text;
  create index expanded_at on event (number) where number < 0;`;

test('whatever was acknowledged is there, was paid, told and posted', async (t) => {
  await Promise.all(loadsOf(first, second).map((load) => load.stop()));
  for (const { url, loads, processes } of [first, second]) {
    const acknowledged = loads.flatMap((load) => load.acknowledged);
    const paid = acknowledged.filter(({ isPaid }) => isPaid);
    t.diagnostic(`${acknowledged.length} checkouts acknowledged, ${paid.length} of them paid`);
    assert.ok(paid.length > 0);
    assert.equal(await countLost(url, acknowledged), 0);
    for (const { id } of paid) {
      await waitUntil(`the webhook of ${id}`, () =>
        receiver.received.some(({ body }) => body.includes(id) && body.includes('COMPLETED')),
      );
    }
    const verified = await processes[0]?.command('ledger', 'verify', '--json');
    assert.equal(verified?.json.ok, true, `${verified?.stdout}${verified?.stderr}`);
  }
});
