// A server that cannot work says why, in one line, and ends with exit code 1.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { execPath, getuid } from 'node:process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { HDKey } from '@scure/bip32';
import { silentLog } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { openDb, sql } from '#db/db.ts';
import { readConfig } from '#server/config.ts';
import { readSettingsFile } from '#server/settings.ts';
import { startService } from '#server/start.ts';
import { findFreePort } from '#test/support/free-port.ts';
import {
  runCommand,
  runCommandHere,
  runServer,
  type Settings,
} from '#test/support/server-process.ts';
import { newDatabaseUrl, openTestDatabase, toUrl } from '#test/support/test-database.ts';

let directory: string;
let database: Awaited<ReturnType<typeof newDatabaseUrl>>;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quittance-start-'));
  database = await newDatabaseUrl();
});
after(async () => {
  await rm(directory, { recursive: true, force: true, maxRetries: 20 });
});

async function onTopOfWorking(settings: Settings): Promise<Settings> {
  const PORT = String(await findFreePort());
  const works = { PORT, DATA_DIR: join(directory, 'data'), DATABASE_URL: database.url };
  return { ...works, ...settings };
}

/** What the one line says, of a start in this process: for what is refused before anything runs. */
async function refusalOf(settings: Settings): Promise<string> {
  const environment = await onTopOfWorking(settings);
  try {
    const file = readSettingsFile(environment);
    const config = readConfig({ environment, file, directory });
    const stop = await startService(config, silentLog, { say: () => {}, isSeen: false });
    await stop();
  } catch (error) {
    assert(error instanceof Refusal, String(error));
    return error.details.join('; ');
  }
  return assert.fail('it starts');
}

/** The one line of the program itself, with which it ends. */
async function lastLineOf(settings: Settings): Promise<string> {
  const { exitCode, stdout, stderr } = await runServer(await onTopOfWorking(settings), directory);
  assert.equal(exitCode, 1, `${stdout}${stderr}`);
  assert.doesNotMatch(stdout, /serving/);
  const lines = stderr.trimEnd().split('\n');
  assert.equal(lines.length, 1, `more than one line: ${stderr}`);
  return lines[0] ?? '';
}

test('a taken port is named', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  assert(typeof address === 'object' && address !== null);
  try {
    assert.match(
      await lastLineOf({ PORT: String(address.port) }),
      new RegExp(`cannot start: port ${address.port} is taken`),
    );
  } finally {
    other.close();
  }
});

test('a data directory that cannot be written is named, with either database', async () => {
  // Below a file: nobody can, not even root.
  const file = join(directory, 'file');
  await writeFile(file, '');
  const unwritable = join(file, 'data');
  for (const DATABASE_URL of [database.url, '']) {
    const line = await lastLineOf({ DATA_DIR: unwritable, DATABASE_URL });
    assert(line.includes(unwritable), line);
  }
});

test('a data directory in which nothing can be made ends the start', async () => {
  if (platform() !== 'linux') return;
  assert.match(await lastLineOf({ DATA_DIR: '/proc/nothing/data', DATABASE_URL: '' }), /ENOENT/);
});

const NOBODY = 65_534;
const isRoot = getuid?.() === 0;

/** Whether a user without rights can read this program at all: it may lie in somebody's home. */
function canOthersRun(): boolean {
  const script = 'process.exit(0)';
  return spawnSync(execPath, [...asNobody, '--eval', script], { cwd: '/' }).status === 0;
}

const dropRights = `process.setgroups([]);process.setgid(${NOBODY});process.setuid(${NOBODY})`;
const asNobody = isRoot ? ['--import', `data:text/javascript,${dropRights}`] : [];
const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const whyNot =
  platform() !== 'linux' || !canOthersRun() ? 'no user without rights can be taken' : false;

test('a user who may only read DATA_DIR gets one sentence', { skip: whyNot }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'quittance-read-only-'));
  try {
    await chmod(data, 0o555);
    const PORT = String(await findFreePort());
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: data, PORT };
    const run = promisify(execFile)(execPath, [...asNobody, main], { cwd: '/', env });
    const ended = await run.then(
      () => assert.fail('it started'),
      (error: { code: number; stderr: string }) => error,
    );
    assert.equal(ended.code, 1, ended.stderr);
    assert.equal(ended.stderr.trimEnd().split('\n').length, 1, ended.stderr);
    assert.match(ended.stderr, /cannot start: cannot write to .*EACCES/);
    assert.ok(ended.stderr.includes(data), ended.stderr);
    assert.deepEqual(await readdir(data), []);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

test('a command in the wrong place says so, and makes neither database nor key file', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'quittance-elsewhere-'));
  try {
    const data = { DATA_DIR: elsewhere };
    for (const [run, words] of [
      [runCommand, ['doctor']],
      [runCommandHere, ['merchant', 'list']],
      [runCommandHere, ['migrate']],
    ] as const) {
      const { exitCode, stderr } = await run(words, data, elsewhere);
      assert.equal(exitCode, 1, stderr);
      assert.match(stderr, /there is no database in .*: set DATA_DIR to where the server keeps/);
    }
    const beside = { ...data, DATABASE_URL: database.url };
    const { exitCode, stderr } = await runCommandHere(['doctor'], beside, elsewhere);
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr, /the key file .* does not exist/);
    assert.deepEqual(await readdir(elsewhere), []);
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
  }
});

test('a database that this program no longer works with is refused', async () => {
  const newer = await newDatabaseUrl();
  const db = openDb({ connectionString: newer.url, log: silentLog });
  try {
    await db.transact(async (tx) =>
      tx.send(sql`insert into schema_migration (number, name, checksum, works_from)
        select max(number) + 1, '9999-from-the-future', 'abc', max(number) + 1
        from schema_migration`),
    );
    const line = await refusalOf({ DATABASE_URL: newer.url });
    assert.match(line, /newer than this program.*9999-from-the-future/);
  } finally {
    await db.close();
    await newer.close();
  }
});

test('a database that does not sync to disk is refused', async () => {
  const { connection } = await openTestDatabase({ unsafeFast: true });
  const line = await refusalOf({ DATABASE_URL: toUrl(connection) });
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    assert(line.includes(name), line);
  }
});

test('a database that does not answer is named, without its password', async () => {
  const port = await findFreePort();
  const line = await refusalOf({ DATABASE_URL: `postgres://me:hidden@127.0.0.1:${port}/db` });
  assert.match(line, /DATABASE_URL/);
  assert(!line.includes('hidden'), line);
});

test('every unknown, malformed or contradicting setting is named in one message', async () => {
  const file = join(directory, 'contradicting.conf');
  await writeFile(file, '# comment\nHOST=127.0.0.2\nCOLOUR=blue\nnonsense\n');
  const line = await refusalOf({
    QUITTANCE_CONFIG: file,
    HOST: '127.0.0.1',
    PORT: 'eighty',
    ROLES: 'serve,cook',
    SANDBOX: 'maybe',
    FEE_PERCENT: 'a lot',
    LITECOIN_CHAIN: 'regtest',
    LITECOIN_COLOR: 'silver',
    DATABASE_URL: 'mysql://localhost/db',
  });
  for (const name of [
    'HOST: set to different values',
    'COLOUR: unknown setting in the settings file',
    'settings file, line 4',
    'PORT',
    'ROLES',
    'SANDBOX',
    'FEE_PERCENT',
    'LITECOIN_RPC_URL: missing',
    'LITECOIN_DESCRIPTOR: missing',
    'LITECOIN_COLOR: unknown setting',
    'DATABASE_URL',
  ]) {
    assert(line.includes(name), `${name} is not named: ${line}`);
  }
});

test('a private key, and the public key of another chain, are refused as descriptor', async () => {
  const settings = { LITECOIN_RPC_URL: 'http://u:hidden@127.0.0.1:1', LITECOIN_CHAIN: 'regtest' };
  const versions = { public: 0x043587cf, private: 0x04358394 };
  const seed = new Uint8Array(32).fill(7);
  const secret = HDKey.fromMasterSeed(seed, versions).derive("m/84'/1'/0'").privateExtendedKey;
  const mainnet = HDKey.fromMasterSeed(seed).derive("m/84'/0'/0'").publicExtendedKey;
  const line = await lastLineOf({ ...settings, LITECOIN_DESCRIPTOR: mainnet });
  assert.match(line, /LITECOIN_DESCRIPTOR: .*not one of Litecoin regtest/);
  const refused = await lastLineOf({ ...settings, LITECOIN_DESCRIPTOR: secret });
  assert(!refused.includes(secret), 'a private key is never repeated');
  assert.match(refused, /LITECOIN_DESCRIPTOR: .*private key/i);
});
