// HTTP to a node or to somebody's server, for every family. Guarantees: an answer is whole, in time
// and within a size, or the question fails as an Outage: what was cut off, came late or has no end
// is never taken for an answer; nobody is followed to another address; with a pinned certificate no
// other server is spoken to, whoever signed its certificate; neither the address beyond its host
// nor a header is in any error, because both may hold secrets.
// Not guaranteed: that the answer is true. A question may be sent twice when a kept connection
// turns out to be closed: everything asked here may be asked twice.

import { X509Certificate } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { checkServerIdentity } from 'node:tls';
import { createGunzip } from 'node:zlib';
import { Outage } from '#base/refusal.ts';
import { nodeOutage } from './node-outage.ts';

type Headers = Readonly<Record<string, string>>;
export type Query = Readonly<Record<string, string | number | bigint | boolean>>;

export type HttpLimits = { readonly timeoutMs?: number; readonly mostAnswerBytes?: number };

export type HttpClientOptions = HttpLimits & {
  /** Names the chain in errors. */
  readonly what: string;
  /** Which of its nodes, in errors; 'the node' unless given. */
  readonly whom?: string;
  /** http or https; its user and password are sent as Basic authentication. */
  readonly url: string | URL;
  /** Sent with every question. */
  readonly headers?: Headers;
  /** PEM of the node's certificate, or of the authority that signed it: no other is trusted. */
  readonly certificate?: string | undefined;
  /** Open at once; streams have their own. */
  readonly connections: number;
  /** Whether answers may be compressed: worth it where the way is long. */
  readonly takesGzip?: boolean;
  readonly timeoutMs: number;
  readonly mostAnswerBytes: number;
};

/** Posted where it has a body. */
export type HttpQuestion = HttpLimits & {
  /** Behind the path of the address, beginning with a slash; nothing when absent. */
  readonly path?: string;
  readonly query?: Query;
  /** JSON. */
  readonly body?: string;
  readonly headers?: Headers;
  readonly signal?: AbortSignal | undefined;
  /** The answer is a stream of lines, and the first is all that is wanted of it. */
  readonly isFirstLine?: boolean;
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
};

export interface HttpClient {
  readonly what: string;
  readonly whom: string;
  /** For people: the host, without what could be secret. */
  readonly host: string;
  /** @throws Outage, AnswerTooLong, or the reason of the signal. */
  ask(question: HttpQuestion): Promise<HttpAnswer>;
  /**
   * Keeps the answer open and hands over its parts; ends when it ends, breaks or is aborted.
   * @throws Outage when there is no stream to be had.
   */
  listen(
    question: HttpQuestion & { readonly signal: AbortSignal },
    onPart: (text: string) => void,
  ): Promise<void>;
  close(): void;
}

/** Worth asking for less. */
export class AnswerTooLong extends Outage {
  /** As many as were read. */
  readonly bytes: number;

  constructor(what: string, sentence: string, bytes: number) {
    super(what, { cause: new Error(sentence) });
    this.bytes = bytes;
  }
}

/** A kept connection was closed by the node in the moment it was used again: ask once more. */
class ClosedConnection extends Error {}

const ATTEMPTS_MOST = 5;
/** Longest part of a stream that is looked at. */
const PART_BYTES_MOST = 1024 * 1024;

type Server = Omit<HttpClientOptions, 'url' | 'headers'> & {
  readonly whom: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly protocol: typeof http | typeof https;
  readonly tls: https.RequestOptions;
  readonly agent: http.Agent;
  /** A stream never gives its connection back. */
  readonly streamAgent: http.Agent;
};

/** @throws when the certificate is none. */
export function openHttpClient(options: HttpClientOptions): HttpClient {
  const { what, whom = 'the node', connections, certificate, takesGzip = false } = options;
  const { url, headers: login } = splitAddress(options.url);
  const protocol = url.protocol === 'https:' ? https : http;
  const server: Server = {
    ...options,
    whom,
    url,
    headers: { ...login, ...options.headers, ...(takesGzip && { 'accept-encoding': 'gzip' }) },
    protocol,
    tls: certificate === undefined ? {} : pinnedTls(certificate),
    agent: new protocol.Agent({ keepAlive: true, maxSockets: connections }),
    streamAgent: new protocol.Agent({ keepAlive: false }),
  };
  return {
    what,
    whom,
    host: url.host,
    ask: (question) => ask(server, question),
    listen: (question, onPart) => listen(server, question, onPart),
    close() {
      server.agent.destroy();
      server.streamAgent.destroy();
    },
  };
}

async function ask(server: Server, question: HttpQuestion): Promise<HttpAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await send(server, question);
      const isElsewhere = answer.status >= 300 && answer.status < 400;
      if (!isElsewhere) return answer;
      const sentence = `${server.whom} does not answer, it names another address`;
      throw nodeOutage(server.what, `${sentence} (HTTP status ${answer.status})`);
    } catch (error) {
      if (!(error instanceof ClosedConnection) || attempt >= ATTEMPTS_MOST) throw error;
    }
  }
}

function open(server: Server, question: HttpQuestion, agent: http.Agent): http.ClientRequest {
  const { path, query = {}, body, signal } = question;
  const url = new URL(server.url);
  if (path !== undefined) url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const json = { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { ...json, 'content-length': Buffer.byteLength(body) };
  return server.protocol.request(url, {
    agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...server.headers, ...sent, ...question.headers },
    ...(signal && { signal }),
    ...server.tls,
  });
}

function send(server: Server, question: HttpQuestion): Promise<HttpAnswer> {
  const { what, whom } = server;
  const { signal, timeoutMs = server.timeoutMs } = question;
  const { mostAnswerBytes = server.mostAnswerBytes } = question;
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const request = open(server, question, server.agent);
  let late: Error | undefined;
  const timer = setTimeout(() => {
    late = new Error(`no answer within ${timeoutMs} ms`);
    request.destroy(late);
  }, timeoutMs);
  const fail = (error: Error) => {
    if (signal?.aborted) return reject(signal.reason);
    const code = 'code' in error ? error.code : undefined;
    const isStale = request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
    const cause = late ?? error;
    reject(isStale ? new ClosedConnection() : nodeOutage(what, `${whom} does not answer`, cause));
  };
  request.on('error', fail);
  request.on('close', () => clearTimeout(timer));
  request.on('response', (response) => {
    // 'aborted' and a short body arrive here as an error, never as an 'end'.
    const cutOff = (error: Error) => fail(new Error('its answer was cut off', { cause: error }));
    const parts: Buffer[] = [];
    let size = 0;
    const read = plain(response, cutOff);
    read.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= mostAnswerBytes) {
        parts.push(part);
        if (question.isFirstLine === true && part.includes('\n')) finish();
        return;
      }
      // Done first, so that the part that has arrived can never be taken for a whole answer.
      const sentence = `an answer of ${whom} exceeds ${mostAnswerBytes} bytes`;
      reject(new AnswerTooLong(what, sentence, size));
      read.destroy();
      request.destroy();
    });
    const finish = () => {
      const { statusCode: status = 0, headers } = response;
      const body = Buffer.concat(parts, size);
      const end = question.isFirstLine === true ? body.indexOf('\n') : -1;
      resolve({ status, headers, body: end === -1 ? body : body.subarray(0, end) });
      if (end !== -1) request.destroy();
    };
    read.on('end', finish);
  });
  request.end(question.body);
  return promise;
}

/** The bytes of the answer, unpacked where the server compressed them. */
function plain(response: http.IncomingMessage, onError: (error: Error) => void): Readable {
  response.on('error', onError);
  if (response.headers['content-encoding'] !== 'gzip') return response;
  return response.pipe(createGunzip()).on('error', onError);
}

function listen(
  server: Server,
  question: HttpQuestion & { readonly signal: AbortSignal },
  onPart: (text: string) => void,
): Promise<void> {
  const { what, whom } = server;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = open(server, question, server.streamAgent);
  request.on('error', (error) => {
    if (question.signal.aborted) resolve();
    else reject(nodeOutage(what, `the stream of ${whom} broke`, error));
  });
  request.on('response', (response) => {
    if (response.statusCode !== 200) {
      request.destroy();
      return reject(nodeOutage(what, `${whom} refuses a stream (${response.statusCode})`));
    }
    response.on('data', (part: Buffer) => onPart(part.toString('utf8', 0, PART_BYTES_MOST)));
    response.on('error', () => resolve());
    response.on('close', () => resolve());
  });
  request.end();
  return promise;
}

/** `before` is done to the text. @throws Outage when the body is no JSON. */
export function parseAnswer(
  { what, whom }: Pick<HttpClient, 'what' | 'whom'>,
  { status, body }: Pick<HttpAnswer, 'status' | 'body'>,
  before: (text: string) => string = (text) => text,
): unknown {
  try {
    return JSON.parse(before(body.toString('utf8')));
  } catch {
    throw nodeOutage(what, `the answer of ${whom} is no JSON (HTTP status ${status})`);
  }
}

/**
 * Only what is in the file is trusted. The certificate itself may carry any name (nodes write their
 * own); one that an authority in the file signed must be of the host that is called.
 */
function pinnedTls(pem: string): https.RequestOptions & { allowPartialTrustChain: true } {
  const pinned = new X509Certificate(pem);
  return {
    ca: [pem],
    allowPartialTrustChain: true,
    checkServerIdentity: (host, certificate) =>
      pinned.raw.equals(certificate.raw) ? undefined : checkServerIdentity(host, certificate),
  };
}

/**
 * The address of a node as it is configured, without its user and password, which go into the
 * header of Basic authentication (RFC 7617): they are in no address that is called or shown.
 */
export function splitAddress(address: string | URL): {
  readonly url: URL;
  readonly headers: { readonly authorization?: string };
} {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url, headers: {} };
  url.username = '';
  url.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, headers: { authorization: basicAuthorization(pair) } };
}

/** `pair`: user and password with a colon in between. */
export function basicAuthorization(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

// What the header Retry-After says (RFC 9110): seconds, or the date until when to wait.

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers may still write. */
const DATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** Undefined when it says nothing that can be read; never below zero. */
export function retryAfterMs(text: string | null | undefined, now: Temporal.Instant) {
  const said = text?.trim() ?? '';
  if (/^\d{1,9}$/.test(said)) return Number(said) * 1000;
  const until = readDate(said);
  if (until === undefined) return undefined;
  return Math.max(0, until.epochMilliseconds - now.epochMilliseconds);
}

function readDate(text: string): Temporal.Instant | undefined {
  const [, day, name = '', year, hour, minute, second] = DATE.exec(text) ?? [];
  const month = `${MONTHS.indexOf(name) + 1}`.padStart(2, '0');
  try {
    return Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  } catch {
    return undefined;
  }
}
