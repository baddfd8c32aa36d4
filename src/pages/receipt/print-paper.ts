// PDFs of papers, as many as this process can afford. Guarantees: drawn away from the event loop,
// one after the other; who waits in a full line is refused at once; one link is drawn for so often
// in a minute and no more; what was drawn lately is not drawn again.

import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import { type Paper, writePdfJob } from './paper.ts';
import type { PdfAnswer } from './pdf-worker.ts';

export type PaperPrinter = {
  /**
   * @throws Refusal too-many when the link was drawn for too often, Outage when too many wait.
   */
  print(token: string, paper: Paper): Promise<Uint8Array>;
};

/** A new one each time something changed: more than any payment changes in a minute. */
const DRAWN_PER_LINK = 12;
const WAITING_MOST = 20;
const KEPT_BYTES = 16 * 1024 * 1024;
const AGAIN_SECONDS = 5;

export function createPaperPrinter(clock: Clock, thread: PdfThread): PaperPrinter {
  const links = createTokenBuckets(clock, DRAWN_PER_LINK, 'for this receipt');
  // In order of last use: the longest unused leave first.
  const kept = new Map<string, Uint8Array>();
  const underWay = new Map<string, Promise<Uint8Array>>();
  let keptBytes = 0;
  let last: Promise<unknown> = Promise.resolve();

  function keep(id: string, bytes: Uint8Array): void {
    kept.set(id, bytes);
    keptBytes += bytes.length;
    for (const [old, { length }] of kept) {
      if (keptBytes <= KEPT_BYTES) break;
      kept.delete(old);
      keptBytes -= length;
    }
  }

  function drawNext(id: string, job: string): Promise<Uint8Array> {
    const drawing = last.then(() => thread.draw(job));
    last = drawing.catch(() => undefined);
    underWay.set(id, drawing);
    return drawing
      .finally(() => underWay.delete(id))
      .then((bytes) => {
        keep(id, bytes);
        return bytes;
      });
  }

  return {
    async print(token, paper) {
      const job = writePdfJob(paper);
      const id = createHash('sha256').update(job).digest('hex');
      const known = kept.get(id);
      if (known !== undefined) {
        kept.delete(id);
        kept.set(id, known);
        return known;
      }
      const drawing = underWay.get(id);
      if (drawing !== undefined) return drawing;
      links.take(token);
      if (underWay.size >= WAITING_MOST) {
        throw new Outage('receipts as PDF', { retryAfterSeconds: AGAIN_SECONDS });
      }
      return drawNext(id, job);
    },
  };
}

// One thread beside the event loop that draws papers: a long one costs a second of computing, which
// payments and every other page would wait for. Guarantees: started when it is first needed; it
// keeps no process alive that has nothing else to do; a job that takes too long ends with its
// thread, and the next one gets a new one.

/** Not for several jobs at once. */
type PdfThread = { draw(job: string): Promise<Uint8Array> };

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
