import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { refusalAnswer } from '#api/http/send-refusal.ts';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal, type RefusalKind, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { BASE_PATH } from './endpoint.ts';
import { clientAddress, createReplayWindow } from './http/limits.ts';
import { readJson, readQuery } from './http/read-input.ts';
import { findRoutes, ROUTES } from './routes.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('by default no proxy is trusted, whatever X-Forwarded-For says', () => {
  assert.equal(clientAddress('203.0.113.9', '192.0.2.1', []), '203.0.113.9');
  assert.equal(clientAddress('::ffff:203.0.113.9', null, []), '203.0.113.9');
});

test('the client is the rightmost address that is not a trusted proxy', () => {
  const trusted = ['10.0.0.0/8', '::1'];
  const cases: [remote: string, forwarded: string | null, client: string][] = [
    ['10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
    ['::ffff:a00:1', '192.0.2.1', '192.0.2.1'],
    ['10.0.0.1', '::ffff:c000:201', '192.0.2.1'],
    ['10.0.0.1', '0:0:0:0:0:FFFF:192.0.2.1', '192.0.2.1'],
    ['10.0.0.1', '2001:DB8:0::5', '2001:db8::5'],
    ['::1', '2001:db8::5', '2001:db8::5'],
    ['10.0.0.1', '198.51.100.7, 192.0.2.1', '192.0.2.1'],
    ['10.0.0.1', '192.0.2.1, 10.9.9.9', '192.0.2.1'],
    ['10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', '192.0.2.1, evil"><script>', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', null, '10.0.0.1'],
  ];
  for (const [remote, forwarded, client] of cases) {
    assert.equal(clientAddress(remote, forwarded, trusted), client, `${remote} ${forwarded}`);
  }
});

test('a signature of the create class is used at most 20 times in its window', async () => {
  const clock = manualClock('2026-11-21T10:00:00Z');
  const replays = createReplayWindow(clock);
  for (let use = 1; use <= 20; use += 1) replays.accept('key', 'mac');
  assert.throws(
    () => replays.accept('key', 'mac'),
    (error) => error instanceof Refusal && error.kind === 'too-many',
  );
  replays.accept('key', 'other');
  replays.accept('other', 'mac');
  await clock.advance(35_000);
  assert.throws(() => replays.accept('key', 'mac'), Refusal);
  await clock.advance(1_000);
  replays.accept('key', 'mac');
});

test('what is absent or empty is an empty object', () => {
  for (const text of ['', '{}', '[]', ' [ ] ', '{ }']) {
    assert.deepEqual(Object.keys(readJson(bytes(text)) ?? {}), [], text);
  }
});

test('malformed JSON is refused as such', () => {
  const malformed = [
    '{',
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '{"a":"\u0000"}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '\ufeff{}',
    '{"a":01}',
    '{"a":NaN}',
    '{} {}',
    "{'a':1}",
    '['.repeat(21) + ']'.repeat(21),
  ];
  const refused = (error: unknown) =>
    error instanceof Refusal && error.kind === 'invalid' && error.code === 'json_malformed';
  for (const text of malformed) assert.throws(() => readJson(bytes(text)), refused, text);
  assert.throws(() => readJson(new Uint8Array([0x22, 0xff, 0x22])), refused);
});

test('any bytes are JSON or refused, never a failure of ours', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
      try {
        readJson(body);
      } catch (error) {
        assert.ok(error instanceof Refusal);
      }
    }),
  );
});

test('parameters of a query are texts, each given once', () => {
  assert.deepEqual(
    { ...(readQuery('id=abc&wait=25&x=%C3%A9') as object) },
    {
      id: 'abc',
      wait: '25',
      x: 'é',
    },
  );
  for (const query of [
    'id=abc',
    'id=',
    'id',
    '=',
    'id=a b',
    'id=a+b',
    'id=a%20b',
    'id=a=b',
    'id=-._~',
  ]) {
    assert.deepEqual(
      { ...(readQuery(query) as object) },
      Object.fromEntries(new URLSearchParams(query)),
      query,
    );
  }
  assert.throws(() => readQuery('id=a&id=b'), /id: is given twice/);
  assert.throws(() => readQuery('id=%00'), /id: must be well-formed/);
  assert.throws(() => readQuery('meta.a%00=1'), /name of a parameter must be well-formed/);
  assert.deepEqual(Object.keys(readQuery('__proto__=1&constructor=2') ?? {}).length, 2);
});

test('every kind of refusal has one status and a generic first wording', () => {
  const statuses = (Object.keys(STATUS_OF_REFUSAL) as RefusalKind[]).map((kind) => {
    const refusal = new Refusal(kind, 'some_code', ['first', 'second']);
    const answer = refusalAnswer(refusal, 'requestid123', silentLog);
    const { errors } = JSON.parse(answer.body);
    assert.match(errors[0], /^[A-Z][a-z ]+\. first$/);
    assert.equal(errors[1], 'second');
    assert.equal(answer.headers['x-error-code'], 'some_code');
    assert.equal(answer.headers['x-request-id'], 'requestid123');
    // api-contract.md 2: 429 and 503 say when to come back.
    const isTold = /^[1-9]\d*$/.test(answer.headers['retry-after'] ?? '');
    if (kind === 'unavailable') assert.ok(isTold, 'a 503 has Retry-After');
    return answer.status;
  });
  assert.deepEqual(statuses, [400, 401, 403, 404, 405, 413, 409, 422, 429, 503]);
  const outage = refusalAnswer(new Outage('database'), 'r', silentLog);
  assert.deepEqual([outage.status, outage.headers['retry-after']], [503, '5']);
  assert.equal(refusalAnswer(new Error('x'), 'r', silentLog).status, 500);
});

test('no two accepted requests share a signed text', () => {
  // Path, ten digits, method: unambiguous while no path ends in a digit and none is upper case
  // (E1).
  for (const { path, method } of ROUTES) {
    assert.match(path, /^(?:\/[a-z][a-z-]*(?:\/\{id\}(?=\/))?)+(?:\.json)?$/);
    const asked = path.replace('{id}', 'a1b2c3d4e5f6');
    const found = findRoutes(`${BASE_PATH}${asked}`).find((route) => route.method === method);
    assert.equal(found?.path, asked);
  }
  const names = ROUTES.map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(names).size, names.length);
});

test('GET endpoints are read, and nothing else is', () => {
  for (const { method, path, auth } of ROUTES) {
    const isRead = auth === 'read' || auth === 'public';
    assert.equal(isRead, method === 'GET', path);
  }
});
