// One question over HTTP to an address that comes from outside: of an anchor, of a Lightning
// address. Guarantees: only addresses that were checked are connected to (target-guard.ts), nobody
// is followed to another one, time and size are bounded. Never rejects.

import { request as requestHttp } from 'node:http';
import type { Socket } from 'node:net';
import {
  checkTarget,
  openPinnedSocket,
  type ResolveAddresses,
  type TargetRules,
} from './target-guard.ts';

export type GuardedVia = {
  readonly targets: TargetRules;
  readonly resolve: ResolveAddresses;
  readonly timeoutMs: number;
  readonly answerBytesMost: number;
};

type GuardedQuestion = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, by POST unless said otherwise. */
  readonly body?: object | undefined;
  readonly method?: 'PUT' | undefined;
};

type GuardedAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  /** The address may not be asked. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A code, not a message: a message of the system may carry addresses. */
  | { readonly kind: 'failed'; readonly code: string };

export async function askGuarded(
  via: GuardedVia,
  question: GuardedQuestion,
): Promise<GuardedAnswer> {
  const check = await checkTarget(question.url, 'live', via.targets, via.resolve);
  if (check.kind === 'refused') return check;
  const signal = AbortSignal.timeout(via.timeoutMs);
  try {
    const socket = await openPinnedSocket(check.target, signal);
    return await exchange(socket, check.target.url, question, { ...via, signal });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { kind: 'failed', code: typeof code === 'string' ? code : 'failed' };
  }
}

function exchange(
  socket: Socket,
  url: URL,
  { headers, body, method }: GuardedQuestion,
  { answerBytesMost, signal }: GuardedVia & { readonly signal: AbortSignal },
): Promise<GuardedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GuardedAnswer>();
  const content = body === undefined ? undefined : JSON.stringify(body);
  const outgoing = requestHttp({
    createConnection: () => socket,
    method: content === undefined ? 'GET' : (method ?? 'POST'),
    path: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      accept: 'application/json',
      connection: 'close',
      ...headers,
      ...(content === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
    },
    signal,
  });
  outgoing.on('error', reject);
  outgoing.on('response', (incoming) => {
    const parts: Buffer[] = [];
    let size = 0;
    incoming.on('data', (part: Buffer) => {
      size += part.length;
      parts.push(part);
      if (size <= answerBytesMost) return;
      reject(new Error('too large'));
      outgoing.destroy();
    });
    incoming.on('error', reject);
    incoming.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      resolve({ kind: 'answered', status: incoming.statusCode ?? 0, text });
    });
  });
  outgoing.end(content);
  return promise.finally(() => {
    // An error after the answer changes nothing, but without a listener it would end the process.
    outgoing.on('error', () => {});
    socket.on('error', () => {});
    socket.destroy();
  });
}
