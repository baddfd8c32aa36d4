// A WebSocket server that has its answers ready, in a thread of its own: what is left is what the
// reader does. Answers are JSON objects that lack their `id`, which is the one of the question.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { WebSocketServer } from 'ws';

export type CannedSockets = { readonly url: string; close(): Promise<void> };

/** `answers` by the text of the question without its id. */
export async function serveCannedSockets(
  answers: Readonly<Record<string, string>>,
): Promise<CannedSockets> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { cannedSockets: answers } });
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `ws://127.0.0.1:${port}`,
    async close() {
      await worker.terminate();
    },
  };
}

function serve(answers: Readonly<Record<string, string>>): void {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id, ...question } = JSON.parse(String(data)) as { id: number };
      const answer = answers[JSON.stringify(question)];
      if (answer !== undefined) socket.send(`{"id":${id},${answer.slice(1)}`);
    });
  });
  server.on('listening', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

if (!isMainThread && workerData?.cannedSockets !== undefined) serve(workerData.cannedSockets);
