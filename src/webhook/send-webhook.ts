// One attempt at one webhook. Guarantees: never rejects; never follows a redirect; holds neither
// memory nor a connection longer than the limits say, whatever the receiver does; what the receiver
// answered comes back as a status and at most 256 printable characters.
// Not guaranteed: that a failed attempt did not arrive. The receiver tells repeats by the event id.
import { request as requestHttp } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '#base/clock.ts';
import type { Environment } from '#catalog/chain.ts';
import {
  checkTarget,
  openPinnedSocket,
  type ResolveAddresses,
  type Target,
  type TargetRules,
} from './target-guard.ts';

type WebhookRequest = {
  readonly url: string;
  readonly environment: Environment;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type SendLimits = {
  /** Look-up, connection and TLS together. */
  readonly connectMs: number;
  /** Everything together. */
  readonly totalMs: number;
  readonly answerBytesMost: number;
};

export const SEND_LIMITS: SendLimits = {
  connectMs: 5_000,
  totalMs: 15_000,
  answerBytesMost: 16_384,
};

export type WebhookAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly excerpt: string;
    }
  | { readonly kind: 'failed'; readonly error: string };

export type Attempt = {
  readonly attemptedAt: Temporal.Instant;
  readonly durationMs: number;
  readonly answer: WebhookAnswer;
};

export type SendVia = {
  readonly clock: Clock;
  readonly targets: TargetRules;
  readonly resolve: ResolveAddresses;
  readonly limits?: SendLimits;
};

const EXCERPT_MOST = 256;

/** `signal` gives the attempt up, as a shutdown does. */
export async function sendWebhook(
  via: SendVia,
  request: WebhookRequest,
  signal: AbortSignal,
): Promise<Attempt> {
  const limits = via.limits ?? SEND_LIMITS;
  const attemptedAt = via.clock.now();
  const startedMs = via.clock.monotonicMs();
  const answer = await withDeadline(limits.totalMs, 'no answer in time', signal, (total) =>
    exchange(via, request, limits, total),
  ).catch((error: unknown) => failed(describe(error)));
  const durationMs = Math.max(0, Math.round(via.clock.monotonicMs() - startedMs));
  return { attemptedAt, durationMs, answer };
}

async function exchange(
  via: SendVia,
  request: WebhookRequest,
  limits: SendLimits,
  total: AbortSignal,
): Promise<WebhookAnswer> {
  const opened = await withDeadline(limits.connectMs, 'no connection in time', total, (signal) =>
    openTarget(via, request, signal),
  );
  if (opened.kind === 'refused') return failed(`refused: ${opened.reason}`);
  try {
    return await ask(opened.target, opened.socket, request, limits, total);
  } finally {
    opened.socket.destroy();
  }
}

type Opened =
  | { readonly kind: 'opened'; readonly target: Target; readonly socket: Socket }
  | { readonly kind: 'refused'; readonly reason: string };

async function openTarget(
  { targets, resolve }: SendVia,
  { url, environment }: WebhookRequest,
  signal: AbortSignal,
): Promise<Opened> {
  const check = await Promise.race([
    checkTarget(url, environment, targets, resolve),
    rejectOnAbort(signal),
  ]);
  if (check.kind === 'refused') return check;
  const socket = await openPinnedSocket(check.target, signal);
  return { kind: 'opened', target: check.target, socket };
}

function ask(
  { url }: Target,
  socket: Socket,
  { headers, body }: WebhookRequest,
  limits: SendLimits,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WebhookAnswer>();
  const outgoing = requestHttp({
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: {
      Host: url.host,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': 'Quittance-Webhooks/1',
      Accept: '*/*',
      'Accept-Encoding': 'identity',
      ...headers,
    },
    createConnection: () => socket,
  });
  let finish: (() => void) | undefined;
  const abort = () => (finish === undefined ? reject(signal.reason) : finish());
  signal.addEventListener('abort', abort, { once: true });
  outgoing.on('error', reject);
  outgoing.on('upgrade', () => reject(new Error('the receiver asked for another protocol')));
  outgoing.on('response', (incoming) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // From here on the status is known. A body that breaks off or comes slowly does not change it.
    finish = () => {
      const { statusCode: status = 0, headers: answered } = incoming;
      const excerpt = printable(Buffer.concat(chunks));
      resolve({ kind: 'answered', status, retryAfter: answered['retry-after'], excerpt });
      incoming.destroy();
    };
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, limits.answerBytesMost - size));
      size += chunk.length;
      if (size >= limits.answerBytesMost) finish?.();
    });
    incoming.on('error', () => finish?.());
    incoming.on('close', () => finish?.());
    incoming.on('end', () => finish?.());
  });
  outgoing.end(body);
  return promise.finally(() => {
    signal.removeEventListener('abort', abort);
    // An error after the answer changes nothing, but without a listener it would end the process.
    outgoing.on('error', () => {});
    outgoing.destroy();
  });
}

/** Timers of the machine, not of the injected clock: a socket lives in real time. */
async function withDeadline<T>(
  ms: number,
  message: string,
  outer: AbortSignal,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(outer.reason);
  const timer = setTimeout(() => controller.abort(new Error(message)), ms);
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort, { once: true });
  try {
    return await act(controller.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', abort);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

function failed(error: string): WebhookAnswer {
  return { kind: 'failed', error };
}

/** Codes, not messages: a message of the system may carry addresses. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const first = error instanceof AggregateError ? error.errors[0] : undefined;
  const code = 'code' in error ? error.code : undefined;
  const known = code ?? (first instanceof Error && 'code' in first ? first.code : undefined);
  return printable(Buffer.from(typeof known === 'string' ? known : error.message));
}

function printable(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, EXCERPT_MOST * 4));
  return Array.from(text.replace(/[^\P{C}\n\t]|[\n\t\p{Zl}\p{Zp}]/gu, ' '))
    .slice(0, EXCERPT_MOST)
    .join('')
    .trim();
}
