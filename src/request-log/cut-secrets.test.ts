import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutBody, cutHeaders, cutQuery } from './cut-secrets.ts';

test('headers that may open something keep their name, not their value', () => {
  const cut = cutHeaders(
    Object.entries({
      'X-Digest-Signature': 'ab'.repeat(32),
      'X-Basic': 'cd'.repeat(32),
      Authorization: 'Bearer abc',
      Cookie: 'session=1',
      'X-Made-Up': 'who knows',
      'User-Agent': 'Shop/1 (https://me:pass@shop.example)',
      'X-Digest-Key': 'k3v9x0q2m7ab',
    }),
  );
  assert.deepEqual(cut.split('\n'), [
    'authorization: (cut)',
    'cookie: (cut)',
    'user-agent: Shop/1 (https://(cut)@shop.example)',
    'x-basic: (cut)',
    'x-digest-key: k3v9x0q2m7ab',
    'x-digest-signature: (cut)',
    'x-made-up: (cut)',
  ]);
});

test('fields that are called a secret are cut at every depth, whatever they hold; digits stay', () => {
  const body = JSON.stringify({
    secret: 'whsec_abc',
    webhook: 'https://shop.example/hook?token=abc&order=7',
    meta: { api_token: { deep: [1] }, 'client-secret': 5, Password: 'x', order: '7' },
    list: [{ signature: 'ab', note: 'it is whsec_QUJD+/= here' }],
    apiKey: 'k3v9x0q2m7ab',
    pin: null,
  }).replace('"order":"7"', '"amount":1.10000000000000000001');
  assert.deepEqual(
    cutBody(body),
    `{"secret":"(cut)","webhook":"https://shop.example/hook?token=(cut)&order=7","meta":{"api_token":"(cut)","client-secret":"(cut)","Password":"(cut)","amount":1.10000000000000000001},"list":[{"signature":"(cut)","note":"it is (cut) here"}],"apiKey":"(cut)","pin":null}`,
  );
  assert.equal(
    cutQuery('token=abc&limit=5&url=https%3A%2F%2Fa%3Ab%40c'),
    'token=(cut)&limit=5&url=https://(cut)@c',
  );
});

test('what payers answered is cut, also in the text of an event that is told', () => {
  const answers = { name: 'Ada "}" \\', news: true };
  const told = JSON.stringify({ data: { checkout: { answers, answeredAt: null } } });
  const kept = cutBody(JSON.stringify({ answers, tip: '1', event: { body: told } })) ?? '';
  assert.doesNotMatch(kept, /Ada|news/);
  assert.match(kept, /^\{"answers":"\(cut\)","tip":"1"/);
  assert.match(kept, /answeredAt/);
});

test('what cannot be read is not kept, and what is long is cut off', () => {
  assert.equal(cutBody('secret=abc'), undefined);
  assert.equal(cutBody('{"secret":"abc"'), undefined);
  assert.equal(cutBody(''), undefined);
  const long = cutBody(JSON.stringify({ note: 'ä'.repeat(20_000) })) ?? '';
  assert.equal(long.length, 8 * 1024 + 1);
  assert.ok(long.endsWith('…'));
});

test('no secret of ours is ever in what is kept, wherever it stands, and the text can be stored', () => {
  const secret = 'whsec_SECRETSECRETSECRET';
  const place = fc.oneof(fc.constant(secret), fc.string({ unit: 'binary' }));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      place,
      fc.array(tie('tree')),
      fc.dictionary(fc.string(), tie('tree')),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const kept = cutBody(JSON.stringify({ value })) ?? '';
      // Names of fields are nobody's secret: the parser of requests lets any name be.
      const values = kept.replaceAll(/"(?:[^"\\]|\\.)*":/g, '');
      assert.ok(!values.includes('SECRETSECRET'));
      assert.ok(kept.isWellFormed() && !kept.includes('\0'));
    }),
  );
});
