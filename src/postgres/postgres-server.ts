// One PostgreSQL server process over one cluster directory: making the cluster, starting, finding a
// running one through postmaster.pid, stopping. Who may do what when is embedded-database.ts.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { platform } from 'node:os';
import { basename, join } from 'node:path';
import { kill, pid } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { Refusal } from '#base/refusal.ts';
import { type Reader, sql } from '#db/db.ts';
import { isProcessAlive } from '#runtime/process-lock.ts';
import { chooseLauncher, findProgram, type Launcher, spawnOptions } from './postgres-program.ts';

const execute = promisify(execFile);

export type ConnectionSettings = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
};

/** The rest of postmaster.pid is for PostgreSQL itself. */
type Postmaster = { readonly pid: number; readonly status: string };

const LOG_BYTES_MAX = 5_000_000;

/** The cluster appears whole or not at all: it is made aside and renamed. */
export async function makeCluster(
  cluster: string,
  user: string,
  password: string,
  isFast: boolean,
): Promise<void> {
  const directory = join(cluster, '..');
  for (const name of readdirSync(directory)) {
    if (name.startsWith(`${basename(cluster)}.new`)) {
      rmSync(join(directory, name), { recursive: true, force: true });
    }
  }
  const draft = `${cluster}.new-${pid}`;
  const passwordDraft = `${draft}-password`;
  mkdirSync(draft, { mode: 0o700 });
  const launcher = await chooseLauncher(draft, true);
  writeFileSync(passwordDraft, password, { mode: 0o600 });
  if (launcher.owner) chownSync(passwordDraft, launcher.owner.uid, launcher.owner.gid);
  try {
    const flags = ['-A', 'scram-sha-256', `--pwfile=${passwordDraft}`, '-E', 'UTF8'];
    const form = ['--locale=C.UTF-8', '--data-checksums', ...(isFast ? ['--no-sync'] : [])];
    const locale = platform() === 'linux' ? form : ['--locale-provider=builtin', ...form];
    const command = [findProgram('initdb'), '-D', draft, '-U', user, ...flags, ...locale];
    const [program = '', ...parameters] = [...launcher.prefix, ...command];
    await execute(program, parameters, spawnOptions(launcher));
    renameSync(draft, cluster);
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const reason = said.split('\n').find((line) => line.includes('error')) ?? String(error);
    throw refuseStart(`the database could not be created: ${reason}`, error);
  } finally {
    rmSync(passwordDraft, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A cluster is read only by the major version that made it. */
export async function checkClusterVersion(cluster: string): Promise<void> {
  const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const version = embeddedVersion();
  if (`${version}` !== made) {
    throw refuseStart(`${cluster} was made by PostgreSQL ${made}, installed is ${version}`);
  }
}

/** The major one, of the server that comes along. */
function embeddedVersion(): number {
  const { version } = JSON.parse(
    readFileSync(join(findProgram('postgres'), '..', '..', '..', 'package.json'), 'utf8'),
  ) as { version: string };
  return Number(version.split('.')[0]);
}

/** Undefined when no server of this cluster is alive. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const lines = readLines(join(cluster, 'postmaster.pid'));
  if (lines === undefined) return undefined;
  const process = Number(lines[0]);
  if (!isProcessAlive(process) || !isPostgres(process)) return undefined;
  return { pid: process, status: (lines[7] ?? '').trim() };
}

/**
 * After a crash the number in postmaster.pid may belong to some other program by now, and
 * PostgreSQL would refuse to start. The number is replaced, not the file: the rest of it still
 * guards against left-over server processes that hold the shared memory.
 */
export function disownStalePostmaster(cluster: string): void {
  const file = join(cluster, 'postmaster.pid');
  const lines = readLines(file);
  if (lines === undefined) return;
  if (!isProcessAlive(Number(lines[0])) || isPostgres(Number(lines[0]))) return;
  const impossibleProcess = '2147483646';
  writeFileSync(file, [impossibleProcess, ...lines.slice(1)].join('\n'));
}

/** Undefined where there is no such file; a server that ends removes its own at any moment. */
function readLines(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Where the system tells nothing (no /proc) a living process counts as the server. */
function isPostgres(process: number): boolean {
  if (!existsSync('/proc/self/stat')) return true;
  try {
    return readFileSync(`/proc/${process}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}

export function spawnServer(
  cluster: string,
  launcher: Launcher,
  settings: readonly string[],
  logFile: string,
  server = findProgram('postgres'),
): ChildProcess {
  if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES_MAX) {
    renameSync(logFile, `${logFile}.old`);
  }
  const log = openSync(logFile, 'a', 0o600);
  const command = [server, '-D', cluster];
  const [program = '', ...parameters] = [
    ...launcher.prefix,
    ...command,
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  // A session of its own: Ctrl-C in the terminal is for us; we stop the server when we are done.
  const child = spawn(program, parameters, {
    ...spawnOptions(launcher),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return child;
}

/** Fast shutdown: sessions are ended, everything committed is on disk, no recovery next time. */
export async function stopServer(cluster: string, process: number): Promise<void> {
  if (platform() === 'win32') {
    await execute(findProgram('pg_ctl'), ['stop', '-m', 'fast', '-D', cluster]);
    return;
  }
  try {
    kill(process, 'SIGINT');
  } catch {
    return; // it is gone already
  }
  while (isProcessAlive(process)) await wait(5);
}

type Played = { readonly connection: ConnectionSettings; close(): Promise<void> };

/** A log that is whole ends within hours; one that cannot be played ends the server at once. */
const PLAY_SECONDS_MAX = 6 * 3_600;
const PLAY_SETTINGS = [
  // There is no archive: what is to be played lies in pg_wal.
  ...['restore_command=exit 1', 'recovery_target_timeline=current', 'hot_standby=off'],
  ...['fsync=off', 'listen_addresses=', 'port=5432', 'autovacuum=off'],
];

/** Where packages of a system put the programs of one version. */
const PROGRAM_PLACES = [
  (version: number) => `/usr/lib/postgresql/${version}/bin`,
  (version: number) => `/usr/pgsql-${version}/bin`,
  (version: number) => `/opt/homebrew/opt/postgresql@${version}/bin`,
];

/**
 * The server that plays files of that version: the one that comes along, else one in `directory`,
 * else one of the system. Asked before anything is unpacked. @throws Refusal where there is none.
 */
export async function findPlayer(postgres: number, directory: string | undefined): Promise<string> {
  if (platform() === 'win32') {
    throw refuseStart('increments are restored on Linux and macOS: this system has no sockets');
  }
  const version = embeddedVersion();
  if (version === postgres && directory === undefined) return findProgram('postgres');
  const places = directory === undefined ? PROGRAM_PLACES.map((of) => of(postgres)) : [directory];
  const programs = places.map((place) => join(place, 'postgres')).filter(existsSync);
  const found = await Promise.all(programs.map(versionOf));
  const at = found.indexOf(postgres);
  if (at >= 0) return programs[at] ?? '';
  const said =
    directory === undefined
      ? `the one that comes along is ${version}, and no other is installed`
      : `in ${directory} is ${found[0] === undefined ? 'no program postgres' : found[0]}`;
  throw refuseStart(
    `these are files of PostgreSQL ${postgres}, and only that version plays them: ${said}. ` +
      `Install it (Debian: apt-get install postgresql-${postgres}), or say where its programs ` +
      'lie: --postgres FOLDER. The database that it is restored into may be of any version',
  );
}

async function versionOf(server: string): Promise<number | undefined> {
  const { stdout } = await execute(server, ['--version']).catch(() => ({ stdout: '' }));
  const [, version] = /PostgreSQL\) (\d+)/.exec(stdout) ?? [];
  return version === undefined ? undefined : Number(version);
}

/**
 * Files of a server with `recovery.signal` and all of their log: played to its end. Gives the
 * server that then answers, on a socket in `directory` that only its user reaches.
 */
export async function playLog(
  cluster: string,
  { role, database }: { readonly role: string; readonly database: string },
  directory: string,
  server: string,
): Promise<Played> {
  const launcher = await chooseLauncher(cluster, true, server);
  const { owner } = launcher;
  const host = join(directory, 's');
  mkdirSync(host, { mode: 0o700 });
  if (owner) {
    chownSync(host, owner.uid, owner.gid);
    for (const name of readdirSync(cluster, { recursive: true, encoding: 'utf8' })) {
      chownSync(join(cluster, name), owner.uid, owner.gid);
    }
  }
  const log = join(directory, 'server.log');
  const settings = [...PLAY_SETTINGS, `unix_socket_directories=${host}`];
  const child = spawnServer(cluster, launcher, settings, log, server);
  const connection = { host, port: 5432, user: role, password: '', database };
  const deadline = performance.now() + PLAY_SECONDS_MAX * 1000;
  while ((await tryConnect(connection)) !== undefined) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
      throw refuseStart(`the log cannot be played: ${lastComplaint(log)}`);
    }
    await wait(100);
  }
  return { connection, close: () => stopServer(cluster, child.pid ?? 0) };
}

/** Undefined when the server answers a query; else why not. */
export async function tryConnect(connection: ConnectionSettings): Promise<Error | undefined> {
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The last fatal line of the server's log. */
export function lastComplaint(logFile: string): string {
  const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').trim().split('\n') : [];
  const fatal = lines.findLast((line) => /FATAL|PANIC|error/.test(line)) ?? lines.at(-1);
  return fatal?.replace(/^.*?(FATAL|PANIC): +/, '') ?? 'it said nothing';
}

export function refuseStart(message: string, cause?: unknown): Refusal {
  return new Refusal('conflict', 'database_start', message, { cause });
}

// What a server must promise before money is trusted to it. The service refuses to start otherwise.
const VERSION_MIN = 15;
const DURABLE_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** One sentence for each fault of the server; none means that a commit survives a crash. */
export async function dbIsDurable(reader: Reader): Promise<string[]> {
  const rows = await reader.query<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings
    where name = any(${[...DURABLE_SETTINGS, 'server_version_num']})`);
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  const faults = DURABLE_SETTINGS.filter((name) => settings.get(name) === 'off').map(
    (name) => `the setting ${name} of the database is off: a crash would lose payments`,
  );
  const version = Math.floor(Number(settings.get('server_version_num')) / 10_000);
  if (version < VERSION_MIN)
    faults.push(`PostgreSQL ${version} is too old: ${VERSION_MIN} or later`);
  return faults;
}
