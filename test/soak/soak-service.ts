// The service in its separate roles over the database that comes with it, which lies on a small disk of
// its own. Of each role there are two processes: the steady one is frozen at times and never killed, so
// that its memory can be watched from the beginning to the end; the other one is killed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { silentLog } from '#base/log.ts';
import { type Db, openDb } from '#db/db.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { findFreePort } from '#test/support/free-port.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { toUrl } from '#test/support/test-database.ts';

export type Part = {
  readonly name: string;
  readonly role: string;
  readonly isSteady: boolean;
  readonly server: ServerProcess;
  readonly metrics: string;
  /** Down because we said so, or on its way up again. */
  isAway: boolean;
};

export type Disk = {
  readonly directory: string;
  /** Undefined where no file system can be made here: Linux and root are needed. */
  readonly fill: (() => void) | undefined;
  readonly empty: () => void;
};

export type SoakService = {
  readonly parts: readonly Part[];
  readonly disk: Disk;
  readonly db: Db;
  /** With SIGKILL, as a crash of the machine; whoever watches it starts it again. */
  killDatabase(): void;
  startAgain(part: Part): Promise<void>;
  close(): Promise<void>;
};

const BUGS = pathToFileURL(join(import.meta.dirname, 'soak-bugs.ts')).href;
const DISK_MEGABYTES = 8_192;
/** One of the retries that whoever runs services makes. */
const START_AGAIN_MS = 1_000;

export type ServiceOptions = {
  /** What each pair of processes does, several roles with commas between. */
  readonly roles: readonly string[];
  /** Of soak-bugs.ts: what the program does wrong. */
  readonly bug?: string | undefined;
};

export async function openSoakService({ roles, bug }: ServiceOptions): Promise<SoakService> {
  const disk = openDisk();
  const directory = join(disk.directory, 'database');
  const embedded = await startEmbeddedDatabase({
    directory,
    log: silentLog,
    connectionsMost: 200,
  });
  const url = toUrl(embedded.connection);
  const db = openDb({ connectionString: url, poolSize: 3, log: silentLog });
  const parts: Part[] = [];
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    for (const { server } of parts) server.wake();
    await Promise.all(parts.map(({ server }) => server.close()));
    disk.empty();
    await db.close();
    await embedded.close();
    closeDisk(disk);
  };
  try {
    const wanted = [true, false].flatMap((isSteady) => roles.map((role) => ({ role, isSteady })));
    const shared = { url, keyFile: join(disk.directory, 'quittance.key'), bug };
    for (const one of wanted) parts.push(await openPart({ ...one, ...shared }));
    // The first makes the tables and the key file.
    await parts[0]?.server.start();
    await Promise.all(parts.slice(1).map(({ server }) => server.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    parts,
    disk,
    db,
    killDatabase() {
      const file = join(directory, 'cluster', 'postmaster.pid');
      const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
      if (Number.isSafeInteger(pid) && pid > 1) process.kill(pid, 'SIGKILL');
    },
    async startAgain(part) {
      // The database may be away at that moment: whoever runs services tries again.
      while (!isClosed) {
        const failed = await part.server.start().then(
          () => false,
          () => true,
        );
        if (!failed) break;
        // It may run still, and not have said in time that it serves.
        await part.server.kill9();
        await pause(START_AGAIN_MS);
      }
      part.isAway = false;
    },
    close,
  };
}

async function openPart(options: {
  readonly role: string;
  readonly isSteady: boolean;
  readonly url: string;
  readonly keyFile: string;
  readonly bug: string | undefined;
}): Promise<Part> {
  const { role, isSteady, url, keyFile, bug } = options;
  const port = await findFreePort();
  const server = await openServerProcess({
    isEmbedded: true,
    settings: {
      DATABASE_URL: url,
      ROLES: role,
      METRICS_PORT: String(port),
      SANDBOX: 'on',
      LOG_LEVEL: 'warn',
      LOG_REQUESTS: '0',
      RATE_LIMIT_PER_KEY: '0',
      RATE_LIMIT_PER_IP: '0',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
      KEY_FILE: keyFile,
      ...(bug === undefined ? {} : { NODE_OPTIONS: `--import ${BUGS}`, QUITTANCE_TEST_BUG: bug }),
    },
  });
  const name = `${role} ${isSteady ? 1 : 2}`;
  const metrics = `http://127.0.0.1:${port}/metrics`;
  return { name, role, isSteady, server, metrics, isAway: false };
}

/** A file system in memory that is made as small as what lies on it, and large again. */
function openDisk(): Disk {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-soak-'));
  const mount = (...words: readonly string[]) => spawnSync('mount', words).status === 0;
  const size = (kilobytes: number) => `size=${kilobytes}k`;
  const large = size(DISK_MEGABYTES * 1_024);
  const isMounted =
    process.platform === 'linux' &&
    process.getuid?.() === 0 &&
    mount('-t', 'tmpfs', '-o', `${large},mode=1777`, 'none', directory);
  const resize = (to: string) => mount('-o', `remount,${to}`, directory);
  return {
    directory,
    fill: isMounted
      ? () => {
          const { blocks, bfree, bsize } = statfsSync(directory);
          resize(size(((blocks - bfree) * bsize) / 1_024));
        }
      : undefined,
    empty: () => void (isMounted && resize(large)),
  };
}

function closeDisk({ directory, fill }: Disk): void {
  if (fill !== undefined) spawnSync('umount', ['-l', directory]);
  rmSync(directory, { recursive: true, force: true, maxRetries: 20 });
}

/** Open files and sockets of a process; undefined where the system does not tell. */
export function countDescriptors(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}
