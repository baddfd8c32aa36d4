// Requests with the signature that the service accepts for them, and those that it refuses.
import assert from 'node:assert/strict';
import { basicValue } from '#access/api-key.ts';
import { verifyDigest } from '#api/http/verify-digest.ts';
import { digestSignature } from '#test/support/digest-signature.ts';

const KEY = 'k3y0fth3sh0p';
const SECRET = 'a1b2-c3d4-e5f6-g7h8-i9j0-k1l2';

type Signed = {
  readonly name: string;
  readonly path: string;
  readonly timestamp: number;
  readonly method: string;
  readonly body: string | Uint8Array;
  readonly secret?: string;
};

const REQUESTS: readonly Signed[] = [
  {
    name: 'a GET signs no body',
    path: '/auth-test',
    timestamp: 1_700_000_000,
    method: 'GET',
    body: '',
  },
  {
    name: 'a body that comes with a GET is not signed',
    path: '/auth-test',
    timestamp: 1_700_000_000,
    method: 'GET',
    body: '{"a":1}',
  },
  {
    name: 'a POST signs the bytes of its body',
    path: '/checkout/commit',
    timestamp: 1_700_000_001,
    method: 'POST',
    body: '{"checkoutId":"abcdefghijkl","network":"LITECOIN"}',
  },
  {
    name: 'spaces and the order of the body count',
    path: '/checkout/commit',
    timestamp: 1_700_000_001,
    method: 'POST',
    body: '{ "network": "LITECOIN", "checkoutId": "abcdefghijkl" }\n',
  },
  {
    name: 'the path is signed in lower case',
    path: '/Checkout/Commit',
    timestamp: 1_700_000_001,
    method: 'POST',
    body: '{"checkoutId":"abcdefghijkl","network":"LITECOIN"}',
  },
  {
    name: 'the method is signed in upper case',
    path: '/customer',
    timestamp: 1_700_000_002,
    method: 'put',
    body: '{"customer":{"id":"abcdefghijkl","city":"Bern"}}',
  },
  {
    name: 'a DELETE signs its body',
    path: '/customer',
    timestamp: 1_700_000_003,
    method: 'DELETE',
    body: '{"id":"abcdefghijkl"}',
  },
  {
    name: 'the path of an id is signed with the id',
    path: '/events/0a1b2c3d4e5f/redeliver',
    timestamp: 1_700_000_004,
    method: 'POST',
    body: '{}',
  },
  {
    name: 'an empty body',
    path: '/sandbox/mine',
    timestamp: 1_700_000_005,
    method: 'POST',
    body: '',
  },
  {
    name: 'letters of every script, and one beyond the basic plane',
    path: '/customer',
    timestamp: 1_700_000_006,
    method: 'POST',
    body: '{"customer":{"email":"zoe@shop.example","lastname":"Zoë Ångström 東京 🦊","note":"e\u0301"}}',
  },
  {
    name: 'the same letters escaped are other bytes',
    path: '/customer',
    timestamp: 1_700_000_006,
    method: 'POST',
    body: '{"customer":{"email":"zoe@shop.example","lastname":"Zo\\u00eb","note":"a\\/b"}}',
  },
  {
    name: 'bytes that are no text are signed as they are',
    path: '/customer',
    timestamp: 1_700_000_007,
    method: 'POST',
    body: Uint8Array.of(0, 1, 0x7f, 0x80, 0xc3, 0x28, 0xff, 0x0a, 0x0d),
  },
  {
    name: 'a body of 64 KiB',
    path: '/checkout',
    timestamp: 1_700_000_008,
    method: 'POST',
    body: `"${'x'.repeat(65_534)}"`,
  },
  {
    name: 'the last second of ten digits',
    path: '/auth-test',
    timestamp: 9_999_999_999,
    method: 'GET',
    body: '',
  },
  {
    name: 'a secret longer than a block of the hash',
    path: '/auth-test',
    timestamp: 1_700_000_009,
    method: 'GET',
    body: '',
    secret: 'long-'.repeat(20),
  },
];

export function signingVectors(): object {
  return {
    key: KEY,
    secret: SECRET,
    basic: [
      { key: KEY, secret: SECRET, value: basicValue(KEY, SECRET) },
      { key: 'abcdefghijkl', secret: 'äöü-日本', value: basicValue('abcdefghijkl', 'äöü-日本') },
    ],
    requests: REQUESTS.map(signedRequest),
  };
}

function signedRequest({ name, path, timestamp, method, body, secret = SECRET }: Signed): object {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const request = { path, timestampText: String(timestamp), method, body: bytes };
  const signature = digestSignature(request, secret);
  assert.ok(verifyDigest(request, [secret], signature), `the service refuses: ${name}`);
  const shown =
    typeof body === 'string' ? { body } : { bodyHex: Buffer.from(bytes).toString('hex') };
  return { name, method, path, timestamp, ...shown, secret, signature };
}
