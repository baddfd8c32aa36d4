import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { ROUTES } from '#api/routes.ts';
import { silentLog } from '#base/log.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { startServer } from './server.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

const CHARGE = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '1.10' }] };
const conditional = ROUTES.filter((route) => route.isConditional);

async function queryOf(path: string): Promise<string> {
  if (path !== '/checkout') return '';
  const { json } = await api.call('POST', '/checkout', { body: { charge: CHARGE } });
  return `?id=${json.id}`;
}

function get(path: string, query: string, tag?: string) {
  return api.call('GET', path, { query, headers: tag ? { 'if-none-match': tag } : {} });
}

test('catalogues, languages, the document and a checkout are sent once to who keeps them', async () => {
  assert.ok(conditional.length >= 9);
  for (const { path } of conditional) {
    const query = await queryOf(path);
    const whole = await get(path, query);
    const tag = whole.headers.get('etag') ?? '';
    assert.equal(tag, `"${hash('sha256', whole.text, 'base64url')}"`, path);
    await api.clock.advance(2_000);
    const again = await get(path, query, tag);
    assert.deepEqual([again.status, again.text], [304, ''], path);
    assert.equal(again.headers.get('etag'), tag);
    assert.equal(again.headers.get('content-type'), null);
    assert.match(again.headers.get('x-request-id') ?? '', /^\w{12}$/);
    const other = await get(path, query, '"other"');
    assert.deepEqual([other.status, other.text], [200, whole.text], path);
  }
});

test('tags are compared weakly, in a list, and an asterisk is any', async () => {
  const tag = (await get('/networks', '')).headers.get('etag') ?? '';
  for (const named of [`W/${tag}`, `"a", ${tag}`, `"a",W/${tag} ,"b"`, '*']) {
    assert.equal((await get('/networks', '', named)).status, 304, named);
  }
  for (const named of ['', tag.slice(1, -1), tag.toUpperCase(), '"*"']) {
    assert.equal((await get('/networks', '', named)).status, 200, named);
  }
});

test('whoever has no right key learns nothing by a tag', async () => {
  const headers = { 'if-none-match': '*' };
  for (const { path, auth } of conditional) {
    const { status } = await api.call('GET', path, { auth: 'none', headers });
    assert.equal(status, auth === 'public' ? 304 : 401, path);
  }
  const query = await queryOf('/checkout');
  const key = await api.otherMerchant();
  assert.equal((await api.call('GET', '/checkout', { query, key, headers })).status, 404);
});

test('a checkout that changed is sent again', async () => {
  const query = await queryOf('/checkout');
  const tag = (await get('/checkout', query)).headers.get('etag') ?? '';
  const body = { checkoutId: query.slice('?id='.length) };
  assert.equal((await api.call('POST', '/checkout/cancel', { body })).status, 200);
  const changed = await get('/checkout', query, tag);
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get('etag'), tag);
});

test('on the socket 304 is a head alone, and the connection goes on', async () => {
  const { random } = api.app;
  const server = await startServer({
    fetch: (request, bindings) => api.api.fetch(request, bindings),
    answerDirectly: api.api.answerDirectly,
    ...{ port: 0, host: '127.0.0.1', random, log: silentLog },
  });
  try {
    const received = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
      socket.on('data', (part) => {
        text += part;
      });
      socket.on('error', reject).on('close', () => resolve(text));
      const ask = (path: string, header: string) =>
        `GET /api/v1${path} HTTP/1.1\r\nhost: pay.example\r\n${header}\r\n\r\n`;
      socket.write(ask('/languages', 'if-none-match: *') + ask('/time', 'connection: close'));
    });
    const [first = '', second = '', ...rest] = received.split('\r\n\r\n');
    assert.match(first, /^HTTP\/1\.1 304 /);
    assert.doesNotMatch(first, /^(?:content-length|transfer-encoding|content-type):/im);
    assert.match(second, /^HTTP\/1\.1 200 /);
    assert.match(rest.join(''), /^\{"time":/);
  } finally {
    await server.close();
  }
});
