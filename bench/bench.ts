// What the figures share: one PostgreSQL, one server process, databases that are made when the first
// figure needs them.

import { join } from 'node:path';
import type { Keyring } from '#installation/keyring.ts';
import { type BenchApp, openBenchApp } from './bench-app.ts';
import { type BenchDatabase, startBenchServer } from './bench-database.ts';
import { type PgbenchRun, runPgbench } from './pgbench.ts';
import { type ServerProcess, START_FLAGS, startProgram } from './server-process.ts';

export type Bench = {
  readonly directory: string;
  readonly keyring: Keyring;
  /** Length of one run. */
  readonly seconds: number;
  readonly say: (line: string) => void;
  openDatabase(name: string): Promise<BenchDatabase>;
  /** Of the server process. */
  httpDatabase(): Promise<BenchDatabase>;
  /** Of the acts that run in this process. */
  actsDatabase(): Promise<BenchDatabase>;
  app(): Promise<BenchApp>;
  /** `npm start`'s program over its own database. */
  server(): Promise<ServerProcess>;
  /** The same program, another process; whoever starts it closes it. */
  startServer(
    database: BenchDatabase,
    settings: Readonly<Record<string, string>>,
  ): Promise<ServerProcess>;
  pgbench(run: PgbenchRun): Promise<number>;
  close(): Promise<void>;
};

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');

export async function openBench(options: {
  readonly pgbench: string;
  readonly seconds: number;
  readonly serverFlags: readonly string[];
  readonly say: (line: string) => void;
}): Promise<Bench> {
  const postgres = await startBenchServer();
  const { directory, keyring } = postgres;
  const httpDatabase = once(() => postgres.openDatabase('bench_http'));
  const actsDatabase = once(() => postgres.openDatabase('bench_acts'));
  const app = once(async () => openBenchApp(await actsDatabase(), keyring));
  let started: ServerProcess | undefined;
  const startServer: Bench['startServer'] = (database, settings) =>
    startService({ ...postgres, flags: options.serverFlags }, database, settings);
  const server = once(async () => {
    started = await startServer(await httpDatabase(), {});
    return started;
  });
  return {
    directory,
    keyring,
    seconds: options.seconds,
    say: options.say,
    openDatabase: (name) => postgres.openDatabase(name),
    httpDatabase,
    actsDatabase,
    app,
    server,
    startServer,
    pgbench: (run) => runPgbench(options.pgbench, run),
    // A signal and the end of the run may both ask for it.
    close: once(async () => {
      try {
        await started?.close();
      } finally {
        await postgres.close();
      }
    }),
  };
}

/** `npm start`'s program over a database of the bench, without limits of requests. */
export function startService(
  {
    directory,
    keyFile,
    flags,
  }: { readonly directory: string; readonly keyFile: string; readonly flags: readonly string[] },
  { url }: BenchDatabase,
  settings: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  return startProgram(
    () => [...START_FLAGS, ...flags, MAIN],
    (port) => ({
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: join(directory, 'data'),
      KEY_FILE: keyFile,
      DATABASE_URL: url,
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_KEY: '0',
      RATE_LIMIT_PER_IP: '0',
      ...settings,
    }),
  );
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
