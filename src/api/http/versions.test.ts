// Quittance-Version: calls of an older version as they were recorded, and what is said of them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pinApiVersion } from '#access/api-key.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { ROOT } from '#test/support/read-source.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
});
after(() => api.close());

const FIRST = '2026-11-24';
const LATEST = '2026-11-25';
const RECORDED = join(ROOT, 'test', 'scenarios', 'calls-of-2026-11-24.golden.json');
const lineItems = [{ description: 'Book', netAmount: '10' }];
const inVersion = (version: string) => ({ headers: { 'quittance-version': version } });
const validate = (charge: object, version = LATEST) =>
  api.call('POST', '/checkout/validate-checkout-charge', {
    body: { charge },
    ...inVersion(version),
  });

test('an answer tells its version: that of the header, else of the key, and refusals do too', async () => {
  for (const [options, version] of [
    [{}, LATEST],
    [inVersion(LATEST), LATEST],
    [inVersion(FIRST), FIRST],
  ] as const) {
    for (const [path, status] of [
      ['/auth-test', 200],
      ['/checkout', 400],
    ] as const) {
      const called = await api.call('GET', path, options);
      assert.equal(called.status, status, called.text);
      assert.equal(called.headers.get('quittance-version'), version, path);
    }
  }
});

test('where nobody is asked who he is, the oldest version is meant, and nothing is held against it', async () => {
  const { headers } = await api.call('GET', '/time');
  assert.equal(headers.get('quittance-version'), FIRST);
  assert.equal(headers.get('deprecation'), null);
});

test('a version that is not known is refused, and those that are known are listed', async () => {
  for (const named of ['2020-01-01', '1', '', `${FIRST}, ${FIRST}`]) {
    const { status, json, headers } = await api.call('GET', '/auth-test', inVersion(named));
    assert.equal(status, 400);
    assert.equal(headers.get('x-error-code'), 'version_unknown');
    assert.match(String(json.errors), /2026-11-24, 2026-11-25/);
  }
});

test('a key that was pinned to the first version is answered in it, until it names another', async () => {
  const key = await api.otherMerchant();
  await pinApiVersion(api.app, key.key, FIRST);
  const pinned = await api.call('GET', '/webhook-endpoints', { key });
  assert.equal(pinned.headers.get('quittance-version'), FIRST);
});

type Recorded = {
  readonly request: readonly (string | object)[];
  readonly status: number;
  readonly answer: string;
};

/** What is made anew in each run has the name of its place. */
function withoutChance(text: string): string {
  const names = new Map<string, string>();
  const nameOf = (found: string, what: string) => {
    const known = names.get(found) ?? `<${what} ${names.size + 1}>`;
    names.set(found, known);
    return known;
  };
  return text
    .replaceAll(/"(?:rltc|ltcrt|tltc)1[a-z0-9]+"/g, (found) => `"${nameOf(found, 'address')}"`)
    .replaceAll(/whsec_[\w+/=]+/g, (found) => nameOf(found, 'secret'))
    .replaceAll(/\b(?=[a-z0-9]*\d)[a-z0-9]{12}\b/g, (found) => nameOf(found, 'id'));
}

async function play(version: string): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const { status, text, json } = await api.call(method, path, { body, ...inVersion(version) });
    recorded.push({
      request: [method, path, ...(body === undefined ? [] : [body])],
      status,
      answer: text,
    });
    return json as { readonly [name: string]: { readonly id: string } | undefined };
  };
  const { webhookEndpoint } = await call('POST', '/webhook-endpoint', {
    url: 'https://shop.example/hook',
    apiVersion: FIRST,
  });
  await call('GET', '/webhook-endpoints');
  const id = webhookEndpoint?.id;
  await call('POST', '/webhook-endpoint/rotate-secret', { id, overlapHours: 1 });
  await call('POST', '/webhook-endpoint/rotate-secret', { id: 'x', overlapHours: 25 });
  await call('DELETE', '/webhook-endpoint', { id });
  await call('GET', '/suspense');
  await call('GET', '/deposit-addresses');
  return recorded;
}

test('calls of the first version are answered byte for byte as they were recorded', async () => {
  const played = withoutChance(JSON.stringify(await play(FIRST), null, 1));
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(RECORDED, `${played}\n`);
  assert.equal(`${played}\n`, readFileSync(RECORDED, 'utf8'));
});

test('a call in an older version is told since when and until when, and where it is written', async () => {
  const { headers } = await api.call('GET', '/auth-test', inVersion(FIRST));
  assert.equal(headers.get('deprecation'), '@1795564800');
  assert.equal(headers.get('sunset'), 'Sat, 25 Nov 2028 00:00:00 GMT');
  assert.match(headers.get('link') ?? '', /<\/docs\/changelog>; rel="deprecation sunset"/);
});

test('a call with a name of the older layout is told that there is a newer one, no other call is', async () => {
  const older = await validate({ currency: 'EUR', lineItems });
  assert.equal(older.headers.get('deprecation'), '@1795478400');
  assert.equal(older.headers.get('sunset'), null);
  assert.match(older.headers.get('link') ?? '', /^<\/docs\/changelog>; rel="deprecation"/);
  const newer = await validate({ billingCurrency: 'EUR', currency: null, lineItems });
  assert.equal(newer.status, 200, newer.text);
  assert.equal(newer.headers.get('deprecation'), null);
});

test('an Idempotency-Key is used in one version: its answer is not given in the shape of another', async () => {
  const ask = (version: string) =>
    api.call('POST', '/webhook-endpoint', {
      body: { url: 'https://shop.example/once' },
      headers: { ...inVersion(version).headers, 'idempotency-key': 'once' },
    });
  assert.equal((await ask(FIRST)).status, 200);
  assert.equal((await ask(FIRST)).headers.get('idempotent-replayed'), 'true');
  assert.equal((await ask(LATEST)).status, 422);
});

test('the document says which names are the older ones', () => {
  const { schemas = {} } = openApiDocument(ROUTES, 'http://pay.example').components;
  const old = Object.entries(schemas).flatMap(([component, schema]) => {
    const { properties = {} } = schema as {
      readonly properties?: { readonly [name: string]: { readonly deprecated?: boolean } };
    };
    return Object.entries(properties)
      .filter(([, { deprecated }]) => deprecated === true)
      .map(([name]) => `${component}.${name}`);
  });
  assert.deepEqual(old.sort(), [
    'Charge.currency',
    'CheckoutRequest.blockchainRelays',
    'CheckoutRequest.settlementCurrency',
    'CommitCheckoutRequest.depositNetwork',
    'CommitCheckoutRequest.relatedAssetId',
  ]);
});
