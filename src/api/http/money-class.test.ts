import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress, allowAnyCaller, forbidAddress } from '#access/allow-list.ts';
import { allowBasic, createApiKey, revokeApiKey } from '#access/api-key.ts';
import { createKeyCache, findApiKey } from '#access/caller.ts';
import { ROUTES } from '#api/routes.ts';
import { sql } from '#db/db.ts';
import { digestSignature } from '#test/support/digest-signature.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { authenticate, useSignature } from './authenticate.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

const route = {
  method: 'POST',
  path: '/transfer',
  auth: 'money',
  scope: 'money',
  digestOnly: true,
} as const;

async function call(options: { auth?: 'digest' | 'basic'; address?: string } = {}) {
  const { auth = 'digest', address = '192.0.2.1' } = options;
  const headers = new Headers(api.sign('POST', '/transfer', { auth, body: '{"a":1}' }));
  const body = new TextEncoder().encode('{"a":1}');
  return authenticate(api.app, route, { headers, body, address });
}

const owner = () => ({ merchantId: api.merchantId, environment: 'test' as const });

test('an empty allow-list is closed to money-moving calls, and says how to fill it with the address that called', async () => {
  await assert.rejects(call(), ({ code, kind, message }) => {
    assert.deepEqual([code, kind], ['allow_list_empty', 'forbidden']);
    return /allow-list add 192\.0\.2\.1 --for withdrawals --environment test/.test(message);
  });
});

test('money moves for a signed call from a listed address only', async () => {
  assert.deepEqual(
    await allowAddress(api.app, owner(), { use: 'withdrawals', address: '192.0.2.77/24' }),
    { calls: undefined, withdrawals: ['192.0.2.0/24'] },
  );
  const { caller, mac } = await call();
  assert.deepEqual([caller.method, mac?.length], ['digest', 64]);
  await assert.rejects(call({ address: '198.51.100.1' }), { code: 'address_not_allowed' });
  assert.deepEqual(
    await forbidAddress(api.app, owner(), { use: 'withdrawals', address: '192.0.2.0/24' }),
    { calls: undefined, withdrawals: [] },
  );
});

test('X-Basic never moves money, even where it is switched on', async () => {
  await allowAddress(api.app, owner(), { use: 'withdrawals', address: '192.0.2.1' });
  await allowBasic(api.app, api.key.key, true);
  await assert.rejects(call({ auth: 'basic' }), { kind: 'forbidden', code: 'method_not_accepted' });
  await forbidAddress(api.app, owner(), { use: 'withdrawals', address: '192.0.2.1' });
});

test('a key that a server remembers moves no money from the moment it is revoked', async () => {
  const { key } = await createApiKey(api.app, owner());
  const keyCache = createKeyCache(api.clock, () => true);
  const remembered = await findApiKey({ ...api.app, keyCache }, key);
  assert.ok(remembered && keyCache.find(key) === remembered);
  await revokeApiKey(api.app, key);
  const [secret = ''] = remembered.secrets;
  const timestampText = String(api.clock.now().epochMilliseconds / 1000).split('.')[0] ?? '';
  const body = new TextEncoder().encode('{"a":1}');
  const signed = { path: '/transfer', method: 'POST', timestampText, body };
  const headers = new Headers({
    'x-digest-key': key,
    'x-digest-timestamp': timestampText,
    'x-digest-signature': digestSignature(signed, secret),
  });
  const request = { headers, body, address: '192.0.2.1' };
  await assert.rejects(async () => authenticate({ ...api.app, keyCache }, route, request), {
    code: 'authentication_failed',
  });
});

test('a key that is remembered is looked for as often as one that nobody has', async () => {
  const { key } = await createApiKey(api.app, owner());
  const keyCache = createKeyCache(api.clock, () => true);
  await findApiKey({ ...api.app, keyCache }, key);
  const timestampText = String(api.clock.now().epochMilliseconds / 1000).split('.')[0] ?? '';
  const queries = async (named: string) => {
    let asked = 0;
    const query: typeof api.db.query = (statement) => {
      asked += 1;
      return api.db.query(statement);
    };
    const headers = new Headers({
      'x-digest-key': named,
      'x-digest-timestamp': timestampText,
      'x-digest-signature': 'ab'.repeat(32),
    });
    const request = { headers, body: new Uint8Array(0), address: '192.0.2.1' };
    const read = { ...route, auth: 'read', scope: 'read' } as const;
    const app = { ...api.app, db: { ...api.db, query }, keyCache };
    await assert.rejects(async () => authenticate(app, read, request), {
      code: 'authentication_failed',
    });
    return asked;
  };
  assert.deepEqual([await queries(key), await queries('aaaaaaaaaaaa')], [1, 1]);
});

test('of 20 uses of a signature at once one is accepted', async () => {
  const mac = 'ab'.repeat(32);
  const uses = await Promise.allSettled(
    Array.from({ length: 20 }, () => useSignature(api.app, { apiKey: api.key.key, mac })),
  );
  assert.equal(uses.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const use of uses) {
    if (use.status === 'rejected') assert.equal(use.reason.code, 'signature_used');
  }
});

test('used signatures are forgotten once their age alone refuses them', async () => {
  const count = async () => {
    const [row] = await api.db.query<{ n: bigint }>(sql`select count(*) as n from used_signature`);
    return Number(row?.n);
  };
  await useSignature(api.app, { apiKey: api.key.key, mac: 'cd'.repeat(32) });
  const before = await count();
  await api.clock.advance(121_000);
  await useSignature(api.app, { apiKey: api.key.key, mac: 'ef'.repeat(32) });
  assert.ok(before > 1);
  assert.equal(await count(), 1);
});

test('a key with scopes does what they say and nothing else', async () => {
  const { app, merchantId } = api;
  const environment = 'test';
  const key = await createApiKey(app, { merchantId, environment, scopes: ['read'] });
  assert.equal((await api.call('GET', '/networks', { key })).status, 200);
  assert.equal((await api.call('GET', '/auth-test', { key })).status, 200);
  const refused = await api.call('POST', '/checkout', { key, body: {} });
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [403, 'scope_missing']);
});

test('every money-moving route is closed to an empty list, to X-Basic and to another scope', async () => {
  const { app, merchantId } = api;
  const other = { merchantId, environment: 'test', scopes: ['checkout', 'read'] } as const;
  const scoped = await createApiKey(app, other);
  for (const { method, path } of ROUTES.filter(({ auth }) => auth === 'money')) {
    const codes: (string | null)[] = [];
    const answer = async (options: object) => {
      const { headers } = await api.call(method, path, { body: {}, ...options });
      codes.push(headers.get('x-error-code'));
    };
    await answer({});
    await answer({ auth: 'basic' });
    await allowAddress(app, owner(), { use: 'withdrawals', address: '127.0.0.1' });
    await answer({ key: scoped });
    await forbidAddress(app, owner(), { use: 'withdrawals', address: '127.0.0.1' });
    assert.deepEqual(codes, ['allow_list_empty', 'method_not_accepted', 'scope_missing'], path);
  }
});

test('a repeat of a money-moving request is refused, byte for byte the same', async () => {
  await allowAddress(api.app, owner(), { use: 'withdrawals', address: '127.0.0.1' });
  for (const { method, path } of ROUTES.filter(({ auth }) => auth === 'money')) {
    await api.call(method, path, { body: {} });
    const repeat = await api.call(method, path, { body: {} });
    assert.deepEqual([repeat.status, repeat.headers.get('x-error-code')], [409, 'signature_used']);
  }
  await forbidAddress(api.app, owner(), { use: 'withdrawals', address: '127.0.0.1' });
});

test('an address listed for withdrawals closes nothing to the others', async () => {
  const elsewhere = { listed: '192.0.2.1', caller: '198.51.100.7' };
  await allowAddress(api.app, owner(), { use: 'withdrawals', address: elsewhere.listed });
  const read = { method: 'GET', path: '/wallets', auth: 'read', scope: 'read' } as const;
  const headers = new Headers(api.sign('GET', '/wallets'));
  const asked = { headers, body: new Uint8Array(0), address: elsewhere.caller };
  const { caller } = await authenticate(api.app, { ...read, digestOnly: false }, asked);
  assert.equal(caller.apiKey, api.key.key);
  await assert.rejects(call({ address: elsewhere.caller }), { code: 'address_not_allowed' });
  await forbidAddress(api.app, owner(), { use: 'withdrawals', address: elsewhere.listed });
});

test('an address listed for calls moves no money, and closes calls to any other', async () => {
  await allowAddress(api.app, owner(), { use: 'calls', address: '192.0.2.1' });
  await assert.rejects(call({ address: '192.0.2.1' }), { code: 'allow_list_empty' });
  await allowAddress(api.app, owner(), { use: 'withdrawals', address: '192.0.2.2' });
  await assert.rejects(call({ address: '192.0.2.2' }), { code: 'address_not_allowed' });
  await allowAddress(api.app, owner(), { use: 'calls', address: '192.0.2.2' });
  assert.equal((await call({ address: '192.0.2.2' })).caller.method, 'digest');
  const closed = await forbidAddress(api.app, owner(), { use: 'calls', address: '192.0.2.1' });
  assert.deepEqual(closed.calls, ['192.0.2.2/32']);
  await allowAnyCaller(api.app, owner());
  await forbidAddress(api.app, owner(), { use: 'withdrawals', address: '192.0.2.2' });
});
