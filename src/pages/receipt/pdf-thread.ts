// One thread beside the event loop that draws papers: a long one costs a second of computing, which
// payments and every other page would wait for. Guarantees: started when it is first needed; it
// keeps no process alive that has nothing else to do; a job that takes too long ends with its
// thread, and the next one gets a new one.
import { Worker } from 'node:worker_threads';
import { Outage } from '#base/refusal.ts';
import type { PdfAnswer } from './pdf-worker.ts';

/** Not for several jobs at once. */
export type PdfThread = { draw(job: string): Promise<Uint8Array> };

const JOB_MS = 30_000;
const HEAP_MEGABYTES = 256;

export function createPdfThread(): PdfThread {
  let worker: Worker | undefined;

  function open(): Worker {
    const opened = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
      // The thread does not get the command line of this process.
      argv: [],
    });
    // Without a listener an error of the thread would end the process.
    opened.on('error', () => undefined);
    opened.on('exit', () => {
      if (worker === opened) worker = undefined;
    });
    return opened;
  }

  return {
    async draw(job) {
      worker ??= open();
      const current = worker;
      current.ref();
      try {
        return await answerOf(current, job);
      } finally {
        current.unref();
      }
    },
  };
}

async function answerOf(worker: Worker, job: string): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<PdfAnswer>();
  const fail = (cause: unknown) => reject(new Outage('receipts as PDF', { cause }));
  const exit = () => fail(new Error('the thread ended'));
  worker.on('message', resolve).on('error', fail).on('exit', exit);
  const timer = setTimeout(() => {
    fail(new Error('it took too long'));
    worker.terminate().catch(() => undefined);
  }, JOB_MS);
  try {
    worker.postMessage(job);
    const answer = await promise;
    if ('fault' in answer) throw new Error(answer.fault);
    return answer.bytes;
  } finally {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', fail).off('exit', exit);
  }
}
