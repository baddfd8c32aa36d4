// Open pages as far as a server can tell: one socket each that holds a stream of events and notes
// when the page it shows changed.

import { connect, type Socket } from 'node:net';

export type OpenPage = {
  /** Wall time in milliseconds at which a page of this state came, by its name. */
  readonly shownAtMs: Map<string, number>;
  close(): void;
};

/** Resolves when the first event came: from then on the page is told of changes. */
export async function openPageStream(
  port: number,
  path: string,
  /** What a trusted proxy says of the client. */
  address: string,
): Promise<OpenPage> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const shownAtMs = new Map<string, number>();
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (part: string) => {
    text += part;
    const at = text.lastIndexOf('\n\n');
    if (at === -1) return;
    const nowMs = Date.now();
    for (const [, state = ''] of text.slice(0, at).matchAll(/"state":"(\w+)"/g)) {
      if (!shownAtMs.has(state)) shownAtMs.set(state, nowMs);
    }
    if (text.includes('event: ')) resolve();
    text = text.slice(at);
  });
  socket.on('error', reject);
  socket.on('close', () =>
    reject(new Error(`the server closed the stream: ${text.slice(0, 200)}`)),
  );
  const lines = [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', `x-forwarded-for: ${address}`];
  socket.write(`${lines.join('\r\n')}\r\naccept: text/event-stream\r\n\r\n`);
  await opened;
  return { shownAtMs, close: () => socket.destroy() };
}
