// api-contract.md 1: what existing clients send, as the very bytes they send, over a socket.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { sql } from '#db/db.ts';
import { type CallOptions, openTestApi, type TestApi } from '#test/support/test-api.ts';
import { type RunningServer, startServer } from './server.ts';

let api: TestApi;
let server: RunningServer;
before(async () => {
  api = await openTestApi();
  const { random } = api.app;
  const fetch = (request: Request, bindings: object) => api.api.fetch(request, bindings);
  const { answerDirectly } = api.api;
  server = await startServer({
    fetch,
    answerDirectly,
    port: 0,
    host: '127.0.0.1',
    random,
    log: silentLog,
  });
});
after(async () => {
  await server.close();
  await api.close();
});

type Sent = { readonly status: number; readonly text: string; readonly json: unknown };

/** One request on a connection of its own. */
function send(start: string, headers: Record<string, string>, body: string): Promise<Sent> {
  const lines = Object.entries({ Host: 'pay.example', Connection: 'close', ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(server.port, '127.0.0.1');
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject).on('close', () => {
      const [, status = ''] = /^HTTP\/1\.1 (\d{3})/.exec(received) ?? [];
      const text = received.slice(received.indexOf('{'), received.lastIndexOf('}') + 1);
      resolve({ status: Number(status), text, json: JSON.parse(text) });
    });
    socket.write(`${start} HTTP/1.1\r\n${head}\r\n${body}`);
  });
}

function signed(
  method: string,
  path: string,
  body: string,
  { query = '', headers = {}, ...options }: CallOptions = {},
): Promise<Sent> {
  const all = {
    ...api.sign(method, path, { body, ...options }),
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  return send(`${method} /api/v1${path}${query}`, all, body);
}

const charge = '{"billingCurrency":"EUR","lineItems":[{"description":"Book","netAmount":10}]}';

test('POST, PUT and DELETE sign and send a JSON body, GET signs none', async () => {
  const created = await signed('POST', '/customer', '{"customer":{"email":"a@shop.example"}}');
  assert.equal(created.status, 200, created.text);
  const { customerId: id } = created.json as { customerId: string };
  assert.match(id, /^[a-z0-9]{12}$/);
  const put = `{"customer":{"id":"${id}","company":"Fern"}}`;
  assert.equal((await signed('PUT', '/customer', put)).status, 200);
  const found = await signed('GET', '/customer', '', { query: `?id=${id}` });
  assert.match(found.text, /"company":"Fern"/);
  const forged = await signed('DELETE', '/customer', `{"id":"${id}"}`, { signedBody: '' });
  assert.equal(forged.status, 401);
  assert.equal((await signed('DELETE', '/customer', `{"id":"${id}"}`)).status, 200);
});

test('creation is answered with exactly 200, and ids are 12 characters', async () => {
  for (const path of ['/checkout', '/checkout/hosted']) {
    const { status, json, text } = await signed('POST', path, `{"charge":${charge}}`);
    assert.equal(status, 200, text);
    assert.match((json as { id: string }).id, /^[a-z0-9]{12}$/);
  }
});

test('optional fields and lists may be null, numbers may be text', async () => {
  const body =
    '{"charge":{"billingCurrency":"EUR","customerId":null,"discountItems":null,' +
    '"shippingCostItems":null,"taxItems":[{"name":"VAT","percent":"0.0825","taxBaseInclShipping":null}],' +
    '"lineItems":[{"description":"Book","netAmount":"10.0000","quantity":null,"productId":null}]},' +
    '"settlementAsset":null,"webhook":null,"anchors":null,"pageSettings":null,"meta":null}';
  const created = await signed('POST', '/checkout', body);
  assert.equal(created.status, 200, created.text);
  const total = await signed('POST', '/checkout/validate-checkout-charge', body);
  assert.match(total.text, /"total":"10\.83"/);
});

test('X-Origin-URL may be there, be empty, or be nonsense; it is kept for display only', async () => {
  for (const origin of ['https://shop.example/cart', '', 'javascript:alert(1)']) {
    const headers = { 'X-Origin-URL': origin };
    const { status, json } = await signed('POST', '/checkout', `{"charge":${charge}}`, { headers });
    assert.equal(status, 200, origin);
    const { id } = json as { id: string };
    const [row] = await api.db.query<{ origin: string | null }>(
      sql`select origin_url as origin from checkout where id = ${id}`,
    );
    assert.equal(row?.origin, origin.startsWith('https:') ? origin : null);
  }
});

test('an escaped slash and escaped letters are signed as they stand', async () => {
  const body = `{"charge":${charge.replace('Book', 'Caf\\u00e9 \\/ \\ud83d\\ude00')}}`;
  assert.equal((await signed('POST', '/checkout/validate-checkout-charge', body)).status, 200);
  const plain = `{"charge":${charge.replace('Book', 'Café / 😀')}}`;
  assert.equal((await signed('POST', '/checkout/validate-checkout-charge', plain)).status, 200);
  const other = await signed('POST', '/checkout/validate-checkout-charge', body, {
    signedBody: plain,
  });
  assert.equal(other.status, 401);
});

test('JSON comes as application/x-www-form-urlencoded, and a GET with a content type', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const post = await signed('POST', '/checkout', `{"charge":${charge}}`, { headers });
  assert.equal(post.status, 200);
  const json = { 'Content-Type': 'application/json; charset=UTF-8' };
  assert.equal((await signed('GET', '/networks', '', { headers: json })).status, 200);
});

test('no parameters may be sent as {} or [] and signed as nothing', async () => {
  for (const body of ['{}', '[]']) {
    const get = await signed('GET', '/auth-test', body, { signedBody: '' });
    assert.equal(get.status, 200, get.text);
    const post = await signed('POST', '/checkout', body, { signedBody: '' });
    assert.equal(post.status, 400, 'the signature is accepted, the empty object is not enough');
  }
});

test('the query is not signed, a bare ? may follow the path, and /time needs nothing', async () => {
  for (const query of ['', '?', '?a=1']) {
    assert.equal((await signed('GET', '/auth-test', '', { query })).status, 200, query);
    assert.equal((await send(`GET /api/v1/time${query}`, {}, '')).status, 200, query);
  }
});

test('every failure under /api/ is { "errors": [..] }', async () => {
  const answers = [
    await send('GET /api', {}, ''),
    await send('GET /api/', {}, ''),
    await send('GET /api/v2/time', {}, ''),
    await send('GET /api/v1/%74ime', {}, ''),
    await send('PATCH /api/v1/time', {}, ''),
    await send('GET /api/v1/networks', {}, ''),
    await signed('POST', '/checkout', '{'),
    await signed('POST', '/checkout', `{"charge":${charge},"charge":{}}`),
  ];
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(statuses, [404, 404, 404, 404, 405, 401, 400, 400]);
  for (const { json } of answers) assert.deepEqual(Object.keys(json as object), ['errors']);
});

test('keys have 12 characters and secrets 29, as plugins demand', () => {
  assert.match(api.key.key, /^[a-z0-9]{12}$/);
  assert.match(api.key.secret, /^[a-z0-9]{4}(?:-[a-z0-9]{4}){5}$/);
});
