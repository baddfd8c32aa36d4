// A shop's webhook receiver on loopback that misbehaves as told, and remembers what arrived.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { findEventFault } from './check-event.ts';
import { keepEvent } from './keep-events.ts';
import { loopbackShopAddresses, loopbackShopCertificate, loopbackShopKey } from './self-signed.ts';

export type ReceivedWebhook = {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly id: string;
};

/** Answers one request; `count` is how many have come to this path, this one included. */
export type Behave = (
  response: ServerResponse,
  webhook: ReceivedWebhook,
  count: number,
) => void | Promise<void>;

const securePort = 8443;

export type WebhookReceiver = {
  readonly origin: string;
  readonly port: number;
  readonly received: ReceivedWebhook[];
  /** Highest number of requests that were under way at one time. */
  mostAtOnce(): number;
  /** Fails when an event that came was not as documented. */
  close(): Promise<void>;
};

/**
 * `isSecure`: https on port 8443, which is what live keys may call, with the certificate of
 * self-signed.ts.
 */
export async function openWebhookReceiver(
  behave: Behave = ok,
  { isSecure = false }: { readonly isSecure?: boolean } = {},
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const sockets = new Set<Socket>();
  const counts = new Map<string, number>();
  const faults: string[] = [];
  let underWay = 0;
  let most = 0;
  const listener: RequestListener = async (request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString('utf8');
    const { url: path = '', headers } = request;
    const webhook = { path, headers, body, id: String(headers['webhook-id']) };
    received.push(webhook);
    const fault = headers['webhook-signature'] === undefined ? undefined : findEventFault(body);
    if (fault !== undefined) faults.push(fault);
    await keepEvent(body);
    counts.set(path, (counts.get(path) ?? 0) + 1);
    await behave(response, webhook, counts.get(path) ?? 0);
  };
  const server = isSecure ? await listenSecurely(listener) : await listen(listener);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const { address, port } = server.address() as AddressInfo;
  return {
    origin: `${isSecure ? 'https' : 'http'}://${address}:${port}`,
    port,
    received,
    mostAtOnce: () => most,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      assert.deepEqual(faults, [], 'every event is as documented');
    },
  };
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Others may test at the same time: the port is given, so the address is what differs. */
async function listenSecurely(listener: RequestListener): Promise<Server> {
  const certificate = { key: loopbackShopKey, cert: loopbackShopCertificate };
  for (const address of loopbackShopAddresses) {
    const server = createSecureServer(certificate, listener).listen(securePort, address);
    try {
      await once(server, 'listening');
      return server;
    } catch {
      // Taken, or not an address of this machine.
    }
  }
  throw new Error(`port ${securePort} is taken at every loopback address that is certified`);
}

export async function withReceiver(
  behave: Behave,
  act: (receiver: WebhookReceiver) => Promise<void>,
): Promise<void> {
  const receiver = await openWebhookReceiver(behave);
  try {
    await act(receiver);
  } finally {
    await receiver.close();
  }
}

export const ok: Behave = (response) => {
  response.end('OK');
};

export function answer(status: number, headers: Record<string, string> = {}): Behave {
  return (response) => {
    response.writeHead(status, headers).end(`status ${status}`);
  };
}

/** Takes the request and never answers. */
export const blackHole: Behave = () => {};

export const closeSocket: Behave = (response) => {
  response.socket?.destroy();
};

/** The status at once, then a byte now and then for ever. */
export const slowDrip: Behave = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 20);
  response.on('close', () => clearInterval(timer));
};

export const hugeBody: Behave = (response) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(65_536, 'x');
  const fill = () => {
    while (!response.destroyed && response.write(chunk)) {}
    if (!response.destroyed) response.once('drain', fill);
  };
  fill();
};
