// The PostgreSQL that comes with the service. Guarantees: at most one server a directory, however
// many processes ask at once; a process that asks is connected to the running one or starts it; the
// one that started it stops it on `close`; when it disappears (killed, or its starter is done)
// whoever still needs it starts it again with the same connection settings, so that pools simply
// reconnect. Committed data survives kill -9 of everything. Not guaranteed: protection from other
// processes of the same user or root.
//
// directory/cluster   data, belongs to the server's user     directory/password  0600, made once
// directory/owner     which process started which server     directory/address   socket directory,
// port directory/start.lock, server.log, socket/
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#base/log.ts';
import { makeDirectory } from '#runtime/private-file.ts';
import {
  formatIdentity,
  identifyProcess,
  isProcessAlive,
  isSameProcessAlive,
  parseIdentity,
  withProcessLock,
} from '#runtime/process-lock.ts';
import { bufferMegabytes, memoryBytes } from './buffer-megabytes.ts';
import { chooseLauncher, type Launcher } from './postgres-program.ts';
import {
  type ConnectionSettings,
  checkClusterVersion,
  disownStalePostmaster,
  findPostmaster,
  lastComplaint,
  makeCluster,
  refuseStart,
  spawnServer,
  stopServer,
  tryConnect,
} from './postgres-server.ts';

type EmbeddedDatabaseOptions = {
  readonly directory: string;
  readonly log: Log;
  /** One short sentence for a person at each longer step. */
  readonly onProgress?: (step: string) => void;
  /** Tests only: nothing is synced to disk, a crash of the machine may destroy the data. */
  readonly unsafeFast?: boolean;
  /** For many programs over one server; 100 when absent. */
  readonly connectionsMost?: number;
  /** The bench only, while it fills a database: beside the others or in their place. */
  readonly settings?: readonly string[];
};

export type EmbeddedDatabase = {
  readonly connection: ConnectionSettings;
  /** The server was already running; it belongs to another process, `close` leaves it alone. */
  readonly adopted: boolean;
  close(): Promise<void>;
};

const SUPERUSER = 'quittance';
const SOCKET_PATH_BYTES_MAX = 100;
const SOCKET_PORT = 5432;
const LOCK_WAIT_SECONDS = 120;
const RECOVERY_SECONDS_MAX = 600;
const WATCH_MILLISECONDS = 500;
const RESTART_PAUSE_MILLISECONDS = 1_000;

const SERVER_SETTINGS = [
  'max_parallel_workers_per_gather=0',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_timezone=UTC',
  'timezone=UTC',
  // What increments of a backup have not fetched yet: when they stop, the disk does not fill.
  'max_slot_wal_keep_size=8GB',
];
const CONNECTIONS_MOST = 100;
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** Refuses with one line (kind conflict) when the database cannot run here; says what to do. */
export async function startEmbeddedDatabase(
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  const place = preparePlace(options.directory);
  let running = await ensureRunning(place, options);
  const { connection } = running;
  const adopted = !running.isOwned;
  let isClosing = false;
  const stopWatching = new AbortController();

  async function watch(): Promise<void> {
    while (!isClosing) {
      await wait(WATCH_MILLISECONDS, undefined, { signal: stopWatching.signal, ref: false });
      if (isClosing || isProcessAlive(running.pid)) continue;
      options.log.warn('the embedded database has stopped; starting it again');
      try {
        running = await ensureRunning(place, options, connection.port);
      } catch (error) {
        options.log.error('the embedded database does not start', { error: String(error) });
        await wait(RESTART_PAUSE_MILLISECONDS, undefined, { ref: false });
      }
    }
  }
  const watching = watch().catch(() => undefined);

  return {
    connection,
    adopted,
    close: async () => {
      if (isClosing) return;
      isClosing = true;
      stopWatching.abort();
      await watching;
      if (!running.isOwned) return;
      await stopServer(place.cluster, running.pid);
      rmSync(place.owner, { force: true });
    },
  };
}

type Place = {
  readonly directory: string;
  readonly cluster: string;
  readonly password: string;
  readonly owner: string;
  readonly address: string;
  readonly log: string;
};

type Running = {
  readonly connection: ConnectionSettings;
  readonly pid: number;
  readonly isOwned: boolean;
};

function preparePlace(path: string): Place {
  try {
    makeDirectory(path, getuid?.() === 0 ? 0o711 : 0o700);
    const directory = realpathSync(path);
    return {
      directory,
      cluster: join(directory, 'cluster'),
      password: join(directory, 'password'),
      owner: join(directory, 'owner'),
      address: join(directory, 'address'),
      log: join(directory, 'server.log'),
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw refuseStart(`cannot write to the database directory ${path} (${code})`, error);
  }
}

async function ensureRunning(
  place: Place,
  options: EmbeddedDatabaseOptions,
  port?: number,
): Promise<Running> {
  const lock = join(place.directory, 'start.lock');
  try {
    return await withProcessLock(lock, LOCK_WAIT_SECONDS, async () => {
      return (await adoptRunning(place)) ?? (await startServer(place, options, port));
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'ENOSPC') throw error;
    throw refuseStart(`cannot write to the database directory ${place.directory} (${code})`, error);
  }
}

/**
 * A server that is about to end, because its starter is dead or it says so, is waited for instead.
 */
async function adoptRunning(place: Place): Promise<Running | undefined> {
  const deadline = performance.now() + RECOVERY_SECONDS_MAX * 1000;
  for (;;) {
    const postmaster = findPostmaster(place.cluster);
    if (postmaster === undefined) {
      await refuseForeignServer(place);
      return undefined;
    }
    if (performance.now() > deadline) {
      throw refuseStart(`server process ${postmaster.pid} neither answers nor ends (${place.log})`);
    }
    const owner = readOwner(place.owner);
    const isOurs = owner?.server === postmaster.pid;
    const isOrphan = isOurs && !isSameProcessAlive(owner.starter);
    const isEnding = postmaster.status === 'stopping' || (isOrphan && owner.diesWithStarter);
    if (!isEnding && existsSync(place.password)) {
      const connection = readConnection(place);
      const failure = await tryConnect(connection);
      if (failure === undefined) {
        if (isOrphan) writeOwner(place.owner, postmaster.pid, false);
        return { connection, pid: postmaster.pid, isOwned: isOrphan };
      }
      if (isWrongPassword(failure)) {
        throw refuseStart(`${place.password} does not fit the running database`, failure);
      }
    }
    await wait(20);
  }
}

/**
 * Two containers that share one directory do not see each other's processes, but they see the
 * socket.
 */
async function refuseForeignServer(place: Place): Promise<void> {
  if (!existsSync(place.address) || !existsSync(place.password)) return;
  if ((await tryConnect(readConnection(place))) !== undefined) return;
  throw refuseStart(`${place.cluster} is in use by a server outside this system's process list`);
}

function isWrongPassword(error: Error): boolean {
  return 'code' in error && error.code === '28P01';
}

async function startServer(
  place: Place,
  options: EmbeddedDatabaseOptions,
  knownPort: number | undefined,
): Promise<Running> {
  const { cluster } = place;
  const isFast = options.unsafeFast === true;
  if (!existsSync(cluster)) {
    options.onProgress?.('Creating the database');
    await makeCluster(cluster, SUPERUSER, readOrMakePassword(place.password), isFast);
  } else if (!existsSync(place.password)) {
    throw refuseStart(`${place.password} is missing: restore it from a backup`);
  }
  await checkClusterVersion(cluster);
  const launcher = await chooseLauncher(cluster, false);
  const port = knownPort ?? (platform() === 'win32' ? await findFreePort() : SOCKET_PORT);
  const host = platform() === 'win32' ? '127.0.0.1' : prepareSocketDirectory(place, launcher);
  writeFileSync(place.address, `${host}\n${port}\n`);
  const connection = readConnection(place);
  const address =
    platform() === 'win32'
      ? ['listen_addresses=127.0.0.1', `port=${port}`]
      : ['listen_addresses=', `unix_socket_directories=${host}`, `port=${port}`];
  const most = `max_connections=${options.connectionsMost ?? CONNECTIONS_MOST}`;
  const buffers = `shared_buffers=${bufferMegabytes(isFast ? 0 : memoryBytes())}MB`;
  const settings = [
    ...SERVER_SETTINGS,
    most,
    buffers,
    ...address,
    ...(isFast ? FAST_SETTINGS : []),
    // Of two with one name PostgreSQL takes the later.
    ...(options.settings ?? []),
  ];
  options.onProgress?.('Starting the database');
  const deadline = performance.now() + RECOVERY_SECONDS_MAX * 1000;
  for (;;) {
    disownStalePostmaster(cluster);
    const child = spawnServer(cluster, launcher, settings, place.log);
    if (child.pid !== undefined) writeOwner(place.owner, child.pid, launcher.diesWithParent);
    const complaint = await waitUntilReady(child, connection, place.log, deadline);
    if (complaint === undefined) return { connection, pid: child.pid ?? 0, isOwned: true };
    // Left-over processes of a killed server end by themselves within moments.
    const mayPass = /still in use|lock file ".*" already exists/.test(complaint);
    if (!mayPass || performance.now() > deadline) {
      throw refuseStart(`the embedded database does not start: ${complaint} (${place.log})`);
    }
    await wait(100);
  }
}

/** Undefined when ready, else what the server complained about before it ended. */
async function waitUntilReady(
  child: ChildProcess,
  connection: ConnectionSettings,
  log: string,
  deadline: number,
): Promise<string | undefined> {
  let spawnError: Error | undefined;
  child.on('error', (error) => {
    spawnError = error;
  });
  for (;;) {
    if ((await tryConnect(connection)) === undefined) return undefined;
    if (spawnError !== undefined) return spawnError.message;
    if (child.exitCode !== null || child.signalCode !== null) return lastComplaint(log);
    if (performance.now() > deadline) return `not ready after ${RECOVERY_SECONDS_MAX} s`;
    await wait(5);
  }
}

function readOrMakePassword(file: string): string {
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(file, 'utf8');
}

function readConnection(place: Place): ConnectionSettings {
  const address = readFileSync(place.address, 'utf8').split('\n');
  const password = readFileSync(place.password, 'utf8');
  const [host = '', port = ''] = address;
  return { host, port: Number(port), user: SUPERUSER, password, database: 'postgres' };
}

/**
 * Private to the server's user; beside the data, or, when that path is too long, in the temp
 * directory.
 */
function prepareSocketDirectory(place: Place, { owner }: Launcher): string {
  const beside = join(place.directory, 'socket');
  const digest = createHash('sha256').update(place.directory).digest('hex').slice(0, 16);
  const isShort = Buffer.byteLength(`${beside}/.s.PGSQL.${SOCKET_PORT}`) < SOCKET_PATH_BYTES_MAX;
  const directory = isShort ? beside : join(tmpdir(), `quittance-${digest}`);
  if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
  const { uid, isDirectory } = describe(directory);
  const ours = getuid?.() ?? 0;
  if (!isDirectory || (uid !== ours && uid !== owner?.uid && ours !== 0)) {
    throw refuseStart(`${directory} belongs to somebody else: remove it`);
  }
  chmodSync(directory, 0o700);
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid);
  return directory;
}

function describe(path: string): { uid: number; isDirectory: boolean } {
  const entry = lstatSync(path);
  return { uid: entry.uid, isDirectory: entry.isDirectory() };
}

async function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}

type Owner = {
  readonly server: number;
  readonly diesWithStarter: boolean;
  readonly starter: ReturnType<typeof identifyProcess>;
};

function writeOwner(file: string, server: number, diesWithStarter: boolean): void {
  const starter = formatIdentity(identifyProcess());
  writeFileSync(file, `${server}\n${diesWithStarter}\n${starter}\n`, { mode: 0o600 });
}

function readOwner(file: string): Owner | undefined {
  if (!existsSync(file)) return undefined;
  const [server, diesWithStarter, starter = ''] = readFileSync(file, 'utf8').split('\n');
  return {
    server: Number(server),
    diesWithStarter: diesWithStarter === 'true',
    starter: parseIdentity(starter),
  };
}
