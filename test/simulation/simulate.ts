// Runs seeds on two threads over a PostgreSQL of its own, which never syncs to disk and disappears
// with the run. Stops at the first seed that fails.
import { rm } from 'node:fs/promises';
import { env } from 'node:process';
import { Worker } from 'node:worker_threads';
import { silentLog } from '#base/log.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import { makeDirectoryInMemory } from '#test/support/make-directory-in-memory.ts';
import { makeTemplate, SEEDS_A_DATABASE } from './run-seeds.ts';
import { COUNTERS, type Counters, noCounters, SELDOM } from './story.ts';
import type { WorkerReport, WorkerSettings, WorkerTask } from './worker.ts';

export type Simulation = {
  readonly from: number;
  readonly seeds: number;
  readonly workers?: number;
  /** So many in a row in one database: a story may need those that were played before it. */
  readonly seedsADatabase?: number | undefined;
  /** After so many failures no more seeds are begun; 1 when absent. */
  readonly failuresMost?: number | undefined;
  /** Name of a bug that the threads run with (scripts/mutate-bugs.mjs). */
  readonly bug?: string | undefined;
  /** Told of every step; for one seed alone. */
  readonly onStep?: ((line: string) => void) | undefined;
  /** Told of each failure at once. */
  readonly onFailure?: ((what: string) => void) | undefined;
  /** Told after every few seeds. */
  readonly onProgress?: ((counters: Counters) => void) | undefined;
};

export type Simulated = {
  readonly counters: Counters;
  /** Seed, steps and what was broken of each; none when all is well. */
  readonly failures: readonly string[];
};

export async function simulate(simulation: Simulation): Promise<Simulated> {
  return withServer((server) => runSeeds(server, simulation));
}

/** A PostgreSQL that disappears with what is done. */
export async function withServer<Result>(
  act: (server: ConnectionSettings) => Promise<Result>,
): Promise<Result> {
  const directory = makeDirectoryInMemory();
  const database = await startEmbeddedDatabase({ directory, log: silentLog, unsafeFast: true });
  try {
    await makeTemplate(database.connection);
    return await act(database.connection);
  } finally {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const WORKERS = 2;
const BUG_HOOK = new URL('../../scripts/mutate-hook.mjs', import.meta.url).href;

function withBugNamed(bug: string): NodeJS.ProcessEnv {
  return { ...env, QUITTANCE_BUG: bug };
}

export async function runSeeds(
  server: ConnectionSettings,
  {
    from,
    seeds,
    workers = WORKERS,
    seedsADatabase = SEEDS_A_DATABASE,
    failuresMost = 1,
    bug,
    onStep,
    onFailure,
    onProgress,
  }: Simulation,
): Promise<Simulated> {
  const counters = noCounters();
  const end = from + seeds;
  const threads: Worker[] = [];
  let next = from;
  const failures: string[] = [];

  function fail(what: string): void {
    failures.push(what);
    onFailure?.(what);
  }

  function takeTask(): WorkerTask | undefined {
    if (next >= end || failures.length >= failuresMost) return undefined;
    const task = { from: next, count: Math.min(seedsADatabase, end - next) };
    next += task.count;
    return task;
  }

  function runWorker(): Promise<void> {
    const settings: WorkerSettings = { server, isLogged: onStep !== undefined };
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      workerData: settings,
      ...(bug === undefined ? {} : { execArgv: ['--import', BUG_HOOK], env: withBugNamed(bug) }),
    });
    threads.push(worker);
    return new Promise((resolve) => {
      worker.on('message', (report: WorkerReport) => {
        if (report.kind === 'step') return onStep?.(report.line);
        if (report.kind === 'failed') fail(report.what);
        // A bug that was found is found: nobody waits for the others.
        if (bug !== undefined && failures.length >= failuresMost) {
          for (const one of threads) void one.terminate();
          return;
        }
        if (report.kind === 'passed') {
          for (const name of COUNTERS) counters[name] += report.counters[name];
          onProgress?.(counters);
        }
        worker.postMessage(takeTask() ?? 'end');
      });
      worker.on('error', (error) => {
        fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
      });
      worker.on('exit', () => resolve());
    });
  }

  await Promise.all(Array.from({ length: workers }, runWorker));
  return { counters, failures };
}

/** From so many seeds on everything that can happen has to have happened. */
export const SEEDS_ENOUGH = 150;
const SEEDS_FOR_SELDOM = 1_000;

/** What never happened in a run that was long enough for it. */
export function absentOf(counters: Counters): string[] {
  if (counters.seeds < SEEDS_ENOUGH) return [];
  const isDue = (name: string) => counters.seeds >= SEEDS_FOR_SELDOM || !SELDOM.includes(name);
  return COUNTERS.filter((name) => counters[name] === 0 && isDue(name)).map(wordsOf);
}

/** A line for each thing that happened, what is rare last. */
export function tableOf(counters: Counters): string {
  return COUNTERS.map((name) => `${`${counters[name]}`.padStart(8)}  ${wordsOf(name)}`).join('\n');
}

function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
