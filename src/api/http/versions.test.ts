// Quittance-Version, and what is said of names that have newer ones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
});
after(() => api.close());

const VERSION = '2026-11-24';
const lineItems = [{ description: 'Book', netAmount: '10' }];
const validate = (charge: object) =>
  api.call('POST', '/checkout/validate-checkout-charge', { body: { charge } });

test('an answer tells its version, whether one was named or not, and refusals do too', async () => {
  for (const headers of [{}, { 'quittance-version': VERSION }] as Record<string, string>[]) {
    for (const [path, status] of [
      ['/time', 200],
      ['/auth-test', 200],
      ['/checkout', 400],
    ] as const) {
      const called = await api.call('GET', path, { headers });
      assert.equal(called.status, status, called.text);
      assert.equal(called.headers.get('quittance-version'), VERSION, path);
    }
  }
});

test('a version that is not known is refused, and those that are known are listed', async () => {
  for (const named of ['2020-01-01', '1', '', `${VERSION}, ${VERSION}`]) {
    const headers = { 'quittance-version': named };
    const { status, json, headers: told } = await api.call('GET', '/auth-test', { headers });
    assert.equal(status, 400);
    assert.equal(told.get('x-error-code'), 'version_unknown');
    assert.ok(String(json.errors).includes(VERSION), String(json.errors));
  }
});

test('a call with a name of the older layout is told that there is a newer one, no other call is', async () => {
  const older = await validate({ currency: 'EUR', lineItems });
  assert.equal(older.headers.get('deprecation'), '@1795478400');
  assert.match(older.headers.get('link') ?? '', /^<\/docs\/versioning>; rel="deprecation"/);
  const newer = await validate({ billingCurrency: 'EUR', currency: null, lineItems });
  assert.equal(newer.status, 200, newer.text);
  assert.equal(newer.headers.get('deprecation'), null);
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
