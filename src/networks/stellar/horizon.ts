// One Horizon over HTTP. Guarantees: an answer is whole JSON of bounded size or the question fails
// as an Outage; redirects are never followed; addresses, which may hold keys, are in no message.
// Not guaranteed: that the answer is true.
import { Outage } from '#base/refusal.ts';
import { integerFrom } from './horizon-fields.ts';

/** Asked for less, Horizon may answer. */
export class TooLarge extends Outage {}

type HorizonOptions = {
  /** Names the network in errors. */
  readonly what: string;
  readonly url: string;
  readonly timeoutMs?: number;
  readonly mostAnswerBytes?: number;
};

type HorizonAnswer = {
  /** Undefined: there is no such thing (404). */
  readonly json: unknown;
  /** Header Latest-Ledger: the ledger that the state in the answer belongs to. */
  readonly latestLedger: bigint | undefined;
};

export type Query = Readonly<Record<string, string | number | boolean>>;

export interface Horizon {
  /** For people: the host, without what could be secret. */
  readonly host: string;
  get(path: string, query?: Query): Promise<HorizonAnswer>;
  /** Resolves when Horizon ends the stream; rejects when it breaks or is aborted. */
  listen(path: string, query: Query, onEvent: () => void, signal: AbortSignal): Promise<void>;
}

const defaultTimeoutMs = 20_000;
const defaultMostAnswerBytes = 16 * 1024 * 1024;

export function openHorizon(options: HorizonOptions): Horizon {
  const { what, timeoutMs = defaultTimeoutMs } = options;
  const base = new URL(options.url);
  const headers: Record<string, string> = {};
  if (base.username !== '') {
    const pair = `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    base.username = '';
    base.password = '';
  }

  function address(path: string, query: Query): URL {
    const url = new URL(base);
    url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return url;
  }

  async function request(url: URL, accept: string, signal: AbortSignal): Promise<Response> {
    try {
      return await fetch(url, { headers: { ...headers, accept }, redirect: 'error', signal });
    } catch (error) {
      throw outage(what, 'Horizon does not answer', reasonOf(error, timeoutMs));
    }
  }

  return {
    host: base.host,
    async get(path, query = {}) {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await request(address(path, query), 'application/json', signal);
      const text = await readText(what, response, options.mostAnswerBytes, timeoutMs);
      const header = response.headers.get('latest-ledger');
      const latestLedger = header === null ? undefined : integerFrom(header, 'Latest-Ledger');
      if (response.status === 404) return { json: undefined, latestLedger };
      if (response.status !== 200) throw refusedBy(what, response);
      return { json: parseJson(what, text), latestLedger };
    },
    async listen(path, query, onEvent, signal) {
      const response = await request(address(path, query), 'text/event-stream', signal);
      if (response.status !== 200) throw refusedBy(what, response);
      let tail = '';
      for await (const part of response.body ?? []) {
        // Events of data are objects; "hello" and "byebye" open and end a stream.
        const text = tail + Buffer.from(part).toString('latin1');
        const isEvent = /^data: ?\{/m.test(text);
        tail = isEvent ? '' : text.slice(-STREAM_TAIL);
        if (isEvent) onEvent();
      }
    },
  };
}

/** As much as may be the beginning of an event. */
const STREAM_TAIL = 16;

async function readText(
  what: string,
  response: Response,
  mostBytes = defaultMostAnswerBytes,
  timeoutMs: number,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > mostBytes) break;
      parts.push(part);
    }
  } catch (error) {
    throw outage(what, 'an answer of Horizon was cut off', reasonOf(error, timeoutMs));
  }
  if (size > mostBytes) {
    throw new TooLarge(what, {
      cause: new Error(`an answer of Horizon exceeds ${mostBytes} bytes`),
    });
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw outage(what, "Horizon's answer is no JSON");
  }
}

function refusedBy(what: string, response: Response): Outage {
  const { status } = response;
  if (status === 410) return outage(what, 'Horizon no longer keeps the ledgers that are needed');
  if (status !== 429) return outage(what, `Horizon answers with HTTP status ${status}`);
  const seconds = Number(response.headers.get('retry-after') ?? '');
  const retryAfterSeconds = seconds > 0 && seconds <= 3600 ? Math.ceil(seconds) : undefined;
  const cause = new Error('Horizon has too many questions from us (rate limit)');
  return new Outage(what, { cause, retryAfterSeconds });
}

/** Never the message of fetch as it is: it may hold the address. */
function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, cause } = error instanceof Error ? error : { name: '', cause: undefined };
  if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  if (name === 'AbortError') return 'no longer waited for';
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'the connection failed';
}

export function outage(what: string, sentence: string, reason?: string): Outage {
  const message = reason === undefined ? sentence : `${sentence}: ${reason}`;
  return new Outage(what, { cause: new Error(message) });
}
