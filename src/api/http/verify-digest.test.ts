import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { digestSignature } from '#test/support/digest-signature.ts';
import { type DigestRequest, verifyDigest } from './verify-digest.ts';

const secret = 'aaaa-bbbb-cccc-dddd-eeee-ffff';
const other = '0000-1111-2222-3333-4444-5555';
const request: DigestRequest = {
  path: '/checkout',
  timestampText: '1763715600',
  method: 'POST',
  body: Buffer.from('{"a":1}'),
};
const right = digestSignature(request, secret);

test('the signature is HMAC-SHA256 over path, timestamp, method and body, in lower-case hex', () => {
  const text = '/checkout1763715600POST{"a":1}';
  assert.equal(right, createHmac('sha256', secret).update(text).digest('hex'));
  assert.ok(verifyDigest(request, [secret], right));
});

test('either of two valid secrets will do', () => {
  assert.ok(verifyDigest(request, [other, secret], right));
  assert.ok(verifyDigest(request, [secret, other], right));
});

const refused: readonly (readonly [string, DigestRequest, readonly string[], string])[] = [
  ['upper-case hex', request, [secret], right.toUpperCase()],
  ['a valid signature and more', request, [secret], `${right}zz`],
  ['a valid signature and a line end', request, [secret], `${right}\n`],
  ['a signature cut short', request, [secret], right.slice(0, 62)],
  ['a signature that stops being hex', request, [secret], `${right.slice(0, 62)}zz`],
  ['no signature', request, [secret], ''],
  ['all zeros', request, [secret], '0'.repeat(64)],
  ['another secret', request, [other], right],
  ['no secret', request, [], right],
  [
    'the secret that stands in for an unknown key',
    request,
    [],
    digestSignature(request, '0000-0000-0000-0000-0000-0000'),
  ],
  ['another path', { ...request, path: '/checkouts' }, [secret], right],
  ['another time', { ...request, timestampText: '1763715601' }, [secret], right],
  ['another method', { ...request, method: 'PUT' }, [secret], right],
  ['another body', { ...request, body: Buffer.from('{"a":2}') }, [secret], right],
  ['the same JSON in other bytes', { ...request, body: Buffer.from('{"a": 1}') }, [secret], right],
  ['no body', { ...request, body: new Uint8Array(0) }, [secret], right],
];
for (const [what, asked, secrets, signature] of refused) {
  test(`a request with ${what} is refused`, () => {
    assert.equal(verifyDigest(asked, secrets, signature), false);
  });
}

test('GET signs no body, whatever was sent', () => {
  const get = { ...request, method: 'GET' };
  const signature = digestSignature({ ...get, body: new Uint8Array(0) }, secret);
  assert.ok(verifyDigest(get, [secret], signature));
});

test('a GET that was right vouches for no other signature, path, time, method or secrets', () => {
  const get = { ...request, method: 'GET' };
  const signature = digestSignature(get, secret);
  const secrets = [secret];
  for (const _ of ['proven', 'known again']) assert.ok(verifyDigest(get, secrets, signature));
  const refuses = (asked: DigestRequest, given = signature, by = secrets) =>
    assert.equal(verifyDigest(asked, by, given), false);
  refuses(get, digestSignature(get, other));
  refuses(get, signature.toUpperCase());
  refuses({ ...get, path: '/checkouts' });
  refuses({ ...get, timestampText: '1763715601' });
  refuses({ ...get, method: 'POST' });
  refuses(get, signature, [other]);
  refuses(get, signature, []);
  const later = { ...get, timestampText: '1763715602' };
  assert.ok(verifyDigest(later, secrets, digestSignature(later, secret)));
  refuses(later);
});

for (const text of ['{}', '[]']) {
  test(`the body ${text} may be signed as it is or as nothing`, () => {
    const empty = { ...request, body: Buffer.from(text) };
    assert.ok(verifyDigest(empty, [secret], digestSignature(empty, secret)));
    const nothing = digestSignature({ ...request, body: new Uint8Array(0) }, secret);
    assert.ok(verifyDigest(empty, [secret], nothing));
    assert.equal(verifyDigest({ ...request, body: Buffer.from('{ }') }, [secret], nothing), false);
  });
}

test('every byte of the body counts, valid UTF-8 or not', () => {
  const body = Uint8Array.of(0xff, 0, 0xc3, 0x28);
  const signature = digestSignature({ ...request, body }, secret);
  assert.ok(verifyDigest({ ...request, body }, [secret], signature));
  const near = Uint8Array.of(0xfe, 0, 0xc3, 0x28);
  assert.equal(verifyDigest({ ...request, body: near }, [secret], signature), false);
});
