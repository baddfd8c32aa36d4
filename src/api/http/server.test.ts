import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { jsonLog } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { createApi } from './create-api.ts';
import { type RunningServer, startServer } from './server.ts';

let api: TestApi;
let server: RunningServer;
const logged: string[] = [];

before(async () => {
  api = await openTestApi();
  server = await listen(api.api);
});
after(async () => {
  await server.close();
  await api.close();
});

type Fetch = { fetch(request: Request, bindings: HttpBindings): Response | Promise<Response> };

function listen(app: Fetch): Promise<RunningServer> {
  const { random, clock } = api.app;
  const log = jsonLog((line) => logged.push(line), 'info', clock);
  const fetch = (request: Request, bindings: HttpBindings) => app.fetch(request, bindings);
  return startServer({ fetch, port: 0, host: '127.0.0.1', random, log });
}

/** Sends bytes, reads until so many answers are whole, and to the end where the last closes. */
async function raw(text: string, port = server.port, answers = 1): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const isOver = Promise.withResolvers<void>();
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (hasAnswers(Buffer.concat(chunks), answers, text.startsWith('HEAD '))) isOver.resolve();
  });
  socket.on('close', () => isOver.resolve());
  socket.on('error', () => undefined);
  socket.write(text);
  const timer = setTimeout(() => isOver.resolve(), 30_000);
  await isOver.promise;
  clearTimeout(timer);
  socket.destroy();
  return Buffer.concat(chunks).toString();
}

/** Whole ones; after one that closes the connection only its end is waited for. */
function hasAnswers(bytes: Buffer, answers: number, isHead: boolean): boolean {
  let whole = 0;
  for (let at = 0; whole < answers; ) {
    const bodyAt = bytes.indexOf('\r\n\r\n', at) + 4;
    if (bodyAt < 4) return false;
    const head = bytes.subarray(at, bodyAt).toString('latin1');
    if (/\r\nconnection: close\r\n/i.test(head)) return false;
    const isInterim = /^HTTP\/1\.1 1\d\d /.test(head);
    at = isInterim || isHead ? bodyAt : endOfBody(bytes, bodyAt, head);
    if (at > bytes.length) return false;
    if (!isInterim) whole += 1;
  }
  return true;
}

function endOfBody(bytes: Buffer, bodyAt: number, head: string): number {
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  if (length !== undefined) return bodyAt + Number(length);
  const end = '0\r\n\r\n';
  const endAt = bytes.indexOf(end, bodyAt);
  return endAt < 0 ? Number.POSITIVE_INFINITY : endAt + end.length;
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function assertErrorShape(answer: string, status: number): void {
  assert.equal(statusOf(answer), status, answer);
  assert.match(answer, /\r\nx-request-id: [a-z0-9]{12}\r\n/i);
  assert.match(answer, /\r\nx-error-code: [a-z_]+\r\n/i);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  const json = /^[0-9a-f]+\r\n/i.test(body) ? body.split('\r\n')[1] : body;
  const { errors } = JSON.parse(json ?? '') as { errors: string[] };
  assert.ok(errors.length > 0 && errors.every((entry) => typeof entry === 'string'));
}

const host = 'Host: pay.example\r\n';

test('a signed request with a body arrives over a socket as it was sent', async () => {
  const path = '/checkout/validate-checkout-charge';
  const body =
    '{ "charge" : {"billingCurrency":"EUR","lineItems":[{"description":"\\/ \\u00e9 é","netAmount":"1.10"}]}}';
  const headers = {
    ...api.sign('POST', path, { body }),
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
  };
  const answer = await raw(
    `POST /api/v1${path}? HTTP/1.1\r\n${host}${headerLines(headers)}\r\n${body}`,
  );
  assert.equal(statusOf(answer), 200, answer);
  assert.match(answer, /"total":"1.10"/);
});

test('a GET may bring a content type and an empty object, and no other body', async () => {
  const get = (body: string) =>
    raw(
      `GET /api/v1/auth-test HTTP/1.1\r\n${host}Content-Type: application/json; charset=UTF-8\r\n` +
        `${headerLines(api.sign('GET', '/auth-test'))}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  for (const body of ['', '{}', '[]']) assert.equal(statusOf(await get(body)), 200, body);
  assertErrorShape(await get('{"a":1}'), 400);
});

test('only the path itself is the path: everything else is 404 before authentication', async () => {
  const paths = [
    '/api/v1/Auth-Test',
    '/api/v1/auth-test/',
    '/api/v1//auth-test',
    '/api/v1/./auth-test',
    '/api/v1/x/../auth-test',
    '/api/v1/auth%2dtest',
    '/api/v1/auth-test%3f',
    '/api/v1/auth-test;a=1',
    '/api/v1/auth-test#x',
    '/api/v1%2fauth-test',
    '/api/v2/auth-test',
    '/api/v1',
    '/api/v1/',
    '/api',
    '/api/v1/nothing',
    '/api/v1/auth-test\\',
  ];
  for (const path of paths) {
    const answer = await raw(`GET ${path} HTTP/1.1\r\n${host}\r\n`);
    const status = statusOf(answer);
    assert.ok(status === 404 || status === 400, `${path}: ${answer}`);
    if (path.startsWith('/api/')) assert.match(answer, /"errors"/, path);
  }
});

test('a target that is not a path is refused', async () => {
  for (const target of ['http://pay.example/api/v1/time', 'https://other.example/api/v1/time']) {
    const answer = await raw(`GET ${target} HTTP/1.1\r\n${host}\r\n`);
    assertErrorShape(answer, 400);
    assert.match(answer, /\r\nconnection: close\r\n/i);
  }
  assertErrorShape(await raw(`OPTIONS * HTTP/1.1\r\n${host}\r\n`), 400);
});

test('a wrong method is 405 with the right ones', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await raw(`${method} /api/v1/time HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`);
    assertErrorShape(answer, 405);
    assert.match(answer, /\r\nallow: GET\r\n/i);
  }
  const head = await raw(`HEAD /api/v1/time HTTP/1.1\r\n${host}\r\n`);
  assert.equal(statusOf(head), 405);
  const override = await raw(
    `POST /api/v1/time HTTP/1.1\r\n${host}X-HTTP-Method-Override: GET\r\nContent-Length: 0\r\n\r\n`,
  );
  assertErrorShape(override, 405);
});

test('authentication headers sent twice are refused', async () => {
  const signed = api.sign('GET', '/auth-test');
  for (const name of Object.keys(signed)) {
    const twice = `${headerLines(signed)}${name}: ${signed[name]}\r\n`;
    const answer = await raw(`GET /api/v1/auth-test HTTP/1.1\r\n${host}${twice}\r\n`);
    assertErrorShape(answer, 401);
  }
});

test('two lengths, or a length and chunks, are refused and the connection closed', async () => {
  const smuggled = [
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd',
    'Transfer-Encoding: identity, chunked, gzip\r\n\r\n0\r\n\r\n',
    'Content-Length: +4\r\n\r\nabcd',
  ];
  for (const rest of smuggled) {
    const answer = await raw(`POST /api/v1/checkout HTTP/1.1\r\n${host}${rest}`);
    assertErrorShape(answer, 400);
    assert.match(answer, /\r\nconnection: close\r\n/i);
  }
});

test('what is not HTTP is answered in the same shape', async () => {
  assertErrorShape(await raw('\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'), 400);
  assertErrorShape(await raw('GET /api/v1/time HTTP/1.1\r\n\r\n'), 400);
  const large = `X-Large: ${'x'.repeat(20_000)}\r\n`;
  assertErrorShape(await raw(`GET /api/v1/time HTTP/1.1\r\n${host}${large}\r\n`), 431);
});

test('a compressed body is refused', async () => {
  const answer = await raw(
    `POST /api/v1/checkout HTTP/1.1\r\n${host}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
  );
  assertErrorShape(answer, 400);
});

test('a body of more than 256 KiB is refused, however its length is told', async () => {
  const declared = await raw(
    `POST /api/v1/checkout HTTP/1.1\r\n${host}Content-Length: 262145\r\n\r\n${'x'.repeat(262_145)}`,
  );
  assertErrorShape(declared, 413);
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const chunked = await raw(
    `POST /api/v1/checkout HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n` +
      `${chunk.repeat(5)}0\r\n\r\n`,
  );
  assertErrorShape(chunked, 413);
  const huge = await raw(
    `POST /api/v1/checkout HTTP/1.1\r\n${host}Content-Length: 99999999999\r\n\r\nx`,
  );
  assertErrorShape(huge, 413);
  const allowed = await raw(
    `POST /api/v1/checkout HTTP/1.1\r\n${host}Content-Length: 262144\r\n\r\n${'x'.repeat(262_144)}`,
  );
  assertErrorShape(allowed, 401);
});

test('a client that goes away in the middle of its body hurts nobody', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST /api/v1/checkout HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\n{`);
  await wait(50);
  socket.destroy();
  await wait(50);
  assert.equal(statusOf(await raw(`GET /api/v1/time HTTP/1.1\r\n${host}\r\n`)), 200);
  assert.ok(!logged.some((line) => line.includes('500')), logged.join('\n'));
});

test('a slow client is answered and let go', async () => {
  const { random, log } = api.app;
  const timeouts = { headersMs: 2_000, bodyMs: 200, idleMs: 1_000, stalledMs: 5_000 };
  const fetch = (request: Request, bindings: HttpBindings) => api.api.fetch(request, bindings);
  const hasty = await startServer({ fetch, port: 0, host: '127.0.0.1', random, log, timeouts });
  try {
    const slowBody = `POST /api/v1/checkout HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\n{`;
    const answer = await raw(slowBody, hasty.port);
    assertErrorShape(answer, 400);
    assert.match(answer, /x-error-code: body_timeout/i);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    assertErrorShape(await raw('GET /api/v1/time HTTP/1.1\r\nX-Slow', hasty.port), 408);
  } finally {
    await hasty.close();
  }
});

/** Says half of something, hears the end out and stays: true when the other side let it go. */
async function staysOn(text: string, port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const letGo = Promise.withResolvers<boolean>();
  socket.on('error', () => letGo.resolve(true));
  socket.on('close', () => letGo.resolve(true));
  socket.resume();
  socket.write(text);
  // A byte to a connection that nobody holds any more is answered with its reset.
  const nudge = setInterval(() => socket.readableEnded && socket.write('x'), 20);
  const timer = setTimeout(() => letGo.resolve(false), 20_000);
  const isLetGo = await letGo.promise;
  clearInterval(nudge);
  clearTimeout(timer);
  socket.destroy();
  return isLetGo;
}

test('300 clients that stop in the middle and never close are let go', async () => {
  const { random, log } = api.app;
  const timeouts = { headersMs: 200, bodyMs: 200, idleMs: 200, stalledMs: 400 };
  const fetch = () => new Response();
  const hasty = await startServer({ fetch, port: 0, host: '127.0.0.1', random, log, timeouts });
  try {
    const halves = [
      'GET /api/v1/time HTTP/1.1\r\nX-Slow',
      `POST /api/v1/checkout HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\n{`,
      'no HTTP at all\r\n\r\n',
    ];
    const clients = halves.flatMap((half) => Array.from({ length: 100 }, () => half));
    const letGo = await Promise.all(clients.map((half) => staysOn(half, hasty.port)));
    assert.deepEqual(
      letGo,
      clients.map(() => true),
    );
  } finally {
    await hasty.close();
  }
});

/** Asks twice over one connection, silent for so long between; how many answers came. */
async function asksTwice(port: number, silentMs: number): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const answers = () => text.split('HTTP/1.1 200').length - 1;
  const ask = async () => {
    const before = answers();
    socket.write(`GET /api/v1/time HTTP/1.1\r\n${host}\r\n`);
    while (answers() === before && !socket.closed) await wait(10);
  };
  await ask();
  await wait(silentMs);
  if (!socket.closed) await ask();
  socket.destroy();
  return answers();
}

test('a silent connection of a proxy is kept longer than that of anybody else, half a request is not', async () => {
  const { random, log } = api.app;
  // Node adds a second to the time it is told.
  const timeouts = { headersMs: 500, bodyMs: 500, idleMs: 100, stalledMs: 20_000 };
  const fetch = (request: Request, bindings: HttpBindings) => api.api.fetch(request, bindings);
  const options = { fetch, port: 0, host: '127.0.0.1', random, log, timeouts };
  const [proxied, others] = await Promise.all([
    startServer({ ...options, keptLonger: { isFrom: isLoopback, idleMs: 4_000 } }),
    startServer({ ...options, keptLonger: { isFrom: () => false, idleMs: 4_000 } }),
  ]);
  try {
    const asked = [asksTwice(proxied.port, 2_000), asksTwice(others.port, 2_000)];
    assert.deepEqual(await Promise.all(asked), [2, 1]);
    assert.equal(await asksTwice(proxied.port, 4_500), 1, 'and it is let go in the end');
    const half = `GET /api/v1/time HTTP/1.1\r\n${host}\r\nGET /api/v1/time HTTP/1.1\r\nX-Slow`;
    assert.ok(await staysOn(half, proxied.port));
  } finally {
    await Promise.all([proxied.close(), others.close()]);
  }
});

const isLoopback = (address: string) => address === '127.0.0.1';

test('a client that never reads its answer is let go', async () => {
  const { random, log } = api.app;
  const timeouts = { headersMs: 2_000, bodyMs: 2_000, idleMs: 2_000, stalledMs: 300 };
  const letGo = Promise.withResolvers<boolean>();
  const fetch = (_request: Request, { incoming }: HttpBindings) => {
    incoming.socket.on('close', () => letGo.resolve(true));
    return new Response(new Uint8Array(64 * 1024 * 1024));
  };
  const hasty = await startServer({ fetch, port: 0, host: '127.0.0.1', random, log, timeouts });
  const socket = connect(hasty.port, '127.0.0.1');
  const timer = setTimeout(() => letGo.resolve(false), 20_000);
  try {
    socket.on('error', () => undefined);
    socket.write(`GET / HTTP/1.1\r\n${host}\r\n`);
    assert.equal(await letGo.promise, true);
  } finally {
    clearTimeout(timer);
    socket.destroy();
    await hasty.close();
  }
});

test('a client that waits to be told to go on is told, and any other expectation is no matter', async () => {
  const path = '/checkout/validate-checkout-charge';
  const body =
    '{"charge":{"billingCurrency":"EUR","lineItems":[{"description":"x","netAmount":1}]}}';
  for (const expectation of ['100-continue', 'something']) {
    const headers = {
      ...api.sign('POST', path, { body }),
      expect: expectation,
      'content-length': String(body.length),
    };
    const answer = await raw(
      `POST /api/v1${path} HTTP/1.1\r\n${host}${headerLines(headers)}\r\n${body}`,
    );
    assert.match(answer, /HTTP\/1\.1 200 OK\r\n/, expectation);
    assert.equal(answer.startsWith('HTTP/1.1 100 Continue'), expectation === '100-continue');
  }
});

test('several requests share a connection', async () => {
  const get = `GET /api/v1/time HTTP/1.1\r\n${host}\r\n`;
  const answers = await raw(get + get + get, server.port, 3);
  assert.equal(answers.match(/HTTP\/1\.1 200/g)?.length, 3);
});

test('every answer carries its security headers', async () => {
  const answer = await raw(`GET /api/v1/time HTTP/1.1\r\n${host}\r\n`);
  for (const line of [
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
  ]) {
    assert.ok(answer.toLowerCase().includes(`\r\n${line}\r\n`), line);
  }
  assert.doesNotMatch(answer, /x-powered-by|server:/i);
});

test('a dependency that is down is 503 with Retry-After, a bug 500, and neither says more', async () => {
  const secret = 'password=hunter2 at /srv/quittance/db.ts';
  const cases: [Error, number, string][] = [
    [new Outage('database', { cause: new Error(secret) }), 503, 'unavailable'],
    [new TypeError(secret), 500, 'internal'],
  ];
  for (const [failure, status, code] of cases) {
    const db = { ...api.app.db, query: () => Promise.reject(failure) };
    const broken = await listen(createApi({ ...api.app, db }));
    try {
      const headers = headerLines(api.sign('GET', '/auth-test'));
      const answer = await raw(
        `GET /api/v1/auth-test HTTP/1.1\r\n${host}${headers}\r\n`,
        broken.port,
      );
      assertErrorShape(answer, status);
      assert.match(answer, new RegExp(`x-error-code: ${code}\r\n`, 'i'));
      assert.equal(/\r\nretry-after: \d+\r\n/i.test(answer), status === 503);
      assert.doesNotMatch(answer, /hunter2|srv|\.ts/);
    } finally {
      await broken.close();
    }
  }
});

test('a port that is taken is an error of starting', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  const { random, log } = api.app;
  const fetch = () => new Response();
  await assert.rejects(startServer({ fetch, port, host: '127.0.0.1', random, log }), /EADDRINUSE/);
  await new Promise((resolve) => taken.close(resolve));
});
