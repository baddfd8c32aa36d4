import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress, allowAnyCaller } from '#access/allow-list.ts';
import { createKeyCache } from '#access/caller.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { sql } from '#db/db.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

const charge = {
  charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: 10 }] },
};
const validate = '/checkout/validate-checkout-charge';

test('time and languages need no credentials', async () => {
  const time = await api.call('GET', '/time', { auth: 'none' });
  assert.deepEqual([time.status, time.json], [200, { time: 1795255200 }]);
  const languages = await api.call('GET', '/languages', { auth: 'none' });
  assert.equal(languages.status, 200);
  assert.equal(languages.json.languages?.length, LANGUAGES.length);
});

test('both methods identify the caller', async () => {
  const digest = await api.call('GET', '/auth-test');
  assert.deepEqual(digest.json, { authenticated: true, method: 'digest', environment: 'test' });
  const basic = await api.call('GET', '/auth-test', { auth: 'basic' });
  assert.deepEqual(basic.json, { authenticated: true, method: 'basic', environment: 'test' });
  const live = await api.call('GET', '/auth-test', { key: api.liveKey });
  assert.equal(live.json.environment, 'live');
});

test('every failure of authentication is one and the same answer', async () => {
  const right = api.sign('GET', '/auth-test');
  const { 'x-digest-signature': signature = '', 'x-digest-timestamp': timestamp = '' } = right;
  const change = (name: string, value: string | undefined) => {
    const headers: Record<string, string> = { ...right };
    if (value === undefined) delete headers[name];
    else headers[name] = value;
    return headers;
  };
  const flipped = (signature.startsWith('0') ? '1' : '0') + signature.slice(1);
  const wrong: Record<string, string>[] = [
    {},
    change('x-digest-key', undefined),
    change('x-digest-signature', undefined),
    change('x-digest-timestamp', undefined),
    change('x-digest-key', 'abcdefghijkl'),
    change('x-digest-key', 'ABCDEFGHIJKL'),
    change('x-digest-key', api.liveKey.key),
    change('x-digest-key', `${right['x-digest-key']}, ${right['x-digest-key']}`),
    change('x-digest-signature', flipped),
    change('x-digest-signature', signature.toUpperCase()),
    change('x-digest-signature', `${signature}zz`),
    change('x-digest-signature', `${signature}, ${signature}`),
    change('x-digest-signature', signature.slice(0, 62)),
    change('x-digest-timestamp', `0${timestamp}`),
    change('x-digest-timestamp', `${timestamp}.0`),
    change('x-digest-timestamp', `+${timestamp.slice(1)}`),
    change('x-digest-timestamp', String(Number(timestamp) + 1)),
    { ...right, 'x-basic': '0'.repeat(64) },
    { 'x-basic': '0'.repeat(64) },
    { 'x-basic': 'short' },
    { 'x-basic': '' },
    api.sign('GET', '/auth-test', { skew: -30 }),
    api.sign('GET', '/auth-test', { skew: 6 }),
    api.sign('POST', '/auth-test'),
    api.sign('GET', '/auth-tes'),
    api.sign('GET', '/api/v1/auth-test'),
  ];
  const bodies = new Set<string>();
  for (const headers of wrong) {
    const answer = await api.call('GET', '/auth-test', { auth: 'none', headers });
    assert.equal(answer.status, 401, JSON.stringify(headers));
    assert.equal(answer.headers.get('x-error-code'), 'authentication_failed');
    bodies.add(answer.text);
  }
  assert.equal(bodies.size, 1);
  assert.match([...bodies][0] ?? '', /^\{"errors":\["Authentication failed\. /);
});

test('a timestamp is accepted from 5 s ahead to just under 30 s old', async () => {
  for (const skew of [5, 0, -29]) {
    assert.equal((await api.call('GET', '/auth-test', { skew })).status, 200, String(skew));
  }
});

test('the query is not signed, and a bare ? may follow the path', async () => {
  for (const query of ['?', '?a=1', '?cache=%20']) {
    assert.equal((await api.call('GET', '/auth-test', { query })).status, 200, query);
  }
});

test('the MAC is over the bytes received, however the JSON is written', async () => {
  const bodies = [
    JSON.stringify(charge),
    JSON.stringify(charge, null, 2),
    '{"charge":{"lineItems":[{"netAmount":"10.0000","description":"Caf\\u00e9 \\/ \\ud83d\\ude00"}],"billingCurrency":"EUR"}}',
    '{"charge":{"lineItems":[{"netAmount":1e1,"description":"Café / 😀"}],"billingCurrency":"EUR"}}\n',
  ];
  for (const body of bodies) {
    const answer = await api.call('POST', validate, { body });
    assert.deepEqual([answer.status, answer.json.total], [200, '10.00'], body);
  }
  const signedBody = JSON.stringify(charge);
  const answer = await api.call('POST', validate, { body: `${signedBody} `, signedBody });
  assert.equal(answer.status, 401);
});

test('JSON is read whatever the Content-Type', async () => {
  const types = [
    'application/x-www-form-urlencoded',
    'application/json; charset=UTF-8',
    'text/plain',
    '',
  ];
  for (const type of types) {
    const options = { body: charge, headers: { 'content-type': type } };
    assert.equal((await api.call('POST', validate, options)).status, 200, type);
  }
});

test('{} and [] may be sent with a signature over the empty text', async () => {
  for (const body of ['{}', '[]']) {
    for (const signedBody of ['', body]) {
      const answer = await api.call('POST', validate, { body, signedBody });
      assert.deepEqual(answer.json, { errors: ['Invalid request. charge: is required'] });
    }
  }
  const other = await api.call('POST', validate, { body: '[ ]', signedBody: '' });
  assert.equal(other.status, 401);
});

test('nothing of the body is looked at before its sender is known', async () => {
  const broken = await api.call('POST', validate, { body: '{"charge":', auth: 'none' });
  assert.equal(broken.status, 401);
  const signed = await api.call('POST', validate, { body: '{"charge":' });
  assert.equal(signed.status, 400);
  assert.equal(signed.headers.get('x-error-code'), 'json_malformed');
});

test('X-Basic is off for live keys until it is switched on', async () => {
  const answer = await api.call('GET', '/auth-test', { auth: 'basic', key: api.liveKey });
  assert.equal(answer.status, 403);
  assert.equal(answer.headers.get('x-error-code'), 'method_not_accepted');
});

test('calls from addresses off the allow-list are refused, but only after authentication', async () => {
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'calls', address: '192.0.2.0/24' });
  try {
    const refused = await api.call('GET', '/auth-test');
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.get('x-error-code'), 'address_not_allowed');
    assert.equal((await api.call('GET', '/auth-test', { skew: -60 })).status, 401);
    const spoofed = { headers: { 'x-forwarded-for': '192.0.2.1' } };
    assert.equal((await api.call('GET', '/auth-test', spoofed)).status, 403);
  } finally {
    await allowAnyCaller(api.app, owner);
  }
});

test('a revoked key fails like an unknown one', async () => {
  const key = await api.otherMerchant();
  assert.equal((await api.call('GET', '/auth-test', { key })).status, 200);
  await api.db.single((tx) =>
    tx.query(sql`update api_key set revoked_at = created_at where key = ${key.key}`),
  );
  assert.equal((await api.call('GET', '/auth-test', { key })).status, 401);
});

test('authentication costs one query', async () => {
  let queries = 0;
  const counting: typeof api.db = {
    ...api.db,
    query: (statement) => {
      queries += 1;
      return api.db.query(statement);
    },
  };
  const { createApi } = await import('./create-api.ts');
  const hono = createApi({ ...api.app, db: counting });
  for (const auth of ['digest', 'basic'] as const) {
    queries = 0;
    const headers = api.sign('GET', '/auth-test', { auth });
    const response = await hono.fetch(
      new Request('http://pay.example/api/v1/auth-test', { headers }),
      {},
    );
    assert.deepEqual([response.status, queries], [200, 1]);
  }
});

test('an unknown key, a wrong signature and a wrong value cost as many questions as each other', async () => {
  let queries = 0;
  const counting: typeof api.db = {
    ...api.db,
    query: (statement) => {
      queries += 1;
      return api.db.query(statement);
    },
  };
  const { createApi } = await import('./create-api.ts');
  const keyCache = createKeyCache(api.clock, () => true);
  const hono = createApi({ ...api.app, db: counting, keyCache });
  const ask = async (headers: Record<string, string>) => {
    queries = 0;
    const request = new Request('http://pay.example/api/v1/auth-test', { headers });
    const { status } = await hono.fetch(request, {});
    return [status, queries];
  };
  const right = api.sign('GET', '/auth-test');
  assert.deepEqual(await ask(right), [200, 1]);
  assert.deepEqual(await ask(right), [200, 0], 'it is remembered');
  const wrong = 'f'.repeat(64);
  assert.deepEqual(await ask({ ...right, 'x-digest-signature': wrong }), [401, 1]);
  assert.deepEqual(await ask({ ...right, 'x-digest-key': 'abcdefghijkl' }), [401, 1]);
  assert.deepEqual(await ask({ 'x-basic': wrong }), [401, 1]);
});

test('what the database holds of X-Basic opens nothing', async () => {
  const rows = await api.db.query<{ hash: Uint8Array }>(
    sql`select basic_hash as hash from api_key_secret`,
  );
  assert.ok(rows.length > 0);
  for (const { hash } of rows) {
    const headers = { 'x-basic': hash.toHex() };
    assert.equal((await api.call('GET', '/auth-test', { auth: 'none', headers })).status, 401);
  }
});
