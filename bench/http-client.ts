// A client that costs little beside what it measures: keep-alive sockets, requests written as text,
// answers read as far as their length says.

import { connect, type Socket } from 'node:net';
import { systemClock } from '#base/clock.ts';
import { digestSignature } from '#test/support/digest-signature.ts';
import type { Shop } from './bench-database.ts';
import { CLIENTS } from './pgbench.ts';

export type HttpAnswer = { readonly status: number; readonly body: string };

export type Connection = { ask(request: string): Promise<Buffer>; close(): void };

export async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let waiting: { resolve(answer: Buffer): void; reject(error: Error): void } | undefined;
  let parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => {
    parts.push(part);
    const whole = parts.length === 1 ? part : Buffer.concat(parts);
    if (!isComplete(whole)) return;
    parts = [];
    waiting?.resolve(whole);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request, 'latin1');
      }),
    close: () => socket.destroy(),
  };
}

function isComplete(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, end))?.[1];
  if (length === undefined) return answer.subarray(-5).equals(lastChunk);
  return answer.length >= end + 4 + Number(length);
}

const lastChunk = Buffer.from('0\r\n\r\n');

/** One request by itself. */
export async function askOnce(port: number, request: string): Promise<HttpAnswer> {
  const connection = await openConnection(port);
  const answer = await connection.ask(request).finally(() => connection.close());
  const text = answer.toString('utf8');
  return {
    status: Number(text.slice(9, 12)),
    body: text.slice(text.indexOf('\r\n\r\n') + 4),
  };
}

/**
 * 16 clients that ask as fast as they are answered, until the time is over or there is nothing to
 * ask; requests answered per second. Every answer must be a 200.
 */
export async function driveServer(options: {
  readonly port: number;
  readonly seconds: number;
  readonly nextRequest: () => string | undefined;
}): Promise<number> {
  const { port, seconds, nextRequest } = options;
  const connections = await Promise.all(
    Array.from({ length: CLIENTS }, () => openConnection(port)),
  );
  let answered = 0;
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const work = async (connection: Connection) => {
    while (performance.now() < endMs) {
      const request = nextRequest();
      if (request === undefined) return;
      const answer = await connection.ask(request);
      if (answer.toString('latin1', 9, 12) !== '200')
        throw new Error(`answered ${answer.toString()}`);
      answered += 1;
    }
  };
  try {
    await Promise.all(connections.map(work));
  } finally {
    for (const connection of connections) connection.close();
  }
  return answered / ((performance.now() - startMs) / 1000);
}

/** The text of a signed request; `body` in ASCII. */
export function signedRequest(
  shop: Shop,
  method: 'GET' | 'POST',
  path: string,
  { body = '', query = '' }: { readonly body?: string; readonly query?: string } = {},
): string {
  const timestampText = String(Math.floor(systemClock.now().epochMilliseconds / 1000));
  const signed = { path, timestampText, method, body: Buffer.from(body) };
  const lines = [
    `${method} /api/v1${path}${query} HTTP/1.1`,
    'host: 127.0.0.1',
    `x-digest-key: ${shop.key}`,
    `x-digest-timestamp: ${timestampText}`,
    `x-digest-signature: ${digestSignature(signed, shop.secret)}`,
  ];
  if (method === 'POST')
    lines.push('content-type: application/json', `content-length: ${body.length}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * Counts up in the description, so that no two requests have the same signature. Its webhook is
 * where something answers, or it would be refused; nothing is sent there.
 */
export function createBody(number: number, port = 443): string {
  return JSON.stringify({
    charge: {
      billingCurrency: 'EUR',
      lineItems: [
        { description: `Order ${number}: A good book, hardcover`, netAmount: '19.90', quantity: 2 },
        { description: 'Reading lamp', netAmount: '34.50', productId: 'lamp-7' },
      ],
      shippingCostItems: [{ description: 'Parcel', netAmount: '4.90', taxable: true }],
      taxItems: [{ name: 'VAT', percent: 0.19 }],
    },
    settlementAsset: 'ORIGIN',
    webhook: `http://127.0.0.1:${port}/webhooks/quittance`,
    pageSettings: { returnUrl: 'https://shop.example/thanks' },
    meta: { orderId: `2026-${number}`, cart: 'b1946ac9' },
  });
}
