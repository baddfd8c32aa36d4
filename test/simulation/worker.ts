// A thread that runs the seeds it is given, a database at a time, until there are none left.
import { strict as assert } from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import { openShopReceiver } from './receiver.ts';
import { runSeedsInOneDatabase } from './run-seeds.ts';
import type { Counters } from './story.ts';

export type WorkerTask = { readonly from: number; readonly count: number };
export type WorkerReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'step'; readonly line: string }
  | { readonly kind: 'passed'; readonly counters: Counters }
  | { readonly kind: 'failed'; readonly what: string };
export type WorkerSettings = {
  readonly server: ConnectionSettings;
  /** Whether every step is to be told. */
  readonly isLogged: boolean;
};

assert(parentPort !== null, 'this file runs as a worker');
const port = parentPort;
const { server, isLogged } = workerData as WorkerSettings;
const receiver = await openShopReceiver();
const onStep = isLogged ? (line: string) => tell({ kind: 'step', line }) : undefined;

function tell(report: WorkerReport): void {
  port.postMessage(report);
}

async function run({ from, count }: WorkerTask): Promise<void> {
  try {
    const counters = await runSeedsInOneDatabase({ server, from, count, onStep }, receiver);
    tell({ kind: 'passed', counters });
  } catch (error) {
    const what = error instanceof Error ? describe(error) : String(error);
    tell({ kind: 'failed', what });
  }
}

/** The message has the seed and its steps; the first cause has the place in the code. */
function describe(error: Error): string {
  const cause = error.cause instanceof Error ? `\n${error.cause.stack}` : '';
  return error.message + (cause || `\n${error.stack}`);
}

port.on('message', async (task: WorkerTask | 'end') => {
  if (task !== 'end') return run(task);
  await receiver.close();
  port.close();
});
tell({ kind: 'ready' });
