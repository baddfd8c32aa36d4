// The vectors that every client library passes, as cases that any runtime can run: nothing here is
// of Node. clients/README.md says what the vectors are.
import type * as Library from '../src/index.ts';
import { check, playStory, type Story } from './play-story.ts';

export type Case = { readonly name: string; readonly run: () => Promise<void> };
export type Vectors = Readonly<Record<string, Record<string, unknown>>>;

/** Names of the files in clients/vectors. */
export const VECTOR_FILES = [
  'methods',
  'signing',
  'webhooks',
  'numbers',
  'errors',
  'retries',
  'paging',
  'idempotency',
  'clock',
  'waiting',
  'versions',
];

export type Method = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly argument: string | null;
  readonly wrap: string | null;
  readonly returns: string | null;
  readonly pages: string | null;
};

/** Methods that stand for no endpoint. */
const BESIDE = [
  'checkout.waitUntil',
  'reports.document',
  'sandbox.payAndConfirm',
  'webhooks.verify',
];

export function conformanceCases(library: typeof Library, vectors: Vectors): Case[] {
  return [
    ...signingCases(library, vectors),
    ...webhookCases(library, vectors),
    ...numberCases(library, vectors),
    ...methodCases(library, vectors),
    ...errorCases(library, vectors),
    ...storyCases(library, vectors),
  ];
}

type Answering = { status?: number; body?: string; headers?: Record<string, string> };

/** A client whose service answers the same to everything, and what was sent to it. */
function answering(library: typeof Library, { status = 200, body = '{}', headers }: Answering) {
  const sent: { url: string; init: RequestInit }[] = [];
  const client = new library.Quittance({
    key: 'k3y0fth3sh0p',
    secret: 'secret',
    baseUrl: 'https://pay.example/api/v1/',
    maxRetries: 0,
    transport: async (url, init) => {
      if (url.endsWith('/api/v1/time')) return new Response('{"time":1700000000}');
      sent.push({ url, init });
      return new Response(body, { status, headers });
    },
  });
  return { client, sent };
}

function signingCases(library: typeof Library, { signing }: Vectors): Case[] {
  const { requests, basic } = signing as unknown as {
    readonly requests: readonly {
      readonly name: string;
      readonly path: string;
      readonly timestamp: number;
      readonly method: string;
      readonly body?: string;
      readonly bodyHex?: string;
      readonly secret: string;
      readonly signature: string;
    }[];
    readonly basic: readonly { key: string; secret: string; value: string }[];
  };
  return [
    ...requests.map(({ name, secret, signature, body, bodyHex = '', ...request }) => ({
      name: `signing: ${name}`,
      run: async () => {
        const bytes = bodyHex.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
        const signed = { ...request, body: body ?? Uint8Array.from(bytes) };
        check(await library.signRequest(signed, secret), signature);
      },
    })),
    ...basic.map(({ key, secret, value }) => ({
      name: `signing: X-Basic of ${key}`,
      run: async () => check(await library.basicValue(key, secret), value),
    })),
  ];
}

function webhookCases(library: typeof Library, { webhooks }: Vectors): Case[] {
  const list = webhooks?.webhooks as readonly {
    readonly name: string;
    readonly payload: string;
    readonly headers: Record<string, string>;
    readonly secret: string | string[];
    readonly now: number;
    readonly toleranceSeconds: number | null;
    readonly outcome: string;
  }[];
  return list.flatMap(({ name, payload, headers, secret, now, toleranceSeconds, outcome }) =>
    [headers, new Headers(headers)].map((given, at) => ({
      name: `webhooks: ${name}${at === 0 ? '' : ' (Headers)'}`,
      run: async () => {
        const bytes = at === 0 ? payload : new TextEncoder().encode(payload);
        const options = { now: () => now, toleranceSeconds };
        const seen = await library.webhooks.verify(bytes, given, secret, options).then(
          (event) => {
            check(event, JSON.parse(payload));
            return 'good';
          },
          (error) => {
            check(error instanceof library.WebhookVerificationError, true);
            return error.code;
          },
        );
        check(seen, outcome);
      },
    })),
  );
}

function numberCases(library: typeof Library, { numbers }: Vectors): Case[] {
  const { answers, amounts, requests } = numbers as unknown as {
    readonly answers: readonly { json: string; decimal: string; isDouble: boolean }[];
    readonly amounts: readonly string[];
    readonly requests: readonly {
      readonly name: string;
      readonly kind: string;
      readonly text: string;
      readonly inMeta: boolean;
      readonly sent: string | null;
    }[];
  };
  const given = (kind: string, text: string) =>
    kind === 'integer' ? BigInt(text) : kind === 'float' ? Number(text) : text;
  return [
    ...answers.map(({ json, decimal, isDouble }) => ({
      name: `numbers: ${json} in an answer`,
      run: async () => {
        const { client } = answering(library, { body: `{"meta":{"value":${json}}}` });
        const { meta } = (await client.service.openapi()) as { meta: { value: unknown } };
        check(typeof meta.value, isDouble ? 'number' : 'string');
        check(plain(String(meta.value)), decimal);
      },
    })),
    ...amounts.map((amount) => ({
      name: `numbers: the amount ${amount} stays as it is`,
      run: async () => {
        const { client } = answering(library, { body: JSON.stringify({ amount }) });
        check(await client.service.openapi(), { amount });
      },
    })),
    // JavaScript has no exact decimals of its own.
    ...requests
      .filter(({ kind }) => kind !== 'decimal')
      .map(({ name, kind, text, inMeta, sent: wanted }) => ({
        name: `numbers: ${name} in a request`,
        run: async () => {
          const { client, sent } = answering(library, {});
          const value = given(kind, text);
          const lineItems = [{ description: 'Book', netAmount: inMeta ? '1' : value }];
          const request = { charge: { billingCurrency: 'EUR', lineItems }, meta: { value: 1 } };
          if (inMeta) request.meta = { value: Number(value) };
          const failure = await client.checkout.create(request).then(
            () => undefined,
            (error: unknown) => error,
          );
          check(failure instanceof TypeError, wanted === null);
          const [first] = sent;
          if (wanted === null) check(first, undefined);
          else {
            const field = inMeta ? '"value":' : '"netAmount":';
            check(String(first?.init.body).includes(`${field}${wanted}}`), true);
          }
        },
      })),
  ];
}

/** A decimal without exponent and without zeros that do not count. */
function plain(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const places = fraction.length - Number(power);
  const digits = `${whole}${fraction}`.padStart(places + 1, '0');
  const point = places < 0 ? digits.length : digits.length - places;
  const left = digits.slice(0, point).padEnd(places < 0 ? digits.length - places : 0, '0');
  const right = digits.slice(point).replace(/0+$/, '');
  const value = `${left.replace(/^0+(?=\d)/, '')}${right === '' ? '' : `.${right}`}`;
  return value === '0' ? value : `${sign}${value}`;
}

type Callable = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function methodCases(library: typeof Library, { methods }: Vectors): Case[] {
  const list = methods?.methods as readonly Method[];
  const names = list.map(({ name }) => name);
  return [
    {
      name: 'methods: these and no others',
      run: async () => {
        const client = answering(library, {}).client as unknown as Callable;
        const found = Object.entries(client).flatMap(([resource, value]) =>
          methodNames(value).map((name) => `${resource}.${name}`),
        );
        check(found.sort(), [...names, ...BESIDE].sort());
      },
    },
    ...list.map((method) => ({
      name: `methods: ${method.name}`,
      run: () => callOne(library, method),
    })),
  ];
}

function methodNames(resource: object): string[] {
  const found = new Set(Object.keys(resource));
  for (let one = Object.getPrototypeOf(resource); one !== Object.prototype; ) {
    for (const name of Object.getOwnPropertyNames(one)) found.add(name);
    one = Object.getPrototypeOf(one);
  }
  const fields = ['constructor', 'caller'];
  return [...found].filter((name) => !fields.includes(name));
}

async function callOne(library: typeof Library, one: Method): Promise<void> {
  const { name, method, path, argument, wrap, returns, pages } = one;
  const body =
    pages === 'report.rows'
      ? { report: { rows: ['a row'] }, nextCursor: null }
      : { [pages ?? returns ?? 'whole']: ['a row'], nextCursor: null };
  const { client, sent } = answering(library, { body: JSON.stringify(body) });
  const [resource = '', short = ''] = name.split('.');
  const target = (client as unknown as Callable)[resource]!;
  const call = (target[short] as (...given: unknown[]) => unknown).bind(target);
  const isAlone = argument !== null;
  const answer = call(...(isAlone ? ['abcdefghijkl'] : []), isAlone ? {} : { a: '1' });
  if (name === 'service.time') {
    // The client itself asks for it too, and is answered apart.
    check(await answer, 1_700_000_000);
    return;
  }
  if (pages === null) check(await answer, returns === null ? body : ['a row']);
  else check(await (answer as Library.Pages<unknown>).all(), ['a row']);
  const [first] = sent;
  const url = new URL(first!.url);
  check(first!.init.method, method);
  check(url.pathname, `/api/v1${path.replace('{id}', 'abcdefghijkl')}`);
  const parameters = isAlone && !path.includes('{id}') ? { [argument]: 'abcdefghijkl' } : {};
  if (method === 'GET') {
    if (isAlone) check(Object.fromEntries(url.searchParams), parameters);
    return;
  }
  const json = JSON.parse(String(first!.init.body));
  const inside = wrap === null ? json : json[wrap];
  check(inside, isAlone ? parameters : { a: '1' });
}

function errorCases(library: typeof Library, { errors }: Vectors): Case[] {
  const codes = errors?.codes as readonly {
    readonly status: number;
    readonly code: string;
    readonly class: string;
    readonly retryable: boolean;
  }[];
  return codes.map(({ status, code, class: wanted, retryable }) => ({
    name: `errors: ${status} ${code}`,
    run: async () => {
      const body = JSON.stringify({ errors: ['Text.'] });
      const headers = { 'x-error-code': code };
      const { client } = answering(library, { status, body, headers });
      const error = await client.service.authTest().then(
        () => undefined,
        (caught: unknown) => caught,
      );
      check(error instanceof library.QuittanceError, true);
      const found = error as Library.QuittanceError;
      check([found.name, found.code, found.retryable], [wanted, code, retryable]);
    },
  }));
}

function storyCases(library: typeof Library, vectors: Vectors): Case[] {
  const { methods } = vectors.methods as unknown as { readonly methods: readonly Method[] };
  const { key, secret } = vectors.signing as { readonly key: string; readonly secret: string };
  return Object.entries(vectors).flatMap(([file, { stories }]) =>
    ((stories as readonly Story[] | undefined) ?? []).map((story) => ({
      name: `${file}: ${story.name}`,
      run: () => playStory(library, story, { methods, key, secret }),
    })),
  );
}
