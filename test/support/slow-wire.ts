// A wire between a client and a PostgreSQL server on which every answer takes its time, so that round
// trips can be counted: a round trip is when the client says something after the server has answered.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';

const answerMilliseconds = 30;

export type SlowWire = {
  readonly address: { readonly host: string; readonly port: number };
  countRoundTrips(act: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
};

export async function openSlowWire({ host, port }: ConnectionSettings): Promise<SlowWire> {
  let roundTrips = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect(port, host);
    let hasAnswered = true;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (bytes) => {
      if (hasAnswered) roundTrips += 1;
      hasAnswered = false;
      upstream.write(bytes);
    });
    upstream.on('data', async (bytes) => {
      await wait(answerMilliseconds);
      hasAnswered = true;
      client.write(bytes);
    });
    client.on('end', () => upstream.end());
    upstream.on('end', () => client.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    countRoundTrips: async (act) => {
      roundTrips = 0;
      await act();
      return roundTrips;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
