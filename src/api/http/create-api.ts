// The API as an application, and as what answers a request straight from its socket. Both are one:
// the same limits, the same answers. The second makes no Request and no Response, which cost as
// much as a short answer does.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import {
  type AnswerRequestApp,
  answerRequest,
  type ReceivedRequest,
  type WithBody,
} from './answer-request.ts';
import { createRateLimits, createReplayWindow, type RateLimits } from './limits.ts';
import { type RequestHeaders, readRequestHeaders } from './request-headers.ts';
import type { Answer } from './send-refusal.ts';

export type Api = Hono<{ Bindings: Partial<HttpBindings> }> & {
  /** Whoever else takes its keys counts here too: a key and an address have one share of both. */
  readonly limits: RateLimits;
  /** Of a request under /api whose target is spelled in one way alone. */
  answerDirectly(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
};

/** Answers everything under /api; the rest of the paths belong to the pages. */
export function createApi(app: AnswerRequestApp): Api {
  const api = new Hono<{ Bindings: Partial<HttpBindings> }>();
  const memory = {
    replays: createReplayWindow(app.clock),
    limits: createRateLimits(app.clock, app.config.rateLimits),
  };
  const answer = async (request: Request, bindings: Partial<HttpBindings> | undefined) => {
    const received = await receivedRequest(request, bindings?.incoming);
    const answered = await answerRequest(app, memory, received);
    return bindings?.outgoing ? send(bindings.outgoing, answered) : toResponse(answered);
  };
  api.all('/api', (context) => answer(context.req.raw, context.env));
  api.all('/api/*', (context) => answer(context.req.raw, context.env));
  return Object.assign(api, {
    limits: memory.limits,
    async answerDirectly(incoming: IncomingMessage, outgoing: ServerResponse) {
      send(outgoing, await answerRequest(app, memory, new DirectRequest(incoming, outgoing)));
    },
  });
}

/** From the socket where there is one: a Request has a normalised path and no body for GET. */
export async function receivedRequest(
  request: Request,
  incoming: WithBody | undefined,
): Promise<ReceivedRequest> {
  return {
    method: request.method,
    target: incoming?.url ?? targetOf(request),
    headers: incoming === undefined ? request.headers : readRequestHeaders(incoming),
    body: incoming?.rawBody ?? new Uint8Array(await request.arrayBuffer()),
    remoteAddress: incoming?.socket.remoteAddress ?? '127.0.0.1',
    // Made when somebody asks for it, who waits for news.
    get signal() {
      return request.signal;
    },
    onRoute(template) {
      if (incoming !== undefined) incoming.route = template;
    },
  };
}

const NO_BODY = new Uint8Array(0);

/** A class, since an object with a getter that is written out is made anew each time, slowly. */
class DirectRequest implements ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
  readonly remoteAddress: string;
  readonly #incoming: WithBody;
  readonly #outgoing: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(incoming: WithBody, outgoing: ServerResponse) {
    this.method = incoming.method ?? '';
    this.target = incoming.url ?? '';
    this.headers = readRequestHeaders(incoming);
    this.body = incoming.rawBody ?? NO_BODY;
    this.remoteAddress = incoming.socket.remoteAddress ?? '127.0.0.1';
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get signal(): AbortSignal {
    this.#signal ??= abortedWhenGone(this.#outgoing);
    return this.#signal;
  }

  onRoute(template: string): void {
    this.#incoming.route = template;
  }
}

function abortedWhenGone(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (outgoing.destroyed) gone.abort();
  else outgoing.once('close', () => gone.abort());
  return gone.signal;
}

function targetOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** Straight to the socket: making a Response of it and reading that again costs a third. */
function send(outgoing: ServerResponse, { status, headers, body }: Answer): Response {
  if (!outgoing.destroyed) {
    const length = Buffer.byteLength(body);
    // A length would be that of what is not sent.
    if (status === 304) outgoing.writeHead(status, headers);
    else outgoing.writeHead(status, { ...headers, 'content-length': length });
    // The same bytes where all of it is ASCII, which is written without a look at each character.
    outgoing.end(body, length === body.length ? 'latin1' : 'utf8');
  }
  return RESPONSE_ALREADY_SENT;
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(status === 304 ? null : body, { status, headers });
}
