// Answers are whole or none, nobody is followed elsewhere, secrets are in headers only; where the
// certificate of the node is pinned no other server is spoken to, whoever signed its certificate and
// whatever name it carries.

import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Outage } from '#base/refusal.ts';
import {
  loopbackShopCertificate,
  loopbackShopKey,
  selfSignedCertificate,
  selfSignedKey,
} from '#test/support/self-signed.ts';
import { AnswerTooLong, openHttpClient, retryAfterMs } from './http-client.ts';

const SECRET = 'a secret of the node';
const servers: http.Server[] = [];
let heard: (string | undefined)[] = [];
let asked: string[] = [];
let urls: { named: string; other: string; plain: string };

before(async () => {
  const answer: http.RequestListener = (request, response) => {
    heard.push(request.headers.rune as string | undefined);
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    if (request.url === '/large') return void response.end(Buffer.alloc(2000, 'x'));
    if (request.url === '/elsewhere') {
      return void response.writeHead(302, { location: '/' }).end();
    }
    const isZipped = request.headers['accept-encoding'] === 'gzip';
    if (isZipped && request.url?.startsWith('/zipped')) {
      const zipped = gzipSync(Buffer.alloc(request.url === '/zipped' ? 900 : 5000, 'x'));
      const isWhole = request.url !== '/zipped-cut';
      response.writeHead(200, { 'content-encoding': 'gzip' });
      return void response.end(isWhole ? zipped : zipped.subarray(0, -9));
    }
    if (request.url === '/never') return;
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{');
      return void setImmediate(() => request.socket.destroy());
    }
    response.end('{}');
  };
  const named = { key: loopbackShopKey, cert: loopbackShopCertificate };
  // For shop.test: another name than the one that is called.
  const other = { key: selfSignedKey, cert: selfSignedCertificate };
  const portOf = async (server: http.Server) => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  urls = {
    named: `https://127.0.0.1:${await portOf(https.createServer(named, answer))}`,
    other: `https://127.0.0.1:${await portOf(https.createServer(other, answer))}`,
    plain: `http://127.0.0.1:${await portOf(http.createServer(answer))}`,
  };
});
after(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

async function ask(url: string, certificate: string | undefined, path = '/') {
  heard = [];
  const options = {
    what: 'live:LIGHTNING',
    url,
    certificate,
    timeoutMs: path === '/never' ? 500 : 30_000,
    mostAnswerBytes: 1000,
  };
  const client = openHttpClient({ ...options, connections: 1, headers: { rune: SECRET } });
  try {
    const { status, body } = await client.ask({ path });
    return { status, text: body.toString() };
  } finally {
    client.close();
  }
}

const isOutage = (error: unknown) => {
  assert(error instanceof Outage);
  assert.ok(!error.message.includes(SECRET));
  return true;
};

test('the pinned certificate is spoken to, also under another name', async () => {
  assert.deepEqual(await ask(urls.named, loopbackShopCertificate), { status: 200, text: '{}' });
  assert.deepEqual(await ask(urls.other, selfSignedCertificate), { status: 200, text: '{}' });
  assert.deepEqual(heard, [SECRET]);
});

const strangers: readonly [name: string, url: () => string, certificate: string | undefined][] = [
  ['another certificate than the pinned one', () => urls.other, loopbackShopCertificate],
  ['the other way round', () => urls.named, selfSignedCertificate],
  ['one that nobody vouches for, without a pin', () => urls.other, undefined],
];
for (const [name, url, certificate] of strangers) {
  test(`${name} is refused before a secret is sent`, async () => {
    await assert.rejects(ask(url(), certificate), isOutage);
    assert.deepEqual(heard, []);
  });
}

test('an answer that is too large, cut short, late or elsewhere is an outage', async () => {
  for (const path of ['/large', '/cut', '/never', '/elsewhere']) {
    await assert.rejects(ask(urls.plain, undefined, path), isOutage, path);
  }
});

const LONG = { connections: 1, timeoutMs: 30_000, mostAnswerBytes: 100_000 };

function openPlain(url: string) {
  const limits = { connections: 1, timeoutMs: 30_000, mostAnswerBytes: 1000 };
  return openHttpClient({ ...limits, what: 'live:STELLAR', url, takesGzip: true });
}

test('an answer that was compressed is as large as it was before', async () => {
  const client = openPlain(urls.plain);
  const { body } = await client.ask({ path: '/zipped' });
  assert.equal(body.toString(), 'x'.repeat(900));
  await assert.rejects(client.ask({ path: '/zipped-large' }), AnswerTooLong);
  const cut = openHttpClient({ ...LONG, what: 'live:STELLAR', url: urls.plain, takesGzip: true });
  await assert.rejects(cut.ask({ path: '/zipped-cut' }), /its answer was cut off/);
  client.close();
  cut.close();
});

test('user and password are sent as Basic authentication, and are in no name', async () => {
  const client = openPlain(urls.plain.replace('//', '//shop:p%40ss@').concat('/key/'));
  asked = [];
  await client.ask({ path: '/ledgers', query: { order: 'asc', limit: 1 } });
  await client.ask({ body: '{}' });
  const login = `Basic ${Buffer.from('shop:p@ss').toString('base64')}`;
  assert.deepEqual(asked, [`GET /key/ledgers?order=asc&limit=1 ${login}`, `POST /key/ ${login}`]);
  assert.equal(client.host, new URL(urls.plain).host);
  client.close();
});

test('a stream hands over its parts until it ends; one that is refused is an outage', async () => {
  const client = openPlain(urls.plain);
  const parts: string[] = [];
  const { signal } = new AbortController();
  await client.listen({ path: '/', signal }, (part) => parts.push(part));
  assert.deepEqual(parts, ['{}']);
  await assert.rejects(client.listen({ path: '/elsewhere', signal }, assert.fail), isOutage);
  const closed = AbortSignal.abort();
  await client.listen({ path: '/never', signal: closed }, assert.fail);
  client.close();
});

const now = Temporal.Instant.from('2026-01-01T12:00:00Z');

for (const [said, ms] of [
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Fri, 02 Jan 2026 12:00:00 GMT', 86_400_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['Thu, 32 Jan 2026 12:00:00 GMT', undefined],
  ['Thu, 01 Foo 2026 12:00:00 GMT', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['1e9', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
] as const) {
  test(`Retry-After: ${said} is ${ms === undefined ? 'nothing to go by' : `${ms} ms`}`, () => {
    assert.equal(retryAfterMs(said, now), ms);
  });
}
