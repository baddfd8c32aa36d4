// Shares out requests to several processes as HAProxy or Caddy do, and no cleverer than these: asks
// each for /ready, sends the next request to one that said yes, keeps connections open, and tries
// another process only where the connection was refused, so that nobody got anything of the request.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export type ReadyProxy = {
  readonly origin: string;
  /** Requests that the process at this origin has answered. */
  served(origin: string): number;
  waitUntilReady(origin: string): Promise<void>;
  close(): Promise<void>;
};

type Target = {
  readonly origin: string;
  readonly agent: Agent;
  isReady: boolean;
  served: number;
};

const LOOK_MS = 100;
/** Less than a process keeps a silent connection (5 s): whoever keeps it longer loses a request. */
const SILENT_MS = 2_000;
/** Longer than whoever asks is silent: this side closes nothing that is about to be used. */
const KEPT_MS = 600_000;
const LOOK_PATIENCE_MS = 10_000;
/** Of one connection, which the next proxy or process decides anew. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];

export async function openReadyProxy(origins: readonly string[]): Promise<ReadyProxy> {
  const targets = origins.map((origin): Target => {
    return {
      origin,
      agent: new Agent({ keepAlive: true, timeout: SILENT_MS }),
      isReady: false,
      served: 0,
    };
  });
  const stopped = new AbortController();
  let changed = Promise.withResolvers<void>();
  let turn = 0;

  const note = (target: Target, isReady: boolean) => {
    if (target.isReady === isReady) return;
    target.isReady = isReady;
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const watch = async (target: Target) => {
    while (!stopped.signal.aborted) {
      note(target, await saysReady(target.origin));
      await pause(LOOK_MS);
    }
  };
  const choose = async (): Promise<Target> => {
    for (;;) {
      turn += 1;
      const ready = targets.filter(({ isReady }) => isReady);
      const target = ready[turn % ready.length];
      if (target !== undefined) return target;
      await changed.promise;
    }
  };
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming);
    for (;;) {
      const target = await choose();
      try {
        await pass(target, incoming, body, outgoing);
        target.served += 1;
        return;
      } catch (error) {
        if (!isRefused(error)) {
          outgoing.destroy(error instanceof Error ? error : undefined);
          return;
        }
        note(target, false);
      }
    }
  };

  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing));
  server.keepAliveTimeout = KEPT_MS;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const watching = targets.map(watch);
  const find = (origin: string) => targets.filter((target) => target.origin === origin);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served: (origin) => find(origin).reduce((sum, { served }) => sum + served, 0),
    async waitUntilReady(origin) {
      while (!find(origin).every(({ isReady }) => isReady)) await changed.promise;
    },
    async close() {
      stopped.abort();
      await Promise.all(watching);
      for (const { agent } of targets) agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function saysReady(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(LOOK_PATIENCE_MS);
    const answer = await fetch(`${origin}/ready`, { signal, headers: { connection: 'close' } });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false; // It is down.
  }
}

/** Rejects with what became of the connection. */
async function pass(
  { origin, agent }: Target,
  { method, url = '/', headers }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<void> {
  const asked = request(`${origin}${url}`, { method, agent, headers: ofMessage(headers) });
  const answered = once(asked, 'response');
  asked.end(body);
  const [answer] = (await answered) as [IncomingMessage];
  const whole = await buffer(answer);
  outgoing.writeHead(answer.statusCode ?? 502, ofMessage(answer.headers)).end(whole);
}

function ofMessage(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name));
  return Object.fromEntries(kept);
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}
