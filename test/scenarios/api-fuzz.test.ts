// Requests made from the OpenAPI document, right ones and nearly right ones, 20 at a time: whatever
// comes, no answer is a failure of ours, and every answer is one that the document announces.
// FUZZ_SEED and FUZZ_REQUESTS choose another run.

import assert from 'node:assert/strict';
import process from 'node:process';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { allowAddress } from '#access/allow-list.ts';
import { inlineReferences, type WholeOperation } from '#api/inline-references.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { sql } from '#db/db.ts';
import { isJsonObject } from '#money/exact-json.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { byLength } from '#test/support/run-length.ts';
import { ID_MARK, type Schema, valueFor } from '#test/support/schema-arbitrary.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { type Called, openTestApi, type TestApi } from '#test/support/test-api.ts';

const AT_ONCE = 20;
const requests = Number(process.env.FUZZ_REQUESTS ?? byLength({ short: 1_500, long: 20_000 }));
const seed = Number(process.env.FUZZ_SEED ?? 1);

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  await allowAddress(
    api.app,
    { merchantId: api.merchantId, environment: 'test' },
    { use: 'withdrawals', address: '127.0.0.1' },
  );
  // As a server does before it offers a network: what was paid before is not looked for.
  await settleSandbox(api.app);
});
after(() => api.close());

const document = inlineReferences(openApiDocument(ROUTES, 'http://pay.example'));

type Request = {
  readonly method: string;
  readonly path: string;
  readonly auth: 'digest' | 'basic' | 'none';
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Sent as it is, in place of the body. */
  readonly raw: string | undefined;
  readonly idempotencyKey: string | undefined;
};

const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10' }] };
const account = { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' };

/** Requests that are right; without them hardly a generated one would be. */
const RIGHT: Readonly<Record<string, object>> = {
  'POST /checkout': { charge },
  'POST /checkout/hosted': { charge },
  'POST /checkout/validate-checkout-charge': { charge },
  'POST /checkout/commit': { checkoutId: '@checkout@', network: 'LITECOIN' },
  'POST /checkout/cancel': { checkoutId: '@checkout@' },
  'POST /sandbox/pay': { checkoutId: '@checkout@' },
  'POST /sandbox/expire': { checkoutId: '@checkout@' },
  'POST /refund': { checkoutId: '@checkout@', kind: 'full' },
  'POST /customer': { customer: { email: 'a@shop.example' } },
  'POST /deposit-address': { network: 'LITECOIN' },
  'POST /beneficiary': { beneficiary: { label: 'Supplier', network: 'BITCOIN', account } },
  'POST /settlement-rule': {
    ...{ asset: 'BTC:NATIVE', convertTo: 'LTC:NATIVE', keep: '0.5' },
    schedule: { every: 'MONTH', day: 31, hour: 0, zone: 'Europe/Berlin' },
  },
  'POST /swap': { sourceAsset: 'BTC:NATIVE', targetAsset: 'LTC:NATIVE', sourceAmount: '0.001' },
};

const authArbitrary = fc.oneof(
  { weight: 18, arbitrary: fc.constant('digest' as const) },
  { weight: 1, arbitrary: fc.constant('basic' as const) },
  { weight: 1, arbitrary: fc.constant('none' as const) },
);
const rawArbitrary = fc.oneof(
  { weight: 20, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('', '[]', '{}', 'null', '{"a":1,"a":2}', '[[[[', '"\\ud800"', '1e999'),
    ),
  },
);
const keyArbitrary = fc.oneof(
  { weight: 9, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('one', 'two', 'three', ' ', 'x'.repeat(256)) },
);

/** Parameters that begin with the name of one that stands for many: `meta.order`. */
function prefixed(name: string) {
  const keys = ['order', 'a b', 'ä', '', "'"].map((key) => `${name}.${key}`);
  return fc.dictionary(fc.constantFrom(...keys), fc.string(), { maxKeys: 2 });
}

function requestArbitrary(path: string, method: string, operation: WholeOperation) {
  const { requestBody, parameters } = operation;
  // A held answer would wait for a clock that stands still here, and CSV is no JSON to compare.
  const inQuery = parameters.filter(
    ({ in: place, name }) => place === 'query' && name !== 'wait' && name !== 'format',
  );
  const members = inQuery.map(({ name, schema, explode }) => [
    name,
    explode === true ? prefixed(name) : valueFor(schema as Schema, name),
  ]);
  const required = inQuery.filter((parameter) => parameter.required).map(({ name }) => name);
  const body = requestBody?.content['application/json'].schema as Schema | undefined;
  const right = RIGHT[`${method.toUpperCase()} ${path}`];
  const made = body === undefined ? fc.constant(undefined) : valueFor(body);
  return fc.record<Request>({
    method: fc.constant(method.toUpperCase()),
    path: fc.constant(path),
    auth: authArbitrary,
    query: fc.record(Object.fromEntries(members), { requiredKeys: required }),
    body: right === undefined ? made : fc.oneof(made, fc.constant(right)),
    raw: rawArbitrary,
    idempotencyKey: keyArbitrary,
  });
}

const everyRequest = fc.oneof(
  ...Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, one]) => requestArbitrary(path, method, one)),
  ),
);

const known = new Map<string, string[]>();
let picked = 0;
const KNOWN_MOST = 100;

/** Ids that answers contained, in turn. */
function withIds(path: string, text: string): string {
  return text.replaceAll(ID_MARK, (_, kind: string) => {
    const ids = known.get(kind === 'self' ? groupOf(path) : kind) ?? [];
    picked += 1;
    return ids[picked % ids.length] ?? 'aaaaaaaaaaaa';
  });
}

function groupOf(path: string): string {
  const [, group = ''] = path.split('/');
  return group.replace(/s$/, '').replace('-a', 'A').replace('-e', 'E');
}

function collectIds({ path }: Request, { status, text }: Called): void {
  if (status !== 200) return;
  for (const [, name = '', id = ''] of text.matchAll(/"(id|\w+Id)":"([a-z0-9]{12})"/g)) {
    const kind = name === 'id' ? groupOf(path) : name.slice(0, -2);
    const ids = known.get(kind) ?? [];
    if (!ids.includes(id)) known.set(kind, [...ids, id].slice(-KNOWN_MOST));
  }
}

const expiredByHand = new Set<string>();

async function send({ method, path, auth, query, body, raw, idempotencyKey }: Request) {
  const given = Object.entries(query)
    .flatMap(([name, value]) =>
      isJsonObject(value) ? Object.entries(value) : [[name, value] as const],
    )
    .filter(([, value]) => value !== null && value !== undefined);
  const search = new URLSearchParams(
    given.map(([name, value]) => [name, withIds(path, String(value))]),
  );
  const written = raw ?? (body === undefined ? undefined : withIds(path, JSON.stringify(body)));
  const headers: Record<string, string> = {};
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  const answer = await api.call(method, withIds(path, path.replace('{id}', '@self@')), {
    auth,
    headers,
    query: search.size === 0 ? '' : `?${search}`,
    ...(method === 'GET' || written === undefined ? {} : { body: written }),
  });
  if (path === '/sandbox/expire' && answer.status === 200) {
    expiredByHand.add(JSON.parse(written ?? '{}').checkoutId);
  }
  // Time passes for what is there by then; what is made afterwards has its whole window again.
  if (path === '/sandbox/advance' && answer.status === 200) {
    const there = sql`select id from checkout where environment = 'test'`;
    for (const { id } of await api.db.query<{ id: string }>(there)) expiredByHand.add(id);
  }
  return answer;
}

const validators = new Map<string, z.ZodType>();

function checkAnswer({ method, path }: Request, { status, headers, text, json }: Called): void {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const where = `${method} ${path}: ${status} ${text.slice(0, 300)}`;
  // 503 is an honest answer of what is not there (unavailable), 500 never is.
  assert.ok(
    status < 500 || (status === 503 && headers.get('x-error-code') !== 'unavailable'),
    where,
  );
  const response = operation?.responses[status >= 500 ? '5XX' : String(status)];
  assert.ok(response, `not documented: ${where}`);
  assert.match(headers.get('x-request-id') ?? '', /^[a-z0-9]{12}$/);
  const id = `${method} ${path} ${status}`;
  const schema = response.content['application/json'].schema as Parameters<
    typeof z.fromJSONSchema
  >[0];
  const validator = validators.get(id) ?? z.fromJSONSchema(schema);
  validators.set(id, validator);
  const { error } = validator.safeParse(json);
  assert.equal(error, undefined, `${where}\n${error}`);
  if (status === 200) return;
  const code = headers.get('x-error-code');
  const codes = response.description.split(', ');
  assert.ok(codes.includes(code ?? ''), `${code} is not listed: ${where}`);
  const listed = document['x-error-codes'].filter((one) => one.code === code);
  assert.ok(
    listed.some((one) => one.status === status),
    `${code}: ${where}`,
  );
}

test(`${requests} requests made from the document are answered as documented`, async () => {
  const counts = new Map<number, number>();
  const batch = fc.array(everyRequest, { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(batch, async (list) => {
      const answers = await Promise.all(list.map(send));
      for (const [index, answer] of answers.entries()) {
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        const request = list[index] as Request;
        collectIds(request, answer);
        checkAnswer(request, answer);
      }
      await api.clock.advance(1000);
    }),
    { numRuns: Math.ceil(requests / AT_ONCE), seed, endOnFailure: true },
  );
  // A run that is refused everywhere proves nothing.
  const share = (counts.get(200) ?? 0) / requests;
  assert.ok(share > 0.2, `only ${share} of the requests succeeded: ${[...counts].join('; ')}`);
  const now = api.clock.now();
  assert.deepEqual(await checkInvariants(api.db, { now, expiredByHand: [...expiredByHand] }), []);
});
