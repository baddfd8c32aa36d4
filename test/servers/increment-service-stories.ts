// Increments that the service makes by itself, over the database that comes along; of a server of
// another version; and what is said where one cannot be made. Run by `npm run test:backups`.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPlace } from '#backup/find-backup.ts';
import { restoreBackup } from '#backup/restore-backup.ts';
import { newIdentity } from '#backup/seal-archive.ts';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import type { Refusal } from '#base/refusal.ts';
import { openDb, sql } from '#db/db.ts';
import { listChains } from '#increment/chain.ts';
import { makeIncrement } from '#increment/make-increment.ts';
import { recoverChain } from '#increment/recover-chain.ts';
import { migrate, readMigrations } from '#postgres/migrate.ts';
import { tryConnect } from '#postgres/postgres-server.ts';
import { MIGRATIONS } from '#server/open-database.ts';
import { findFreePort } from '#test/support/free-port.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';
import { newEmptyDatabase } from '#test/support/test-database.ts';

const keys = await newIdentity();

test('the service makes them by itself, says how they are, and all of it comes back', async (t) => {
  const backups = await mkdtemp(join(tmpdir(), 'quittance-increments-'));
  const metrics = await findFreePort();
  const shop = await openServerProcess({
    isEmbedded: true,
    settings: {
      ...{ BACKUP_TO: backups, BACKUP_RECIPIENTS: keys.recipient, BACKUP_WAL_MINUTES: '1' },
      ...{ METRICS_PORT: `${metrics}`, LOG_LEVEL: 'info' },
    },
  });
  t.after(async () => {
    await shop.close();
    rmSync(backups, { recursive: true });
  });
  await shop.start();
  const made = () =>
    linesOf(shop).filter(({ message }) => message === 'an increment was made').length;
  await waitUntil('a chain to be begun', () => made() >= 1);
  const finding = async () => {
    const { json } = await shop.command('doctor', '--json');
    const findings = json.findings as { what: string; ok: boolean; detail: string }[];
    return findings.find(({ what }) => what === 'increments');
  };
  const young = await finding();
  assert.equal(young?.ok, true, String(young?.detail));
  assert.match(young?.detail ?? '', /^number 1 of quittance-wal-\S+ in \S+ is [01] minutes? old/);
  assert.match(young?.detail ?? '', /the server keeps \d+ MB of log for the next one, of 8590 MB$/);
  await waitUntil('the next one to be made', () => made() >= 2);
  let measured = '';
  await waitUntil('it to be measured', async () => {
    measured = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    return measured.includes('quittance_backup_age_seconds{kind="increments"} ');
  });
  assert.match(measured, /^quittance_backup_ok\{kind="increments"\} 1$/m);
  assert.match(measured, /^quittance_backup_ok\{kind="place"\} 0$/m);
  assert.match(measured, /^quittance_backup_held_log_bytes \d+/m);
  // The same by hand goes on with the same chain.
  const { json } = await shop.command('backup', 'wal', '--json');
  assert.equal(json.begun, null);
  await shop.stop();
  const old = await listChains(placeOf(backups));
  assert.equal(old.size, 1);
  rmSync(join(shop.dataDirectory, 'postgres'), { recursive: true });
  const identity = join(shop.dataDirectory, 'identity');
  await shop.command('backup', 'key', identity);
  const foreign = await shop.command('restore', '--wal', '--identity', identity);
  assert.equal(foreign.exitCode, 1, 'an identity that it was not sealed for');
  execFileSync('sh', ['-c', `umask 077; echo '${keys.identity}' > '${identity}'`]);
  const back = await shop.command('restore', '--wal', '--identity', identity);
  assert.equal(back.exitCode, 0, back.stderr);
  const gone = await finding();
  assert.equal(gone?.ok, false);
  assert.match(gone?.detail ?? '', /the server keeps no log for .* begins a new chain/);
  await shop.start();
  await waitUntil('a chain of the new server to be begun', () =>
    linesOf(shop).some(({ begun }) => begun === 'the last one is of another server'),
  );
  assert.equal((await listChains(placeOf(backups))).size, 2);
});

function linesOf(shop: ServerProcess): Record<string, unknown>[] {
  return shop
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('increment was made'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const placeOf = (folder: string) => openPlace({ clock: systemClock, s3: undefined }, folder);

/** As packages of Debian have them. */
const OTHER = [17, 16, 15]
  .map((version) => ({ version, programs: `/usr/lib/postgresql/${version}/bin` }))
  .find(({ programs }) => existsSync(join(programs, 'initdb')));
const without = OTHER === undefined && 'PostgreSQL 15 to 17 is missing: apt-get install postgresql';

type Own = {
  readonly url: (user?: string) => string;
  restart(...settings: readonly string[]): Promise<void>;
};

/** A server of an operator, with programs of another version than the one that comes along. */
async function openOwn(directory: string, programs: string): Promise<Own & AsyncDisposable> {
  const isRoot = userInfo().uid === 0;
  const [uid, gid] = ['-u', '-g'].map((of) =>
    isRoot ? Number(execFileSync('id', [of, 'postgres'], { encoding: 'utf8' })) : undefined,
  );
  const as = uid === undefined || gid === undefined ? {} : { uid, gid };
  const [cluster, sockets] = [join(directory, 'cluster'), join(directory, 'sockets')];
  for (const one of [cluster, sockets]) {
    mkdirSync(one, { mode: 0o700 });
    if (uid !== undefined && gid !== undefined) chownSync(one, uid, gid);
  }
  const options = { cwd: '/', ...as };
  execFileSync(join(programs, 'initdb'), ['-D', cluster, '-U', 'owner', '-A', 'trust'], {
    ...options,
    stdio: 'ignore',
  });
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  };
  const restart = async (...settings: readonly string[]) => {
    await stop();
    const words = settings.flatMap((one) => ['-c', one]);
    const place = ['-k', sockets, '-p', `${port}`, '-c', 'listen_addresses=127.0.0.1'];
    child = spawn(join(programs, 'postgres'), ['-D', cluster, ...place, ...words], {
      ...options,
      stdio: 'ignore',
    });
    const at = { host: '127.0.0.1', port, user: 'owner', password: '', database: 'postgres' };
    await waitUntil('it to answer', async () => (await tryConnect(at)) === undefined);
  };
  await restart();
  return {
    url: (user = 'owner') => `postgres://${user}@127.0.0.1:${port}/postgres`,
    restart,
    [Symbol.asyncDispose]: stop,
  };
}

test('files of another version come back into any, and what the server does not allow is said', {
  skip: without,
}, async () => {
  assert(OTHER !== undefined);
  const directory = await mkdtemp(join(tmpdir(), 'quittance-other-'));
  await chmod(directory, 0o711);
  try {
    await using own = await openOwn(directory, OTHER.programs);
    await tellOwn(own, join(directory, 'backups'), join(directory, 'scratch'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

async function tellOwn(own: Own, backups: string, scratch: string): Promise<void> {
  const make = (connectionString = own.url(), signal?: AbortSignal) =>
    makeIncrement(
      {
        ...{ connection: { connectionString }, version: '0.1.0', installationId: 'i1' },
        ...{ settings: '', keyFile: { path: '/key', check: 'ab' }, key: undefined },
      },
      placeOf(backups),
      {
        ...{ recipients: [keys.recipient], base: undefined, keep: 2, signal },
        ...{ now: () => systemClock.now(), onProgress: () => undefined },
      },
    );
  const refusal = async (promise: Promise<unknown>) => {
    const failed = (await promise.then(
      () => assert.fail('it was made'),
      (error: unknown) => error,
    )) as Refusal;
    return `${failed.code}: ${failed.details?.join(' ') || failed.message}`;
  };
  const db = openDb({ connectionString: own.url(), poolSize: 1, log: silentLog });
  await migrate(db, MIGRATIONS, { log: silentLog });
  await db.query(sql`create role plain login`);
  await db.close();
  assert.match(await refusal(make(own.url('plain'))), /^replication: .*alter role … replication/);
  await own.restart('wal_level=minimal', 'max_wal_senders=0');
  assert.match(await refusal(make()), /^replication: .*raise max_wal_senders, and start it again/);
  await own.restart('max_replication_slots=0');
  assert.match(await refusal(make()), /^replication: .*raise max_replication_slots/);
  await own.restart();
  const ended = new AbortController();
  ended.abort(new Error('the service ends'));
  await assert.rejects(make(own.url(), ended.signal), /the service ends/);
  assert.equal((await listChains(placeOf(backups))).size, 0, 'nothing of it is a chain');
  // Two at once: one makes it, and the other says so.
  const both = await Promise.allSettled([make(), make()]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const [lost] = both.filter((one) => one.status === 'rejected');
  assert.equal((lost?.reason as Refusal | undefined)?.code, 'backup_running');
  const [chain] = [...(await listChains(placeOf(backups))).values()];
  assert.deepEqual(
    chain?.map(({ number, postgres }) => [number, postgres]),
    [
      [0, OTHER?.version],
      [1, OTHER?.version],
    ],
  );
  // What ended after the files goes on with the log, and no second copy of them is made.
  rmSync(join(backups, `${chain?.[0]?.chain}.00001.json`));
  const next = await make().then(
    ({ begun, links }) => ({ begun, numbers: links.map(({ number }) => number) }),
    (error: unknown) => assert.fail(String(error)),
  );
  if (next.begun === undefined) assert.deepEqual(next.numbers, [1]);
  else assert.equal(next.begun, 'the server has not kept its log since the last one');
  await comeBack(backups, scratch);
}

async function comeBack(backups: string, scratch: string): Promise<void> {
  const recover = (programs?: string) =>
    recoverChain(placeOf(backups), undefined, {
      ...{ clock: systemClock, identities: [keys.identity], scratch, programs },
      onProgress: () => undefined,
    });
  const empty = join(scratch, 'nothing');
  mkdirSync(empty, { recursive: true });
  await assert.rejects(recover(empty), /in \S+ is no program postgres.*postgresql-\d+.*--postgres/);
  rmSync(empty, { recursive: true });
  const into = await newEmptyDatabase();
  const back = openDb({ ...into.connection, poolSize: 1, log: silentLog });
  try {
    const recovered = await recover(OTHER?.programs);
    const options = { onProgress: () => undefined, onManifest: () => undefined };
    await restoreBackup(recovered.source, {
      ...{ connection: into.connection, migrations: await readMigrations(MIGRATIONS), ...options },
    });
    const [found] = await back.query<{ count: number; version: number }>(sql`
      select count(*)::int, current_setting('server_version_num')::int / 10000 as version
      from schema_migration`);
    assert.equal(found?.count, readdirSync(MIGRATIONS).filter((one) => /sql$/.test(one)).length);
    assert.equal(found?.version, 18, 'another version than the files are of');
    assert.deepEqual(readdirSync(scratch), [], 'nothing of it is left');
  } finally {
    await back.close();
    await into.close();
  }
}
