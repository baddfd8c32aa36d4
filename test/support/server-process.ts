// The real server, as a process of its own over a fresh database, for tests that want to see it
// start, stop and be killed. Nothing of it outlives the test: `close` removes process, database and
// directory, and a guard does so when the test process is gone, however that went.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { silentLog } from '#base/log.ts';
import { type Db, openDb } from '#db/db.ts';
import { compiledOnce } from './compiled-once.ts';
import { findFreePort } from './free-port.ts';
import { loopbackShopCertificate } from './self-signed.ts';
import { closeFirst, newDatabaseUrl } from './test-database.ts';

export type Settings = Readonly<Record<string, string>>;

export type Ended = {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
};

export type CommandEnded = Ended & {
  /** The object on the last line of stdout, for `--json`. */
  readonly json: Readonly<Record<string, unknown>>;
};

export type ServerProcess = {
  /** Where it is served, the same after every start. */
  readonly origin: string;
  readonly dataDirectory: string;
  readonly keyFile: string;
  /** For a second process over the same database. */
  readonly databaseUrl: string;
  /** What the test looks at the database with, also while the server is down. */
  readonly db: Db;
  /** Resolves when it serves; the settings are for this start only. Rejects when it ends instead. */
  start(settings?: Settings): Promise<void>;
  /** Orderly, as Ctrl-C does it; gives the exit code. */
  stop(): Promise<number | undefined>;
  kill9(): Promise<void>;
  /** 0 while it does not run. */
  pid(): number;
  /** It does nothing and holds what it holds, until it is woken. */
  freeze(): void;
  wake(): void;
  /** Of the database, while the server is stopped. */
  backUp(): Promise<void>;
  restoreBackup(): Promise<void>;
  /** The database is lost: an empty one takes its place. */
  wipe(): Promise<void>;
  isRunning(): boolean;
  /** All it printed since it was first started. */
  output(): string;
  /** What it said on stdout since its last start. */
  said(): string;
  /** Lines of its log at level error, parsed; without those that say how busy the machine is. */
  errors(): readonly Readonly<Record<string, unknown>>[];
  /** `npx quittance …` beside it, over the same database and data directory, in this process. */
  command(...words: readonly string[]): Promise<CommandEnded>;
  /** The same as a process of its own, for tests that are about the process. */
  commandProcess(...words: readonly string[]): Promise<CommandEnded>;
  health(): Promise<{ readonly status: number; readonly body: Health }>;
  /** May be called again. */
  close(): Promise<void>;
};

export type Health = {
  readonly status: string;
  readonly failing: readonly string[];
  readonly chains: readonly {
    readonly chain: string;
    readonly height: string | null;
    readonly error: string | null;
  }[];
};

const HERE = join(import.meta.dirname, '..', '..');
const serverProgram = (root = HERE) => join(root, 'src', 'main.ts');
const commandProgram = (root = HERE) => join(root, 'src', 'cli', 'main.ts');
/** Of a program that a test starts by itself. */
export const QUICK_IMPORTS = pathToFileURL(join(import.meta.dirname, 'quick-imports.ts')).href;
/** As scripts/start.mjs gives it; loading the program takes less processor time, too. */
const NODE_WORDS = ['--max-semi-space-size=64'];
const readyWithinMs = 180_000;
const stopWithinMs = 120_000;
const lastWordsMost = 4_000;

export type ServerOptions = {
  readonly settings?: Settings;
  /** The server starts the embedded database itself; the test has no `db` then. */
  readonly isEmbedded?: boolean;
  /** Another version of the program: where it lies. */
  readonly program?: string;
};

/** Not started yet. */
export async function openServerProcess(options: ServerOptions = {}): Promise<ServerProcess> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quittance-server-'));
  const database = options.isEmbedded ? undefined : await newDatabaseUrl();
  const port = await findFreePort();
  const trusted = join(dataDirectory, 'trusted.pem');
  await writeFile(trusted, loopbackShopCertificate);
  const fixed: Settings = {
    // The https shop of webhook-receiver.ts.
    NODE_EXTRA_CA_CERTS: trusted,
    PORT: String(port),
    DATA_DIR: dataDirectory,
    ...database?.settings,
    ...options.settings,
  };
  const db = database && openDb({ connectionString: database.url, poolSize: 3, log: silentLog });
  let child: ChildProcess | undefined;
  let guard: ChildProcess | undefined;
  let stdout = '';
  let stderr = '';
  /** In stdout. */
  let startedAt = 0;

  async function start(more: Settings = {}): Promise<void> {
    assert(child === undefined, 'the server is running');
    startedAt = stdout.length;
    const server = spawnProgram(
      serverProgram(options.program),
      [],
      { ...fixed, ...more },
      dataDirectory,
    );
    child = server;
    guard = startGuard(server, dataDirectory);
    server.stdout?.on('data', (text: string) => {
      stdout += text;
    });
    server.stderr?.on('data', (text: string) => {
      stderr += text;
    });
    const isReady = () => /^Quittance (?:is serving|runs) /m.test(stdout.slice(startedAt));
    const endsAtMs = performance.now() + readyWithinMs;
    while (!isReady()) {
      if (hasEnded(server)) {
        await end(() => {});
        throw new Error(`the server does not start:\n${stdout.slice(startedAt)}${stderr}`);
      }
      assert(performance.now() < endsAtMs, `the server is not ready:\n${stdout}${stderr}`);
      await sleep(10);
    }
    // Whatever test comes next would only say that nobody answers.
    server.once('exit', (code, signal) => {
      if (child !== server) return;
      const last = `${stdout}${stderr}`.slice(-lastWordsMost);
      process.stderr.write(
        `the server ended by itself (${signal ?? code}), last saying:\n${last}\n`,
      );
    });
  }

  async function end(act: (server: ChildProcess) => unknown): Promise<number | undefined> {
    const server = child;
    if (server === undefined) return undefined;
    child = undefined;
    const timer = setTimeout(() => server.kill('SIGKILL'), stopWithinMs);
    try {
      const closed = hasClosed(server) ? undefined : once(server, 'close');
      act(server);
      await closed;
    } finally {
      clearTimeout(timer);
      guard?.kill('SIGKILL');
      guard?.stdin?.destroy();
    }
    return server.exitCode ?? undefined;
  }

  const killNow = () => child?.kill('SIGKILL');
  process.once('exit', killNow);
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    process.removeListener('exit', killNow);
    try {
      await end((server) => server.kill('SIGKILL'));
      await db?.close();
      await database?.close();
    } finally {
      await rm(dataDirectory, { recursive: true, force: true, maxRetries: 20 });
    }
  };
  closeFirst(close);
  return {
    origin: `http://127.0.0.1:${port}`,
    dataDirectory,
    keyFile: join(dataDirectory, 'keys', 'quittance.key'),
    databaseUrl: database?.url ?? '',
    get db() {
      assert(db !== undefined, 'the database is the server’s own');
      return db;
    },
    start,
    stop: () => end((server) => server.kill('SIGTERM')),
    pid: () => child?.pid ?? 0,
    freeze: () => void child?.kill('SIGSTOP'),
    wake: () => void child?.kill('SIGCONT'),
    backUp: async () => database?.backUp(),
    restoreBackup: async () => database?.restore(),
    wipe: async () => database?.wipe(),
    kill9: async () => void (await end((server) => server.kill('SIGKILL'))),
    isRunning: () => child !== undefined && !hasEnded(child),
    output: () => `${stdout}${stderr}`,
    said: () => stdout.slice(startedAt),
    errors: () =>
      stderr
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line): Record<string, unknown> => JSON.parse(line))
        // That loop gives up a question after seconds, which a busy machine may take.
        .filter(({ level, loop }) => level === 'error' && loop !== 'listen key_change'),
    command: async (...words) => readJson(await runHere(words, fixed, dataDirectory)),
    commandProcess: async (...words) =>
      readJson(await runProgram(commandProgram(options.program), words, fixed, dataDirectory)),
    async health() {
      const response = await fetch(`http://127.0.0.1:${port}/health`);
      return { status: response.status, body: (await response.json()) as Health };
    },
    close,
  };
}

/** Runs the server until it ends by itself, as it does when it refuses to start. */
export function runServer(settings: Settings, directory: string): Promise<Ended> {
  return runProgram(serverProgram(), [], settings, directory);
}

function readJson(ended: Ended): CommandEnded {
  const last = ended.stdout.trimEnd().split('\n').at(-1) ?? '';
  return { ...ended, json: last.startsWith('{') ? JSON.parse(last) : {} };
}

/** Loaded when the first command runs: most tests that start the server run none. */
async function runHere(
  words: readonly string[],
  settings: Settings,
  directory: string,
): Promise<Ended> {
  const { runCommandLine } = await import('#cli/run-command-line.ts');
  let stdout = '';
  let stderr = '';
  const exitCode = await runCommandLine(words, {
    environment: { ...baseEnvironment(), ...settings },
    directory,
    say: (text) => {
      stdout += `${text}\n`;
    },
    complain: (text) => {
      stderr += `${text}\n`;
    },
    onProgress: () => undefined,
  });
  return { exitCode, stdout, stderr };
}

/** `npx quittance …` alone, in this process. */
export function runCommandHere(
  words: readonly string[],
  settings: Settings,
  directory: string,
): Promise<Ended> {
  return runHere(words, settings, directory);
}

/** The same as a process of its own. */
export function runCommand(
  words: readonly string[],
  settings: Settings,
  directory: string,
): Promise<Ended> {
  return runProgram(commandProgram(), words, settings, directory);
}

async function runProgram(
  program: string,
  words: readonly string[],
  settings: Settings,
  directory: string,
): Promise<Ended> {
  const child = spawnProgram(program, words, settings, directory);
  const guard = startGuard(child, undefined);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.on('data', (text: string) => {
    stderr += text;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), readyWithinMs);
  try {
    await once(child, 'close');
  } finally {
    clearTimeout(timer);
    guard.kill('SIGKILL');
    guard.stdin?.destroy();
  }
  return { exitCode: child.exitCode ?? undefined, stdout, stderr };
}

/**
 * With nothing of our own environment but what every program needs: settings come from the test. A
 * run of all tests keeps what Node made of our files, which is half of what a short command costs, and
 * where they are is not asked again for each.
 */
function spawnProgram(
  program: string,
  words: readonly string[],
  settings: Settings,
  directory: string,
): ChildProcess {
  // It knows where our own files are, not those of another version.
  const quick = program.startsWith(join(HERE, 'src')) ? ['--import', QUICK_IMPORTS] : [];
  const child = spawn(process.execPath, [...NODE_WORDS, ...quick, program, ...words], {
    cwd: directory,
    env: {
      ...baseEnvironment(),
      ...compiledOnce(),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  return child;
}

function baseEnvironment(): Settings {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}

/** Ends when our end of its pipe closes, and takes the program and its directory with it. */
function startGuard(child: ChildProcess, directory: string | undefined): ChildProcess {
  const script = 'cat >/dev/null; kill -9 "$0"; if [ -n "$1" ]; then sleep 1; rm -rf "$1"; fi';
  const guard = spawn('sh', ['-c', script, String(child.pid), directory ?? ''], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.stdin?.on('error', () => {});
  guard.unref();
  return guard;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Ended, and all it printed was read. */
function hasClosed(child: ChildProcess): boolean {
  return hasEnded(child) && child.stdout?.readableEnded === true;
}
