// One call of the API: signed with the time of the service, timed out, tried again where that is
// safe. Guarantees: every attempt of a call sends the same bytes and the same Idempotency-Key; an
// attempt of the class money is never signed as the one before it; no redirect is followed.
import {
  errorOfAnswer,
  malformedAnswer,
  NetworkError,
  QuittanceError,
  RequestTimeoutError,
} from './errors.ts';
import { parseExact } from './exact-json.ts';
import type { CallOptions, ClientOptions, Clock, Transport } from './options.ts';
import { systemClock } from './options.ts';
import { retryDelay } from './retry.ts';
import { signRequest } from './sign.ts';
import { API_VERSION, VERSION } from './version.ts';
import { newUuid } from './web-crypto.ts';

/** What is sent, the same at each attempt. */
export type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Without `/api/v1` and query. */
  readonly path: string;
  /** With its question mark; empty without parameters. */
  readonly query: string;
  /** Text of JSON; empty with GET. */
  readonly body: string;
  readonly auth: 'public' | 'read' | 'create' | 'idempotent' | 'money';
  /** Seconds that an answer may be held for. */
  readonly heldSeconds?: number;
};

export type ApiAnswer = {
  readonly text: string;
  readonly headers: Headers;
  readonly requestId: string | null;
};

const BASE_PATH = '/api/v1';
const TIMEOUT_SECONDS = 30;
const MAX_RETRIES = 2;
/** Half of what the service lets a timestamp be ahead would do; seconds are rounded on both sides. */
const CLOCK_OFF_SECONDS = 2;

type Attempt = { readonly status: number; readonly headers: Headers; readonly text: string };

export class ApiTransport {
  readonly clock: Clock;
  readonly #options: ClientOptions;
  readonly #baseUrl: string;
  readonly #fetch: Transport;
  /** What is added to the machine’s clock; asked for once, by whoever is first. */
  #offset: Promise<number> | undefined;

  constructor(options: ClientOptions) {
    for (const name of ['key', 'secret', 'baseUrl'] as const) {
      if (typeof options[name] !== 'string' || options[name] === '') {
        throw new TypeError(`${name} is missing`);
      }
    }
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '') + BASE_PATH;
    this.#fetch = options.transport ?? ((url, init) => fetch(url, init));
  }

  /** The answer to a call that succeeded. @throws QuittanceError */
  async send(request: ApiRequest, options: CallOptions = {}): Promise<ApiAnswer> {
    const idempotencyKey =
      request.method === 'POST' ? (options.idempotencyKey ?? (await newUuid())) : undefined;
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES;
    const isMoney = request.auth === 'money';
    let isResigned = false;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(request, idempotencyKey, options);
      if (!(outcome instanceof QuittanceError)) return outcome;
      if (outcome.status === 401 && !isResigned && request.auth !== 'public') {
        isResigned = true;
        if (await this.#wasClockOff(options)) {
          attempt -= 1;
          continue;
        }
      }
      const random = (this.#options.random ?? Math.random)();
      const { retryAfterSeconds } = outcome;
      const delay = retryDelay({ attempt, retryAfterSeconds, random, isMoney });
      if (!outcome.retryable || attempt >= maxRetries || delay === null) throw outcome;
      await this.clock.sleep(delay, options.signal);
    }
  }

  async #attempt(
    request: ApiRequest,
    idempotencyKey: string | undefined,
    options: CallOptions,
  ): Promise<ApiAnswer | QuittanceError> {
    const headers = await this.#headers(request, idempotencyKey, options);
    const url = `${this.#baseUrl}${request.path}${request.query}`;
    const init = { method: request.method, headers, body: request.body || undefined };
    const seconds = options.timeoutSeconds ?? this.#options.timeoutSeconds ?? TIMEOUT_SECONDS;
    try {
      const timeoutSeconds = seconds + (request.heldSeconds ?? 0);
      return readAnswer(await this.#exchange(url, init, timeoutSeconds, options.signal));
    } catch (error) {
      if (error instanceof QuittanceError) return error;
      throw error;
    }
  }

  async #headers(
    { method, path, body, auth }: ApiRequest,
    idempotencyKey: string | undefined,
    options: CallOptions,
  ): Promise<Record<string, string>> {
    const { key, secret, apiVersion, originUrl } = this.#options;
    const common = {
      accept: 'application/json',
      'user-agent': `quittance-typescript/${VERSION}`,
      'quittance-version': apiVersion ?? API_VERSION,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(originUrl === undefined ? {} : { 'x-origin-url': originUrl }),
    };
    if (auth === 'public') return common;
    this.#offset ??= this.#askOffset(options);
    const timestamp = Math.floor(this.clock.now() + (await this.#offset));
    return {
      ...common,
      'x-digest-key': key,
      'x-digest-timestamp': String(timestamp),
      'x-digest-signature': await signRequest({ path, timestamp, method, body }, secret),
    };
  }

  /** One attempt on the wire. @throws QuittanceError without an answer; the reason of `signal`. */
  async #exchange(
    url: string,
    init: RequestInit,
    timeoutSeconds: number,
    signal: AbortSignal | undefined,
  ): Promise<Attempt> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort(new Error('timeout'));
    }, timeoutSeconds * 1000);
    try {
      const options: RequestInit = { ...init, redirect: 'manual', signal: controller.signal };
      const response = await this.#fetch(url, options);
      const text = await response.text();
      return { status: response.status, headers: response.headers, text };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (isLate) {
        const facts = { code: 'timeout', retryable: true, cause };
        throw new RequestTimeoutError(`no answer within ${timeoutSeconds} s`, facts);
      }
      const message = `no answer from ${this.#options.baseUrl}: ${messageOf(cause)}`;
      throw new NetworkError(message, { code: 'no_answer', retryable: true, cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Where the time cannot be had, the machine’s clock is taken. */
  async #askOffset({ timeoutSeconds, signal }: CallOptions): Promise<number> {
    const seconds = timeoutSeconds ?? this.#options.timeoutSeconds ?? TIMEOUT_SECONDS;
    const init = { method: 'GET', headers: { accept: 'application/json' } };
    try {
      const { status, text } = await this.#exchange(`${this.#baseUrl}/time`, init, seconds, signal);
      const { time } = JSON.parse(text) as { time?: unknown };
      return status === 200 && typeof time === 'number' ? time - this.clock.now() : 0;
    } catch {
      // A signal that ends the call ends its next step too.
      return 0;
    }
  }

  /** Asks for the time again, and says whether the time that was signed with was another one. */
  async #wasClockOff(options: CallOptions): Promise<boolean> {
    const before = (await this.#offset) ?? 0;
    this.#offset = this.#askOffset(options);
    return Math.abs((await this.#offset) - before) >= CLOCK_OFF_SECONDS;
  }
}

function readAnswer({ status, headers, text }: Attempt): ApiAnswer {
  const requestId = headers.get('x-request-id');
  if (status !== 200) throw errorOfAnswer(status, headers, text);
  return { text, headers, requestId };
}

/** @throws QuittanceError when the answer is no JSON. */
export function jsonOf({ text, requestId }: ApiAnswer): Record<string, unknown> {
  try {
    const value = parseExact(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Told below: what is no JSON is as wrong as what is no object.
  }
  throw malformedAnswer(200, requestId);
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
