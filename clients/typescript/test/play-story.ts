// A story of the vectors, played to a client: a service that answers what the story says, and a clock
// that stands still but for what is slept and waited.
import type * as Library from '../src/index.ts';
import type { Method } from './conformance.ts';

export type Story = {
  readonly name: string;
  readonly call: {
    readonly method: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly idempotencyKey?: string;
  };
  readonly maxRetries: number;
  readonly apiVersion: string | null;
  readonly version: string;
  readonly clock: { readonly local: number; readonly service: number };
  readonly timeRequests: number;
  readonly isTimeAway: boolean;
  readonly exchanges: readonly Exchange[];
  readonly sleeps: readonly number[];
  readonly idempotencyKey: 'none' | 'one' | 'given';
  readonly outcome: { readonly value?: unknown; readonly items?: unknown; readonly error?: object };
};

type Exchange = {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly timestamp?: number;
  };
  readonly answer: {
    readonly failure?: 'connection' | 'timeout';
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string;
  };
  readonly takesSeconds?: number;
  readonly clockJumpsSeconds?: number;
};

type Known = {
  readonly methods: readonly Method[];
  readonly key: string;
  readonly secret: string;
};

/** Fails with both values when they are not the same JSON. */
export function check(seen: unknown, wanted: unknown): void {
  const [one, other] = [canonical(seen), canonical(wanted)];
  if (one !== other) throw new Error(`seen:   ${one}\nwanted: ${other}`);
}

function canonical(value: unknown): string {
  const sorted = (_: string, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify(value, sorted) ?? 'undefined';
}

const BASE = 'https://pay.example/api/v1';

export async function playStory(
  library: typeof Library,
  story: Story,
  known: Known,
): Promise<void> {
  const played = new PlayedService(library, story, known);
  const client = new library.Quittance({
    key: known.key,
    secret: known.secret,
    baseUrl: 'https://pay.example',
    maxRetries: story.maxRetries,
    ...(story.apiVersion !== null && { apiVersion: story.apiVersion }),
    timeoutSeconds: 0.05,
    clock: {
      now: () => story.clock.local + played.elapsed + played.jumped,
      sleep: async (seconds) => {
        played.slept.push(seconds);
        played.elapsed += seconds;
      },
    },
    random: () => 0,
    transport: (url, init) => played.answer(url, init),
  });
  const outcome = await callOf(client, story, known.methods).then(
    (value) => (story.outcome.items === undefined ? { value } : { items: value }),
    (error: unknown) => ({ error: shown(library, error) }),
  );
  played.rethrow();
  check(outcome, story.outcome);
  check(played.slept, story.sleeps);
  check(played.count, story.exchanges.length);
  check(played.timeRequests, story.timeRequests);
  played.checkKeys();
}

async function callOf(
  client: Library.Quittance,
  { call, outcome }: Story,
  methods: readonly Method[],
): Promise<unknown> {
  const { method, arguments: given, idempotencyKey } = call;
  if (method === 'checkout.waitUntil') {
    const { id, states, ...options } = given as {
      id: string;
      states: Library.CheckoutState[];
      timeoutSeconds?: number;
    };
    return client.checkout.waitUntil(id, states, options);
  }
  const route = methods.find(({ name }) => name === method);
  const argument = route?.argument ?? '';
  const { [argument]: alone, ...rest } = given;
  const [resource = '', short = ''] = method.split('.');
  const target = client[resource as 'service'] as unknown as Record<string, unknown>;
  const called = (target[short] as (...parameters: unknown[]) => unknown).call(
    target,
    ...(alone === undefined ? [] : [alone]),
    ...(Object.keys(rest).length === 0 ? [] : [rest]),
    ...(idempotencyKey === undefined ? [] : [{ idempotencyKey }]),
  );
  if (outcome.items === undefined && !(called instanceof Promise)) {
    return (called as Library.Pages<unknown>).all();
  }
  return called instanceof Promise ? called : (called as Library.Pages<unknown>).all();
}

function shown(library: typeof Library, error: unknown): object {
  if (!(error instanceof library.QuittanceError)) throw error;
  const { name, status, code, errors, requestId, retryAfterSeconds, retryable } = error;
  return { class: name, status, code, errors, requestId, retryAfterSeconds, retryable };
}

class PlayedService {
  elapsed = 0;
  jumped = 0;
  count = 0;
  timeRequests = 0;
  readonly slept: number[] = [];
  readonly #library: typeof Library;
  readonly #story: Story;
  readonly #known: Known;
  readonly #keys: (string | null)[] = [];
  /** A check that failed while the client took it for a broken connection. */
  #failed: unknown;

  constructor(library: typeof Library, story: Story, known: Known) {
    this.#library = library;
    this.#story = story;
    this.#known = known;
  }

  async answer(url: string, init: RequestInit): Promise<Response> {
    if (url === `${BASE}/time`) {
      this.timeRequests += 1;
      if (this.#story.isTimeAway) return new Response('{"errors":["away"]}', { status: 503 });
      const time = Math.floor(this.#story.clock.service + this.elapsed);
      return new Response(JSON.stringify({ time }));
    }
    const exchange = this.#story.exchanges[this.count];
    this.count += 1;
    try {
      if (exchange === undefined) throw new Error(`not in the story: ${init.method} ${url}`);
      await this.#check(exchange.request, url, init);
    } catch (error) {
      this.#failed ??= error;
      throw error;
    }
    return this.#play(exchange, init);
  }

  async #play(exchange: Exchange, init: RequestInit): Promise<Response> {
    const { answer, takesSeconds = 0, clockJumpsSeconds = 0 } = exchange;
    this.elapsed += takesSeconds;
    this.jumped += clockJumpsSeconds;
    if (answer.failure === 'connection') throw new TypeError('connection reset');
    if (answer.failure === 'timeout') {
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    }
    const { status, headers, body } = answer;
    return new Response(body === '' ? null : body, { status, headers });
  }

  async #check(request: Exchange['request'], url: string, init: RequestInit): Promise<void> {
    const { pathname, searchParams } = new URL(url);
    const headers = new Headers(init.headers);
    const text = init.body === undefined ? '' : String(init.body);
    check(init.method, request.method);
    check(pathname, `/api/v1${request.path}`);
    check(Object.fromEntries(searchParams), request.query);
    check(text === '' ? null : JSON.parse(text), request.body);
    check(init.redirect, 'manual');
    check(headers.get('quittance-version'), this.#story.version);
    check(headers.get('x-digest-key'), this.#known.key);
    const timestamp = Number(headers.get('x-digest-timestamp'));
    if (request.timestamp !== undefined) check(timestamp, request.timestamp);
    const { path, method } = request;
    const signed = { path, timestamp, method, body: text };
    const signature = await this.#library.signRequest(signed, this.#known.secret);
    check(headers.get('x-digest-signature'), signature);
    this.#keys.push(headers.get('idempotency-key'));
  }

  checkKeys(): void {
    const { idempotencyKey, call } = this.#story;
    const [first = null] = this.#keys;
    check(new Set(this.#keys).size, 1);
    if (idempotencyKey === 'none') check(first, null);
    if (idempotencyKey === 'given') check(first, call.idempotencyKey);
    if (idempotencyKey === 'one') check(/^[\x21-\x7e]{16,255}$/.test(first ?? ''), true);
  }

  rethrow(): void {
    if (this.#failed !== undefined) throw this.#failed;
  }
}
