// The thread in which papers become PDFs: one job in, one answer out, in order.
import { parentPort } from 'node:worker_threads';
import { readPdfJob } from './paper.ts';
import { drawPaper } from './paper-pdf.ts';

export type PdfAnswer = { readonly bytes: Uint8Array } | { readonly fault: string };

async function answerTo(job: string): Promise<PdfAnswer> {
  try {
    return { bytes: await drawPaper(readPdfJob(job)) };
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (job: string) => {
  answerTo(job).then((answer) => parentPort?.postMessage(answer));
});
