// A JSON-RPC node that has its answers ready as text, in a thread of its own: what is left is what
// the reader does.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export type CannedRpc = { readonly url: string; close(): Promise<void> };

/** `results`: JSON text by `method params`; what is not there is `fallback`, or null. */
export async function serveCannedRpc(
  results: Readonly<Record<string, string>>,
  fallback: Readonly<Record<string, string>> = {},
): Promise<CannedRpc> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { results, fallback } });
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      await worker.terminate();
    },
  };
}

export function cannedKey(method: string, params: readonly unknown[]): string {
  return `${method} ${JSON.stringify(params)}`;
}

type Question = {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
};

function serve(results: Record<string, string>, fallback: Record<string, string>): void {
  const answer = ({ id, method, params }: Question) => {
    const result = results[cannedKey(method, params)] ?? fallback[method] ?? 'null';
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      const asked = JSON.parse(body) as Question | Question[];
      const text = Array.isArray(asked) ? `[${asked.map(answer).join(',')}]` : answer(asked);
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    parentPort?.postMessage((server.address() as AddressInfo).port);
  });
}

if (!isMainThread && workerData?.results !== undefined) {
  serve(workerData.results, workerData.fallback);
}
