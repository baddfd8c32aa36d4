import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { silentLog } from '#base/log.ts';
import {
  loopbackShopCertificate,
  loopbackShopKey,
  selfSignedCertificate,
  selfSignedKey,
} from '#test/support/self-signed.ts';
import { evmOrder, openSignerWorld, plain, type SignerWorld } from '#test/support/signer-world.ts';
import { openSignerClient } from './client.ts';
import { listen } from './listen.ts';
import { LINE_MOST, readAnswer, readQuestion, writeLine } from './protocol.ts';

let world: SignerWorld;
let folder: string;
let socket: string;
let door: Awaited<ReturnType<typeof listen>>;

before(async () => {
  world = openSignerWorld();
  folder = mkdtempSync(join(tmpdir(), 'quittance-door-'));
  socket = join(folder, 'socket');
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const tls = {
    host: '127.0.0.1',
    port: 0,
    keyFile: file('key', loopbackShopKey),
    certificateFile: file('certificate', loopbackShopCertificate),
    clientAuthorityFile: file('clients', selfSignedCertificate),
  };
  door = await listen({ socket, isForGroup: false, tls }, (asked) => world.ask(asked), silentLog);
});
after(async () => {
  await door.close();
  world.close();
  rmSync(folder, { recursive: true, force: true });
});

const isAlive = async () =>
  (await openSignerClient(socket).info()).keys.length === world.signer.keys.length;

/** All that is answered until the other side closes, or until `lines` lines came. */
function exchange(bytes: readonly (Uint8Array | string)[], lines = Number.POSITIVE_INFINITY) {
  return new Promise<string>((resolve) => {
    const connection = connect(socket);
    let text = '';
    connection.setEncoding('utf8');
    connection.on('error', () => undefined);
    connection.on('close', () => resolve(text));
    connection.on('data', (chunk: string) => {
      text += chunk;
      if (text.split('\n').length > lines) connection.destroy();
    });
    for (const part of bytes) connection.write(part);
    if (lines === Number.POSITIVE_INFINITY) connection.end();
  });
}

test('only its owner may open the socket', () => {
  assert.equal(statSync(socket).mode & 0o777, 0o600);
});

test('a question that comes in pieces is one, and two in one piece are two', async () => {
  const line = writeLine({ ask: 'info' });
  const parts = Array.from(line, (letter) => letter);
  assert.equal(readAnswer(await exchange(parts, 1)) !== undefined, true);
  const two = (await exchange([line + line], 2)).trimEnd().split('\n');
  assert.equal(two.length, 2);
  assert.equal(two[0], two[1]);
});

test('garbage is answered or closed, and everybody else is served', async () => {
  const garbage = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 3_000 }),
    fc.json().map((text) => `${text}\n`),
    fc.string().map((text) => `{"ask":"sign","order":${JSON.stringify(text)}}\n`),
    fc.object().map((order) => `{"ask":"sign","order":${JSON.stringify(order)}}\n`),
    fc.constantFrom(
      '\n',
      '{}\n',
      '{"ask":"info"',
      '{"ask":"__proto__"}\n',
      '\0\n',
      'GET / HTTP/1.1\r\n\r\n',
    ),
  );
  await fc.assert(
    fc.asyncProperty(garbage, async (bytes) => {
      const answer = await exchange([bytes]);
      for (const line of answer.split('\n').filter((one) => one !== '')) {
        const read = readAnswer(line);
        assert('answer' in read);
        assert.equal(read.answer === 'refused' || read.answer === 'info', true);
      }
    }),
    { numRuns: 200 },
  );
  assert.equal(await isAlive(), true);
});

test('an order with one character changed is refused or signed, and never ends the signer', async () => {
  const line = writeLine({ ask: 'sign', order: plain(evmOrder({ id: 'fuzz' })) });
  await fc.assert(
    fc.asyncProperty(fc.nat(line.length - 2), fc.string({ maxLength: 3 }), async (at, put) => {
      const changed = line.slice(0, at) + put.replaceAll('\n', '') + line.slice(at + 1);
      const read = readAnswer((await exchange([changed], 1)).trimEnd());
      assert('answer' in read);
      assert.notEqual(read.answer, 'failed');
    }),
    { numRuns: 150 },
  );
  assert.equal(await isAlive(), true);
});

test('a line without an end is cut off, in one piece and in many', async () => {
  const huge = Buffer.alloc(LINE_MOST + 10, 0x61);
  assert.match(await exchange([huge], 1), /at most 1048576 bytes/);
  const pieces = Array.from({ length: 300 }, () => Buffer.alloc(8_192, 0x61));
  assert.match(await exchange(pieces, 1), /at most 1048576 bytes/);
  assert.equal(await isAlive(), true);
});

test('whoever goes on after that is cut off, however much is sent', async () => {
  const connection = connect(socket);
  const closed = new Promise((resolve) => connection.on('close', resolve));
  connection.on('error', () => undefined);
  connection.resume();
  const piece = Buffer.alloc(64 * 1024, 0x61);
  const push = () => {
    while (!connection.destroyed && connection.write(piece));
  };
  connection.on('drain', push);
  push();
  await closed;
  assert.equal(await isAlive(), true);
});

test('whoever goes away in the middle leaves the others alone', async () => {
  for (const end of [1, 10, 30]) {
    const line = writeLine({ ask: 'sign', order: plain(evmOrder({ id: `cut-${end}` })) });
    assert.equal(await exchange([line.slice(0, end)]), '');
  }
  await new Promise<void>((resolve) => {
    const connection = connect(socket, () => {
      connection.write(writeLine({ ask: 'info' }).repeat(500));
      connection.destroy();
    });
    connection.on('error', () => undefined);
    connection.on('close', () => resolve());
  });
  assert.equal(await isAlive(), true);
});

test('what is written is read again as it was', () => {
  const question = { ask: 'sign', order: plain(evmOrder()) } as const;
  assert.deepEqual(readQuestion(writeLine(question)), question);
});

test('a signer that is not there is away, and one that is silent is too', async () => {
  const nobody = await openSignerClient(join(folder, 'nobody')).sign(evmOrder());
  assert.equal(nobody.outcome, 'AWAY');
  const silent = createServer();
  const path = join(folder, 'silent');
  await new Promise<void>((resolve) => silent.listen(path, resolve));
  const waited = await openSignerClient(path, 50).sign(evmOrder());
  assert.deepEqual(waited, { outcome: 'AWAY', reason: 'the signer: does not answer' });
  const liar = createServer((connection) => connection.end('{"answer":"signed"}\n'));
  const other = join(folder, 'liar');
  await new Promise<void>((resolve) => liar.listen(other, resolve));
  const lied = await openSignerClient(other).sign(evmOrder());
  assert.equal(lied.outcome, 'AWAY');
  silent.close();
  liar.close();
});

const overTls = (key: string, certificate: string) =>
  openSignerClient({
    host: '127.0.0.1',
    port: door.port ?? 0,
    key,
    certificate,
    authority: loopbackShopCertificate,
  });

/** With a nonce that no order above has. */
const overTlsOrder = evmOrder({ id: 'tls' }, { nonce: 99n });

test('over TLS a client with a certificate is served, and others are not', async () => {
  const served = await overTls(selfSignedKey, selfSignedCertificate).sign(overTlsOrder);
  assert.equal(served.outcome, 'SIGNED');
  const stranger = overTls(loopbackShopKey, loopbackShopCertificate);
  assert.equal((await stranger.sign(overTlsOrder)).outcome, 'AWAY');
  const none = overTls('', '');
  assert.equal((await none.sign(overTlsOrder)).outcome, 'AWAY');
});
