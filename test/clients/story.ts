// A story is one call of a client library: what it sends, what it is answered, how long it waits
// between, and what it hands back in the end. Answers are those of the service itself.
import { listErrorCodes } from '#api/error-codes.ts';
import { errorAnswer, refusalAnswer } from '#api/http/send-refusal.ts';
import { silentLog } from '#base/log.ts';
import type { Outage, Refusal } from '#base/refusal.ts';
import type { CallOptions, TestApi } from '#test/support/test-api.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';

export type StoryRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Where the time that it is signed with matters. */
  readonly timestamp?: number;
};

export type StoryAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Exchange = {
  readonly request: StoryRequest;
  /** A failure instead: the connection breaks, or no answer comes within the time-out. */
  readonly answer: StoryAnswer | { readonly failure: 'connection' | 'timeout' };
  /** Until the answer comes. */
  readonly takesSeconds?: number;
  /** The clock of this machine is set forward so far after it. */
  readonly clockJumpsSeconds?: number;
};

export type StoryError = {
  readonly class: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly errors: readonly string[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly retryable: boolean;
};

export type Story = {
  readonly name: string;
  readonly call: {
    readonly method: string;
    readonly arguments: object;
    readonly idempotencyKey?: string;
  };
  readonly maxRetries: number;
  /** Option of the client; null: it is not given. */
  readonly apiVersion: string | null;
  /** That each request names. */
  readonly version: string;
  readonly clock: { readonly local: number; readonly service: number };
  /** How often GET /time is asked; it fails where it is away. */
  readonly timeRequests: number;
  readonly isTimeAway: boolean;
  readonly exchanges: readonly Exchange[];
  readonly sleeps: readonly number[];
  readonly idempotencyKey: 'none' | 'one' | 'given';
  readonly outcome:
    | { readonly value: unknown }
    | { readonly items: readonly unknown[] }
    | { readonly error: StoryError };
};

/** What stories have in common: a right clock, and the two retries that a client has by itself. */
export const USUAL = {
  maxRetries: 2,
  apiVersion: null,
  version: LATEST_VERSION,
  clock: { local: 1_700_000_000, service: 1_700_000_000 },
  timeRequests: 1,
  isTimeAway: false,
  sleeps: [],
} as const;

export const WITHOUT_KEY = { idempotencyKey: 'none' } as const;
export const ONE_KEY = { idempotencyKey: 'one' } as const;

export type StoryFile = { readonly stories: readonly Story[] };

const KEPT_HEADERS = ['content-type', 'x-request-id', 'x-error-code', 'retry-after'];
const KEPT = [...KEPT_HEADERS, 'idempotent-replayed', 'x-next-cursor'];

export const GET = (path: string, query: Record<string, string> = {}): StoryRequest => ({
  method: 'GET',
  path,
  query,
  body: null,
});
export const POST = (path: string, body: object): StoryRequest => ({
  method: 'POST',
  path,
  query: {},
  body,
});

/** What the service answers. */
export async function exchange(
  api: Pick<TestApi, 'call'>,
  request: StoryRequest,
  headers: Record<string, string> = {},
): Promise<Exchange & { readonly answer: StoryAnswer }> {
  const { method, path, query, body } = request;
  const parameters = new URLSearchParams(query).toString();
  const options: CallOptions = {
    headers,
    ...(parameters === '' ? {} : { query: `?${parameters}` }),
    ...(body === null ? {} : { body: body as object }),
  };
  const called = await api.call(method, path, options);
  return { request, answer: answerOf(called.status, called.headers, called.text) };
}

function answerOf(status: number, headers: Headers, body: string): StoryAnswer {
  const kept = KEPT.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status, headers: Object.fromEntries(kept), body };
}

const REQUEST_ID = 'r3qu3st1d0fa';

export function refused(refusal: Refusal | Outage | Error): StoryAnswer {
  const { status, headers, body } = refusalAnswer(refusal, REQUEST_ID, silentLog);
  return answerOf(status, new Headers(headers), body);
}

/** Below the level of requests, as the server itself writes it. */
export function brokenOff(status: number, code: string, text: string): StoryAnswer {
  const { headers, body } = errorAnswer(status, code, [text], { 'x-request-id': REQUEST_ID });
  return answerOf(status, new Headers(headers), body);
}

/** What a client makes of an answer that is no success. */
export function errorOf({ status, headers, body }: StoryAnswer): StoryError {
  const code = headers['x-error-code'] ?? null;
  const retryAfter = headers['retry-after'];
  return {
    ...classified(status, code),
    ...{ status, code },
    errors: (JSON.parse(body) as { errors: string[] }).errors,
    requestId: headers['x-request-id'] ?? null,
    retryAfterSeconds: retryAfter === undefined ? null : Number(retryAfter),
  };
}

const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504];
const RETRIED_CODES = ['idempotency_key_running', 'signature_used'];

export function classified(status: number, code: string | null) {
  const names: Readonly<Record<number, string>> = {
    401: 'AuthenticationError',
    403: 'ForbiddenError',
    404: 'NotFoundError',
    409: 'ConflictError',
    429: 'RateLimitError',
  };
  const byRange = status >= 500 ? 'ServerError' : 'InvalidRequestError';
  const retryable = RETRIED_STATUSES.includes(status) || RETRIED_CODES.includes(code ?? '');
  return { class: names[status] ?? byRange, retryable };
}

export function errorCodes(): object[] {
  return listErrorCodes().map(({ status, code }) => ({
    status,
    code,
    ...classified(status, code),
  }));
}

/** One that the client makes by itself. */
export function failure(name: string, code: string, more: Partial<StoryError> = {}): StoryError {
  const nothing = { status: null, errors: [], requestId: null, retryAfterSeconds: null };
  return { class: name, code, ...nothing, retryable: false, ...more };
}

/** Every page of a list. */
export async function walk(api: TestApi, path: string, query: Record<string, string>) {
  const pages: (Exchange & { readonly answer: StoryAnswer })[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await exchange(
      api,
      GET(path, { ...query, ...(cursor === undefined ? {} : { cursor }) }),
    );
    pages.push(page);
    const { nextCursor } = json(page.answer);
    if (typeof nextCursor !== 'string') return pages;
    cursor = nextCursor;
  }
}

export function signedAt(request: StoryRequest, timestamp: number): StoryRequest {
  return { ...request, timestamp };
}

export function json(answer: StoryAnswer): { readonly [name: string]: unknown } {
  return JSON.parse(answer.body);
}
