// A node that has its answers ready, in a thread of its own: what is left is what the reader does.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export type CannedAnswer = {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type CannedServer = { readonly url: string; close(): Promise<void> };

/** `answers` by path and query. */
export async function serveCanned(
  answers: Readonly<Record<string, CannedAnswer>>,
): Promise<CannedServer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { answers } });
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await worker.terminate();
    },
  };
}

function serve(answers: Readonly<Record<string, CannedAnswer>>): void {
  const ready = new Map(
    Object.entries(answers).map(([path, { body, headers }]) => [
      path,
      { body: Buffer.from(body), headers },
    ]),
  );
  const server = createServer((request, response) => {
    const answer = ready.get(request.url ?? '');
    if (answer === undefined) {
      response.writeHead(500).end();
      return;
    }
    response.writeHead(200, { ...answer.headers, 'content-length': answer.body.length });
    response.end(answer.body);
  });
  server.listen(0, '127.0.0.1', () => {
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}

if (!isMainThread && workerData?.answers !== undefined) serve(workerData.answers);
