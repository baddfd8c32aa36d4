import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tagAt } from './xrpl-payee.ts';

const account = 'r3sNTMefq5gsRumMYsNznnX6yzzxVH6dTC';
const index = fc.bigInt({ min: 0n, max: 2n ** 32n - 2n });

test('a tag is a number of 32 bits, and never 0', () => {
  fc.assert(
    fc.property(index, (at) => {
      const tag = tagAt(account, at);
      assert(tag > 0n && tag < 2n ** 32n);
    }),
  );
});

test('no tag is given twice', () => {
  const tags = new Set(Array.from({ length: 20_000 }, (_, at) => tagAt(account, BigInt(at))));
  assert.equal(tags.size, 20_000);
  fc.assert(
    fc.property(index, index, (one, other) => {
      assert.equal(tagAt(account, one) === tagAt(account, other), one === other);
    }),
  );
});

test('tags are the same for ever: customers have written them down', () => {
  assert.deepEqual(
    [0n, 1n, 2n, 2n ** 32n - 2n].map((at) => tagAt(account, at)),
    [3366842166n, 1008884400n, 3762352983n, 179067394n],
  );
});

test('with a thousand tags given out, one wrong digit is nobody', () => {
  const tags = Array.from({ length: 1_000 }, (_, at) => tagAt(account, BigInt(at)));
  const given = new Set(tags.map(String));
  const hits = tags.flatMap((tag) =>
    [...String(tag)].flatMap((digit, at) =>
      [...'0123456789']
        .filter((other) => other !== digit)
        .map((other) => `${tag}`.slice(0, at) + other + `${tag}`.slice(at + 1))
        .filter((mistyped) => given.has(mistyped)),
    ),
  );
  assert(hits.length <= 2, `${hits.length} of 90,000 slips are somebody else's`);
});

test('what does not fit is our bug', () => {
  assert.throws(() => tagAt(account, 2n ** 32n - 1n), /fits into 32 bits/);
  assert.throws(() => tagAt(account, -1n), /fits into 32 bits/);
});
