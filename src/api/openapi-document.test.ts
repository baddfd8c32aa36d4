import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { EVENT_TYPES } from '#event/event.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';
import { MEANINGS } from './descriptions/meaning-of.ts';
import { BASE_PATH } from './endpoint.ts';
import { REFUSALS } from './error-codes.ts';
import { inlineReferences } from './inline-references.ts';
import { type JsonSchema, OF_THIS_TYPE } from './json-schema.ts';
import { type ApiDocument, openApiDocument } from './openapi-document.ts';
import { ROUTES } from './routes.ts';

type ComponentsShown = {
  readonly [kind: string]: {
    readonly [name: string]: {
      readonly description?: string;
      readonly properties?: { readonly [name: string]: { readonly description?: string } };
    };
  };
};

let api: TestApi;
let document: ApiDocument;
before(async () => {
  api = await openTestApi();
  const { json } = await api.call('GET', '/openapi.json', { auth: 'none' });
  document = json as unknown as ApiDocument;
});
after(() => api.close());

const atId = (path: string) => path.replace('{id}', 'aaaaaaaaaaaa');

test('the document is public and says where the API is', () => {
  assert.equal(document.openapi, '3.1.0');
  assert.deepEqual(document.servers, [{ url: 'http://pay.example/api/v1' }]);
  assert.deepEqual(
    document,
    JSON.parse(JSON.stringify(openApiDocument(ROUTES, 'http://pay.example'))),
  );
});

test('every route and method of the server is in the document, and the reverse', async () => {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = ROUTES.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(documented.sort(), served.sort());
  for (const path of Object.keys(document.paths)) {
    const { status, headers } = await api.call('PATCH', atId(path), { auth: 'none' });
    assert.equal(status, 405, path);
    const allowed = headers.get('allow')?.toLowerCase().split(', ').sort();
    assert.deepEqual(allowed, Object.keys(document.paths[path] ?? {}).sort());
  }
});

test('what needs credentials says so, and only that', async () => {
  for (const { method, path } of ROUTES) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    const { status } = await api.call(method, atId(path), { auth: 'none' });
    assert.equal(operation?.security?.length === 0, status !== 401, path);
  }
});

test('operations have names of their own', () => {
  const ids = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
});

/** Refusals that end as text of the command line, a refused start, or a page. */
const NOT_OF_THE_API = new RegExp(
  `^(?:${[
    'cli/',
    'billing/',
    'brake/',
    'pages/',
    'mail/',
    'staff/',
    'audit/',
    'backup/',
    'increment/',
    'status-mail/',
    'suspense/',
    'signer/',
    'trader/',
    'trading/',
    'market/',
    'treasury/(?:act-on-order|note-move)',
    'claimable/',
    'custody/',
    'sending/',
    'checkout-settlement/(?:take-assigned|payer-transaction)',
    'db/copy-connection',
    'server/',
    'postgres/',
    // But token-buckets.ts is asked by the server of the API.
    'runtime/(?!token-buckets)',
    'networks/(?:utxo|bank|signing)/',
    'networks/(?:outgoing-payment|draft-terms)',
    'access/',
    'installation/',
    'merchant/',
    'look/',
    'payment-link/',
    'remote/',
    'counter/',
    'desk/',
  ].join('|')})`,
);

/** Of whichever network: a start that is refused, or an adapter that stops. */
const OF_A_START = [
  'address_source_invalid',
  'chain_not_rewound',
  'chain_of_another_history',
  'given_out_file',
  'node_of_another_chain',
  'private_key_refused',
  'safe_invalid',
  'settings_invalid',
];

/** Told to the operator, who sends money by hand and sets limits, and to people of a shop. */
const OF_THE_OPERATOR = [
  'brake_changed',
  'beneficiary_changed',
  'customer_changed',
  'customer_merged_often',
  'customer_same',
  'invoice_changed',
  'invoice_refused',
  'limit_missing',
  'payment_above_limit',
  'payment_not_proven',
  'payment_refused',
  'transfer_void',
  'transfer_waits',
];

function refusalsInCode(): Set<string> {
  const root = join(import.meta.dirname, '..');
  const found = new Set<string>();
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts') || NOT_OF_THE_API.test(path)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, kind, code] of text.matchAll(/new Refusal\(\s*'([a-z-]+)',\s*'([a-z_]+)'/g)) {
      if (![...OF_A_START, ...OF_THE_OPERATOR].includes(code ?? '')) found.add(`${kind} ${code}`);
    }
  }
  return found;
}

test('every error of the server is in the document, and the reverse', () => {
  const known = REFUSALS.map(([kind, code]) => `${kind} ${code}`);
  assert.equal(new Set(known).size, known.length);
  assert.deepEqual([...refusalsInCode()].sort(), known.sort(), 'see src/api/error-codes.ts');
  for (const [, code] of REFUSALS) {
    assert.ok(
      document['x-error-codes'].some((listed) => listed.code === code),
      code,
    );
  }
});

test('every webhook is in the document as it is checked, and no other', () => {
  assert.deepEqual(Object.keys(document.webhooks), [...EVENT_TYPES]);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { schema } = post.requestBody.content['application/json'];
    const [subject = ''] = type.replace('UNDERPAID_', 'CHECKOUT_').split('_');
    const name = `${subject.slice(0, 1)}${subject.slice(1).toLowerCase()}Event`;
    assert.equal(schema.$ref, `#/components/schemas/${name}`);
    const { properties } = schema[OF_THIS_TYPE] as { readonly properties: JsonSchema };
    assert.deepEqual(properties.eventType, { const: type });
    const names = post.parameters.map(({ $ref }) => $ref.replace('#/components/parameters/', ''));
    const signed = ['WebhookAuth', 'WebhookId', 'WebhookTimestamp', 'WebhookSignature'];
    assert.deepEqual(names, [...signed, 'Version']);
  }
});

test('the codes of a status are those that the document lists with it', () => {
  for (const [path, operations] of Object.entries(inlineReferences(document).paths)) {
    for (const operation of Object.values(operations)) {
      for (const [status, { description, headers }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const isOf = (one: number) => status === (one >= 500 ? '5XX' : String(one));
        const listed = document['x-error-codes'].filter((one) => isOf(one.status));
        const codes = listed.map(({ code }) => code);
        assert.deepEqual(
          description.split(', ').filter((code) => !codes.includes(code)),
          [],
          `${path} ${status}`,
        );
        assert.ok(headers['X-Error-Code'], `${path} ${status}`);
        const isLater = ['409', '429', '5XX'].includes(status);
        assert.equal(headers['Retry-After'] !== undefined, isLater, `${path} ${status}`);
      }
    }
  }
});

test('every field and parameter says what it means, and nothing is said of one that is not there', () => {
  const described = new Set<string>();
  const without: string[] = [];
  const { schemas = {}, parameters = {} } = document.components as ComponentsShown;
  for (const [owner, { properties = {} }] of Object.entries(schemas)) {
    for (const [name, { description }] of Object.entries(properties)) {
      described.add(`${owner} ${name}`);
      if (description === undefined) without.push(`${owner} ${name}`);
    }
  }
  for (const [path, operations] of Object.entries(inlineReferences(document).paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const { name, description } of operation.parameters) {
        const owner = `${method.toUpperCase()} ${path.replace(/^(\/reports)\/.*/, '$1')}`;
        described.add(`${owner} ${name}`);
        if (description === undefined) without.push(`${owner} ${name}`);
      }
    }
  }
  for (const [name, { description }] of Object.entries(parameters)) {
    if (description === undefined) without.push(name);
  }
  assert.deepEqual(without, []);
  const said = Object.entries(MEANINGS).flatMap(([owner, fields]) =>
    Object.keys(fields).map((field) => `${owner} ${field}`),
  );
  assert.ok(said.length > 300);
  assert.deepEqual(
    said.filter((one) => !described.has(one)),
    [],
  );
});

test('generated clients have one type for each shape: no object is without a name', () => {
  const { schemas = {} } = document.components;
  assert.ok(Object.keys(schemas).length < 150);
  const found: string[] = [];
  const look = (value: unknown, at: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { type, properties, const: always } = value as JsonSchema;
    assert.notEqual(typeof always, 'boolean', `${at}: generators for Java fail on it`);
    const isNamed = /^components\/schemas\/\w+$/.test(at);
    if (type === 'object' && properties !== undefined && !isNamed) found.push(at);
    for (const [name, member] of Object.entries(value)) look(member, `${at}/${name}`);
  };
  look(document.paths, 'paths');
  look(schemas, 'components/schemas');
  assert.deepEqual(found, []);
});

test('every field of a component says its type: generators take what says none for anything', () => {
  const silent = Object.entries((document.components as ComponentsShown).schemas ?? {}).flatMap(
    ([owner, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, told]) => !['type', '$ref', 'anyOf', 'const'].some((name) => name in told))
        .map(([field]) => `${owner} ${field}`),
  );
  assert.deepEqual(silent, []);
});

test('every list says what it holds: generators leave out whatever has one that does not', () => {
  const silent: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { type, items } = value as JsonSchema;
    if ([type].flat().includes('array') && items === undefined) silent.push(path);
    for (const [name, member] of Object.entries(value)) visit(member, `${path}/${name}`);
  };
  visit(document, '');
  assert.deepEqual(silent, []);
});

test('every call and every webhook names its version, and the document has the newest', () => {
  assert.equal(document.info.version, LATEST_VERSION);
  const whole = inlineReferences(document);
  for (const [path, operations] of Object.entries(whole.paths)) {
    for (const { parameters, responses } of Object.values(operations)) {
      assert.ok(
        parameters.some(({ name }) => name === 'Quittance-Version'),
        path,
      );
      for (const [status, { headers }] of Object.entries(responses)) {
        assert.ok(headers['Quittance-Version'], `${path} ${status}`);
      }
    }
  }
});

test('the document is at most 250 KB', () => {
  const bytes = Buffer.byteLength(JSON.stringify(document));
  assert.ok(bytes <= 250_000, `${bytes} bytes`);
});

test('the filters of lists are in the document, fields of meta too', () => {
  const { parameters = [] } = inlineReferences(document).paths['/checkouts']?.get ?? {};
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const names = inQuery.map(({ name }) => name);
  assert.deepEqual(names, ['limit', 'cursor', 'state', 'from', 'to', 'customerId', 'meta']);
  const meta = inQuery.at(-1);
  assert.deepEqual([meta?.style, meta?.explode], ['form', true]);
});

test('errors are answered as documented', async () => {
  const errors = [
    await api.call('GET', '/nowhere'),
    await api.call('POST', '/checkout', { auth: 'none' }),
    await api.call('POST', '/checkout', { body: {} }),
    await api.call('GET', '/checkout', { query: '?id=aaaaaaaaaaaa' }),
  ];
  for (const { status, headers, json } of errors) {
    const code = headers.get('x-error-code');
    const listed = document['x-error-codes'].find((one) => one.code === code);
    assert.equal(listed?.status, status, String(code));
    assert.deepEqual(Object.keys(json), ['errors']);
  }
});

test('the base path is that of the specification', () => assert.equal(BASE_PATH, '/api/v1'));
