// Receivers of webhooks of one shop that answer as they are told: well, slowly, or as a dead one. Of what
// came only the ids are kept, for hours of it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Mood = 'well' | 'slow' | 'refusing' | 'silent' | 'cutting';

export type SoakReceivers = {
  readonly urls: readonly string[];
  /** How often each event came and was answered well, by its id. */
  readonly taken: ReadonlyMap<string, number>;
  /** The same id with other words: what no receiver could make sense of. */
  readonly changed: readonly string[];
  behave(index: number, mood: Mood): void;
  close(): Promise<void>;
};

const SLOW_MS = 1_500;

export async function openSoakReceivers(count: number): Promise<SoakReceivers> {
  const taken = new Map<string, number>();
  const digests = new Map<string, string>();
  const changed: string[] = [];
  const moods = new Array<Mood>(count).fill('well');
  const sockets = new Set<Socket>();

  async function receive(index: number, request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const id = String(request.headers['webhook-id']);
    const digest = createHash('sha256').update(Buffer.concat(chunks)).digest('base64');
    if ((digests.get(id) ?? digest) !== digest) changed.push(id);
    digests.set(id, digest);
    const mood = moods[index];
    if (mood === 'silent') return;
    if (mood === 'cutting') return void request.socket.destroy();
    if (mood === 'refusing') return void response.writeHead(503).end();
    const take = () => {
      taken.set(id, (taken.get(id) ?? 0) + 1);
      response.end('OK');
    };
    if (mood === 'slow') setTimeout(take, SLOW_MS);
    else take();
  }

  const servers: Server[] = [];
  for (let index = 0; index < count; index += 1) {
    const server = createServer((request, response) => void receive(index, request, response));
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
  }
  return {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    taken,
    changed,
    behave(index, mood) {
      assert.ok(index < count);
      moods[index] = mood;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
      );
    },
  };
}
