import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath, getuid, kill, pid } from 'node:process';
import { createInterface } from 'node:readline';
import { after, afterEach, beforeEach, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { openDb, sql } from '#db/db.ts';
import { isProcessAlive } from '#runtime/process-lock.ts';
import { byLength } from '#test/support/run-length.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.ts';
import { findPostmaster } from './postgres-server.ts';

const holder = join(import.meta.dirname, '..', '..', 'test', 'support', 'hold-database.ts');
const isRoot = getuid?.() === 0;

let parent: string;
let directory: string;
let open: EmbeddedDatabase[];
let children: ChildProcess[];
/** A directory with a cluster that was made and stopped: to make one costs more than most tests. */
let made: string | undefined;

after(async () => {
  if (made !== undefined) await rm(made, { recursive: true, force: true });
});
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quittance-embedded-'));
  chmodSync(parent, 0o755);
  directory = join(parent, 'database');
  open = [];
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(open.map((server) => server.close()));
  await waitUntil(() => findPostmaster(join(directory, 'cluster')) === undefined);
  await rm(parent, { recursive: true, force: true, maxRetries: 20 });
});

/** As if a service had been started there before, and stopped. */
async function startedBefore(place = directory): Promise<void> {
  if (made === undefined) {
    made = await mkdtemp(join(tmpdir(), 'quittance-made-'));
    chmodSync(made, 0o755);
    const server = await startEmbeddedDatabase({
      directory: join(made, 'database'),
      log: silentLog,
    });
    await server.close();
  }
  // Whose its files are is copied as well.
  mkdirSync(dirname(place), { recursive: true });
  execFileSync('cp', ['-Rp', join(made, 'database'), place]);
}

async function start(path = directory): Promise<EmbeddedDatabase> {
  const server = await startEmbeddedDatabase({ directory: path, log: silentLog });
  open.push(server);
  return server;
}
async function query(server: EmbeddedDatabase, text = sql`select 1 as one`): Promise<unknown[]> {
  const db = openDb({ ...server.connection, log: silentLog, poolSize: 1 });
  return db.query(text).finally(() => db.close());
}
function serverPid(): number {
  const server = findPostmaster(join(directory, 'cluster'));
  assert.ok(server !== undefined, 'a server runs');
  return server.pid;
}
async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `still not: ${isSo}`);
    await wait(20);
  }
}
type Line = { ready?: true; adopted?: boolean; kept?: number };
type Holder = { readonly child: ChildProcess; readonly lines: Line[]; readonly ready: Line };

/** Another process that holds the database and commits `rows` rows. */
async function hold(rows = 0): Promise<Holder> {
  const child = spawn(execPath, [holder, directory, `${rows}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines: Line[] = [];
  const reader = createInterface(child.stdout as NodeJS.ReadableStream);
  reader.on('line', (line) => lines.push(JSON.parse(line)));
  await once(reader, 'line');
  const [ready] = lines;
  assert.ok(ready?.ready === true);
  return { child, lines, ready };
}
async function end({ child }: Holder, signal?: 'SIGKILL'): Promise<void> {
  const gone = once(child, 'exit');
  if (signal === undefined) child.stdin?.end();
  else child.kill(signal);
  await gone;
}
function isRefusal(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Refusal, String(error));
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  };
}

test('the first start makes a cluster, a later one finds it as it was', async () => {
  const first = await start();
  assert.equal(first.adopted, false);
  await query(first, sql`create table kept (id int)`);
  await first.close();
  const again = await start();
  assert.deepEqual(await query(again, sql`select * from kept`), []);
  assert.deepEqual(again.connection, first.connection);
});

test('nobody without the password gets in, and nothing listens on the network', async () => {
  await startedBefore();
  const server = await start();
  const stranger = openDb({ ...server.connection, password: 'quittance', log: silentLog });
  await assert.rejects(stranger.query(sql`select 1`), Outage);
  await stranger.close();
  assert.deepEqual(await query(server, sql`show listen_addresses`), [{ listen_addresses: '' }]);
  assert.equal(statSync(join(directory, 'password')).mode & 0o777, 0o600);
  assert.equal(statSync(server.connection.host).mode & 0o777, 0o700);
});

test('checksums, UTF-8 and syncing are on', async () => {
  await startedBefore();
  const settings = await query(
    await start(),
    sql`select current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
      current_setting('server_encoding') as encoding, datcollate as collation
      from pg_database where datname = current_database()`,
  );
  const wanted = { checksums: 'on', fsync: 'on', encoding: 'UTF8', collation: 'C.UTF-8' };
  assert.deepEqual(settings, [wanted]);
});

test('a second process is connected to the running server and leaves it running', async () => {
  await startedBefore();
  const server = await start();
  const other = await hold();
  assert.equal(other.ready.adopted, true);
  await end(other);
  assert.deepEqual(await query(server), [{ one: 1 }]);
  await server.close();
});

test('when its starter is done, whoever still needs the server starts it again', async () => {
  await startedBefore();
  const starter = await hold();
  assert.equal(starter.ready.adopted, false);
  const server = await start();
  assert.equal(server.adopted, true);
  await end(starter);
  await waitUntil(() =>
    query(server).then(
      () => true,
      () => false,
    ),
  );
  await server.close();
  assert.equal(findPostmaster(join(directory, 'cluster')), undefined);
});

test('of processes that start at once on nothing one makes the database', async () => {
  const holders = await Promise.all(
    Array.from({ length: byLength({ short: 3, long: 6 }) }, () => hold()),
  );
  const starters = holders.filter(({ ready }) => ready.adopted === false);
  assert.equal(starters.length, 1);
});

test('kill -9 of the starter loses nothing and leaves nothing in the way', async () => {
  await startedBefore();
  let kept = 0;
  for (let round = 0; round < byLength({ short: 2, long: 5 }); round += 1) {
    const starter = await hold(1_000_000);
    await waitUntil(() => starter.lines.length > 20);
    await end(starter, 'SIGKILL');
    kept = starter.lines.at(-1)?.kept ?? 0;
    const server = await start();
    assert.equal(server.adopted, false, 'nobody is left to own the old one');
    const rows = (await query(server, sql`select max(id), count(*) from kept`)) as {
      max: bigint;
      count: bigint;
    }[];
    assert.ok(Number(rows[0]?.max) >= kept, `row ${kept} was acknowledged`);
    assert.equal(rows[0]?.max, rows[0]?.count);
    await server.close();
  }
  assert.ok(kept > 0);
});

test('kill -9 of the server is healed while the program runs on', async () => {
  await startedBefore();
  const server = await start();
  await query(server, sql`create table kept as select 1 as id`);
  const db = openDb({ ...server.connection, log: silentLog });
  for (let round = 0; round < byLength({ short: 1, long: 3 }); round += 1) {
    const before = serverPid();
    kill(before, 'SIGKILL');
    await waitUntil(() => !isProcessAlive(before));
    await waitUntil(() =>
      db.query(sql`select 1`).then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof Outage, String(error));
          return false;
        },
      ),
    );
    assert.deepEqual(await db.query(sql`select id from kept`), [{ id: 1 }]);
  }
  await db.close();
});

test('a stale postmaster.pid whose number belongs to another program is no obstacle', async () => {
  await startedBefore();
  const file = join(directory, 'cluster', 'postmaster.pid');
  writeFileSync(file, `${pid}\n${join(directory, 'cluster')}\n1\n5432\n\n\n1 1\nready\n`);
  assert.equal((await start()).adopted, false);
});

test('a server that ends while somebody looks for it is no server', async () => {
  const cluster = join(directory, 'cluster');
  mkdirSync(cluster, { recursive: true });
  const file = JSON.stringify(join(cluster, 'postmaster.pid'));
  const script = `const { rmSync, writeFileSync } = require('node:fs');
    for (;;) { writeFileSync(${file}, '2147483646\\n'); rmSync(${file}); }`;
  const child = spawn(execPath, ['--eval', script]);
  children.push(child);
  await waitUntil(() => existsSync(join(cluster, 'postmaster.pid')));
  for (let look = 0; look < 20_000; look += 1) assert.equal(findPostmaster(cluster), undefined);
  child.kill('SIGKILL');
});

test('the lock of a dead process is no obstacle', async () => {
  await startedBefore();
  writeFileSync(join(directory, 'start.lock'), '2147483646 1');
  assert.equal((await start()).adopted, false);
});

test('a database made half is thrown away', async () => {
  mkdirSync(join(directory, 'cluster.new-1', 'base'), { recursive: true });
  chmodSync(directory, 0o711);
  assert.deepEqual(await query(await start()), [{ one: 1 }]);
});

test('a directory whose path is too long for a socket works', async () => {
  const deep = join(parent, 'long-'.repeat(30), 'database');
  await startedBefore(deep);
  const server = await start(deep);
  assert.deepEqual(await query(server), [{ one: 1 }]);
  assert.ok(Buffer.byteLength(server.connection.host) < 80);
  assert.equal(statSync(server.connection.host).mode & 0o777, 0o700);
  await server.close();
  rmSync(server.connection.host, { recursive: true });
});

test('a lost password, another version and a file in the way are refused in one line', async () => {
  await startedBefore();
  const password = readFileSync(join(directory, 'password'));
  rmSync(join(directory, 'password'));
  await assert.rejects(start(), isRefusal(/password is missing/));
  writeFileSync(join(directory, 'password'), password, { mode: 0o600 });
  const version = join(directory, 'cluster', 'PG_VERSION');
  const right = readFileSync(version);
  writeFileSync(version, '12\n');
  await assert.rejects(start(), isRefusal(/made by PostgreSQL 12/));
  writeFileSync(version, right);
  await assert.rejects(start(join(directory, 'password')), isRefusal(/cannot write/));
});

if (isRoot) {
  test('root runs it as another user', async () => {
    await startedBefore();
    await start();
    assert.notEqual(statSync(`/proc/${serverPid()}`).uid, 0);
  });

  test('root may keep it below a directory that is closed to others', async () => {
    chmodSync(parent, 0o700);
    for (let round = 0; round < 2; round += 1) {
      const server = await start();
      assert.deepEqual(await query(server), [{ one: 1 }]);
      await server.close();
    }
  });
}
