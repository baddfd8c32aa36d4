// HTTP itself: the Node server that everything is served by.
// Guarantees: what is not plain origin-form HTTP/1.1 with one length is refused before any handler;
// sizes and times are bounded; a connection whose request was refused below is closed, never
// reused, and let go whether or not its client closes as well. Not here: TLS, which belongs to a
// proxy in front.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { newId } from '#base/id.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { WithBody } from './answer-request.ts';
import { receiveBody } from './read-input.ts';
import { errorAnswer, refusalAnswer } from './send-refusal.ts';

type ServerTimeouts = {
  readonly headersMs: number;
  readonly bodyMs: number;
  /** Between two requests of a connection. */
  readonly idleMs: number;
  /**
   * How long a connection may be silent in both directions: longer than a long poll or a page waits
   * for news.
   */
  readonly stalledMs: number;
};

const USUAL_TIMEOUTS: ServerTimeouts = {
  headersMs: 10_000,
  bodyMs: 20_000,
  idleMs: 5_000,
  stalledMs: 50_000,
};
/** After a refusal, for the client to read it and close. */
const LINGER_MS = 1_000;
const HEADER_BYTES_MAX = 16 * 1024;
/** At the end, for whoever has not sent the whole of a request; and for what is being answered. */
const SENDING_GRACE_MS = 5_000;
const ANSWER_GRACE_MS = 25_000;
const CLOSE_IDLE_MS = 50;

/**
 * A proxy sends the next request over a silent connection that it believes to be open: where we
 * close it just then the request is lost, and only GET is sent again. So we let go after it does.
 */
type KeptLonger = {
  readonly isFrom: (remoteAddress: string) => boolean;
  readonly idleMs: number;
};

export type ServerOptions = {
  readonly fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>;
  /** Answers on the socket what needs no Request to be made of it; undefined: `fetch` answers. */
  readonly answerDirectly?: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => Promise<void> | undefined;
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  readonly random: Random;
  readonly log: Log;
  readonly timeouts?: ServerTimeouts;
  readonly keptLonger?: KeptLonger | undefined;
  /** Told of each request when its answer is over. */
  readonly onAnswered?: (answered: Answered) => void;
};

/** Nothing that a caller wrote: texts of requests may be secrets, and there is no end to them. */
export type Answered = {
  readonly method: string;
  /** As the program names it, with its parameters open; undefined where none was found. */
  readonly route: string | undefined;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly milliseconds: number;
  /** News for as long as somebody listens: how long that was says nothing. */
  readonly isStream: boolean;
};

export type RunningServer = {
  readonly port: number;
  /** From now on each answer is the last of its connection, and everything is served still. */
  drain(): void;
  /** Stops accepting, lets running requests finish for 25 s, then closes. */
  close(): Promise<void>;
};

/** Rejects with the error of listen (EADDRINUSE, EACCES) when the port cannot be had. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { random, log, timeouts = USUAL_TIMEOUTS } = options;
  const handle = getRequestListener((request, env) => options.fetch(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler: () => refusedResponse(random, log),
  });
  const connections = createConnections();
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connections.noteAnswering(incoming.socket, outgoing);
    return options.answerDirectly?.(incoming, outgoing) ?? handle(incoming, outgoing);
  };
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (connections.isDraining()) outgoing.setHeader('connection', 'close');
    if (options.keptLonger !== undefined) keepLonger(incoming, outgoing, options.keptLonger);
    watchAnswer(incoming, outgoing, connections, options.onAnswered);
    const fail = (error: unknown) => {
      log.error('a response could not be sent', { error });
      outgoing.destroy();
    };
    try {
      serve(incoming, outgoing, answer, { random, log, timeouts })?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.headersMs + timeouts.bodyMs,
      keepAliveTimeout: timeouts.idleMs,
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
      maxHeaderSize: HEADER_BYTES_MAX,
      // Refused further below in the shape of our errors.
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    listener,
  );
  server.setTimeout(timeouts.stalledMs);
  server.on('connection', connections.add);
  // Node would answer 417 without a body: no shape that a client of ours can read.
  server.on('checkExpectation', listener);
  server.on('clientError', (error, socket) => refuseOnSocket(error, socket as Socket, random));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  server.on('error', (error) => log.error('server', { error }));
  return {
    port: (server.address() as AddressInfo).port,
    drain: connections.drain,
    close: () =>
      new Promise((resolve) => {
        connections.drain();
        const cut = setTimeout(connections.cutUnanswered, SENDING_GRACE_MS);
        const force = setTimeout(() => server.closeAllConnections(), ANSWER_GRACE_MS);
        // A connection whose last answer ends now would be kept for the next request.
        const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
        server.close(() => {
          clearTimeout(cut);
          clearTimeout(force);
          clearInterval(idle);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

type Connections = {
  add(socket: Socket): void;
  noteAnswering(socket: Socket, outgoing: ServerResponse): void;
  /** It is over, however it ended, or was refused before anybody answered it. */
  noteAnswered(socket: Socket, outgoing: ServerResponse): void;
  /** Each answer is the last of its connection from now on. */
  drain(): void;
  isDraining(): boolean;
  /** Those from which a whole request is not there. */
  cutUnanswered(): void;
};

function createConnections(): Connections {
  const open = new Set<Socket>();
  const answering = new Map<Socket, ServerResponse>();
  let isDraining = false;
  return {
    add(socket) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    noteAnswering(socket, outgoing) {
      answering.set(socket, outgoing);
    },
    noteAnswered(socket, outgoing) {
      if (answering.get(socket) === outgoing) answering.delete(socket);
    },
    drain() {
      isDraining = true;
      for (const outgoing of answering.values()) {
        if (!outgoing.headersSent) outgoing.setHeader('connection', 'close');
      }
    },
    isDraining: () => isDraining,
    cutUnanswered() {
      for (const socket of open) if (!answering.has(socket)) socket.destroy();
    },
  };
}

/** Node has set its own time at the end of the answer, and sets another when a request comes. */
function keepLonger(
  { socket }: IncomingMessage,
  outgoing: ServerResponse,
  { isFrom, idleMs }: KeptLonger,
): void {
  if (!isFrom(socket.remoteAddress ?? '')) return;
  outgoing.once('finish', () => {
    const { _httpMessage: next } = socket as Socket & { _httpMessage?: ServerResponse | null };
    if (!socket.destroyed && next === null) socket.setTimeout(idleMs);
  });
}

/** Who asks so wants to wait. */
const LONG_POLL = /[?&]wait=/;

/** One listener for all who want to know: a listener costs as much as what they do. */
function watchAnswer(
  incoming: WithBody,
  outgoing: ServerResponse,
  connections: Pick<Connections, 'noteAnswered'>,
  onAnswered: ((answered: Answered) => void) | undefined,
): void {
  const startedMs = performance.now();
  outgoing.on('close', () => {
    connections.noteAnswered(incoming.socket, outgoing);
    if (onAnswered === undefined) return;
    const { method = '', route } = incoming;
    const requestId = outgoing.getHeader('x-request-id');
    const type = String(outgoing.getHeader('content-type') ?? '');
    onAnswered({
      method,
      route,
      status: outgoing.statusCode,
      requestId: typeof requestId === 'string' ? requestId : undefined,
      milliseconds: performance.now() - startedMs,
      isStream: type.startsWith('text/event-stream') || LONG_POLL.test(incoming.url ?? ''),
    });
  });
}

/** Undefined: it was refused. What has no body is answered without waiting for one. */
function serve(
  incoming: WithBody,
  outgoing: ServerResponse,
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
  { random, log, timeouts }: Required<Pick<ServerOptions, 'random' | 'log' | 'timeouts'>>,
): Promise<void> | undefined {
  const refuse = (error: unknown): undefined => {
    const answer = refusalAnswer(error, newId(random), log, { connection: 'close' });
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  };
  try {
    refuseTarget(incoming);
    if (!hasNoBody(incoming)) {
      return receiveBody(incoming, timeouts.bodyMs).then((body) => {
        incoming.rawBody = body;
        return handle(incoming, outgoing);
      }, refuse);
    }
    incoming.rawBody = NO_BODY;
  } catch (error) {
    return refuse(error);
  }
  return handle(incoming, outgoing);
}

/** A proxy's form of the target would let two readers see two paths in one request (E2). */
function refuseTarget({ url = '', headers, rawHeaders }: IncomingMessage): void {
  if (headers.host === undefined) {
    throw new Refusal('invalid', 'host_missing', 'the header Host is required');
  }
  // RFC 9112 section 3.2: a proxy in front may have looked at the other one.
  if (countHosts(rawHeaders) > 1) {
    throw new Refusal('invalid', 'target_malformed', 'the header Host may be there only once');
  }
  if (url.startsWith('/')) return;
  throw new Refusal('invalid', 'target_malformed', 'the request target must be a path');
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

const NO_BODY = Buffer.alloc(0);

/** RFC 9112, section 6.3: a request with neither header has no body, and is read to its end. */
function hasNoBody(incoming: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  if (length !== undefined || encoding !== undefined) return false;
  incoming.resume();
  return true;
}

/** The adapter refused to make a Request of it: host or target are malformed. */
function refusedResponse(random: Random, log: Log): Response {
  const refusal = new Refusal('invalid', 'target_malformed', 'host or target are malformed');
  const { status, headers, body } = refusalAnswer(refusal, newId(random), log, {
    connection: 'close',
  });
  return new Response(body, { status, headers });
}

/** What the HTTP parser refuses never becomes a request; it still gets an answer in our shape. */
function refuseOnSocket(error: NodeJS.ErrnoException, socket: Socket, random: Random): void {
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse };
  if (!socket.writable || error.code === 'ECONNRESET' || current?.headersSent === true) {
    socket.destroy();
    return;
  }
  const { status, reason, code, text } = parserFailure(error.code);
  const answer = errorAnswer(status, code, [`Invalid request. ${text}`], {
    'x-request-id': newId(random),
    connection: 'close',
  });
  const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  lines.push(`content-length: ${Buffer.byteLength(answer.body)}`);
  letGo(socket, `HTTP/1.1 ${status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${answer.body}`);
}

/**
 * Closes a connection after its last answer. It cannot be closed at once, because a reset would
 * overtake the answer; and a client that never closes its side would keep the descriptor for ever,
 * so it is closed after a while.
 */
function letGo(socket: Socket, text: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(text);
}

function parserFailure(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const text = 'the headers are too large';
    return {
      status: 431,
      reason: 'Request Header Fields Too Large',
      code: 'headers_too_large',
      text,
    };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const text = 'the request took too long';
    return { status: 408, reason: 'Request Timeout', code: 'request_timeout', text };
  }
  const text = 'this is not well-formed HTTP';
  return { status: 400, reason: 'Bad Request', code: 'http_malformed', text };
}
