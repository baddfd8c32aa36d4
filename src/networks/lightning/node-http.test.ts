// The certificate of the node is pinned: no other server is spoken to, whoever signed its certificate
// and whatever name it carries.

import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import {
  loopbackShopCertificate,
  loopbackShopKey,
  selfSignedCertificate,
  selfSignedKey,
} from '#test/support/self-signed.ts';
import { openNodeHttp } from './node-http.ts';

const SECRET = 'a secret of the node';
const servers: http.Server[] = [];
let heard: (string | undefined)[] = [];
let urls: { named: string; other: string; plain: string };

before(async () => {
  const answer: http.RequestListener = (request, response) => {
    heard.push(request.headers.rune as string | undefined);
    if (request.url === '/large') return void response.end(Buffer.alloc(2000, 'x'));
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
  const client = openNodeHttp({ ...options, headers: { rune: SECRET } });
  try {
    return await client.ask({ method: 'GET', path });
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

test('an answer that is too large, cut short or late is an outage', async () => {
  for (const path of ['/large', '/cut', '/never']) {
    await assert.rejects(ask(urls.plain, undefined, path), isOutage, path);
  }
});
