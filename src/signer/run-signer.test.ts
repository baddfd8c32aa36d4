import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
import { openSignerClient, type TlsPlace } from './client.ts';
import { LINE_MOST, readAnswer, readQuestion, writeLine } from './protocol.ts';
import { listen } from './run-signer.ts';

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
  const waited = await openSignerClient(path, { withinMs: 50 }).sign(evmOrder());
  assert.deepEqual(waited, { outcome: 'AWAY', reason: 'the signer: does not answer' });
  const liar = createServer((connection) => connection.end('{"answer":"signed"}\n'));
  const other = join(folder, 'liar');
  await new Promise<void>((resolve) => liar.listen(other, resolve));
  const lied = await openSignerClient(other).sign(evmOrder());
  assert.equal(lied.outcome, 'AWAY');
  silent.close();
  liar.close();
});

type Shown = { readonly key: string; readonly certificate: string; readonly mode?: number };

/** Each in files of its own, as the settings name them. */
function overTls(
  { key, certificate, mode = 0o600 }: Shown,
  more: Partial<TlsPlace> = {},
  at = '2030-01-01T00:00:00Z',
) {
  const directory = mkdtempSync(join(folder, 'client-'));
  const file = (name: string, text: string, bits: number) => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: bits });
    chmodSync(path, bits);
    return path;
  };
  const place: TlsPlace = {
    host: '127.0.0.1',
    port: door.port ?? 0,
    keyFile: file('key', key, mode),
    certificateFile: file('certificate', certificate, 0o644),
    authorityFile: file('authority', loopbackShopCertificate, 0o644),
    ...more,
  };
  return openSignerClient(place, { now: () => Temporal.Instant.from(at) });
}

/** With a nonce that no order above has. */
const overTlsOrder = evmOrder({ id: 'tls' }, { nonce: 99n });
const known: Shown = { key: selfSignedKey, certificate: selfSignedCertificate };
const stranger: Shown = { key: loopbackShopKey, certificate: loopbackShopCertificate };

test('over TLS a client with a certificate is served', async () => {
  assert.equal((await overTls(known).sign(overTlsOrder)).outcome, 'SIGNED');
});

const pemFile = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

for (const [what, client, sentence] of [
  ['a certificate that the signer does not know', () => overTls(stranger), /it may know no author/],
  ['no key', () => overTls({ ...known, key: '' }), /SIGNER_KEY_FILE: .* holds no private key in P/],
  ['a key of another certificate', () => overTls({ ...known, key: loopbackShopKey }), /is not the/],
  ['a key that others may read', () => overTls({ ...known, mode: 0o644 }), /0644\): chmod 600 it/],
  ['a file that is not there', () => overTls(known, { authorityFile: '/no/such' }), /ENOENT/],
  [
    'an expired certificate of its own',
    () => overTls(known, {}, '2200-01-01T00:00:00Z'),
    /SIGNER_CERTIFICATE_FILE: .* expired at .*: renew it/,
  ],
  [
    'another authority',
    () => overTls(known, { authorityFile: pemFile('other', selfSignedCertificate) }),
    /by no authority of SIGNER_AUTHORITY_FILE/,
  ],
  [
    'another name',
    () => overTls(known, { serverName: 'signer.test' }),
    /for another name than signer\.test: SIGNER_SERVER_NAME/,
  ],
  ['nobody there', () => overTls(known, { port: 1 }), /nobody listens at 127\.0\.0\.1:1$/],
] as const) {
  test(`over TLS ${what}: one sentence says so, and nothing is signed`, async () => {
    const outcome = await client().sign(overTlsOrder);
    assert.equal(outcome.outcome, 'AWAY');
    assert.match(outcome.outcome === 'AWAY' ? outcome.reason : '', sentence);
  });
}

test('a signer whose certificate has expired is not asked', async () => {
  const tls = {
    host: '127.0.0.1',
    port: 0,
    keyFile: pemFile('past-key', EXPIRED.key),
    certificateFile: pemFile('past', EXPIRED.certificate),
    clientAuthorityFile: pemFile('clients', selfSignedCertificate),
  };
  const path = join(folder, 'past-socket');
  const past = await listen(
    { socket: path, isForGroup: false, tls },
    (asked) => world.ask(asked),
    silentLog,
  );
  const more = { port: past.port ?? 0, authorityFile: tls.certificateFile };
  const outcome = await overTls(known, more).sign(overTlsOrder);
  await past.close();
  assert.match(outcome.outcome === 'AWAY' ? outcome.reason : '', /has expired: renew it where/);
});

/** For 127.0.0.1, over since 2020. */
const EXPIRED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQMFV6mRqI5sIRbQ8
qI9lTvHBR6ixgNi78Oo6lfZecCahRANCAAQOSg5uoMMBxicjDRCs81AtV7AvO8uM
8hNk9FRC67LW7ZBCVpaipgh8EyNsZjWo23MD5hvkZCkMU51gh0BbbXuO
-----END PRIVATE KEY-----`,
  certificate: `-----BEGIN CERTIFICATE-----
MIIBRzCB76ADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCXBhc3QudGVz
dDAeFw0yMDAxMDEwMDAwMDBaFw0yMDAxMDIwMDAwMDBaMBQxEjAQBgNVBAMMCXBh
c3QudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABA5KDm6gwwHGJyMNEKzz
UC1XsC87y4zyE2T0VELrstbtkEJWlqKmCHwTI2xmNajbcwPmG+RkKQxTnWCHQFtt
e46jMjAwMA8GA1UdEQQIMAaHBH8AAAEwHQYDVR0OBBYEFCDU+pmZyjrIcZhB1uKg
6OsQJkVwMAoGCCqGSM49BAMCA0cAMEQCIGuX1DmZMCpIui93rJDnaeo1q3P04wWH
lKnifb3LrmbrAiAjixAqKmsAYKaeiSuGKcVrKCH204hGWplvxc6cHjpRxA==
-----END CERTIFICATE-----`,
};
