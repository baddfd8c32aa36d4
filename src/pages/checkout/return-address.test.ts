import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { returnAddress } from './return-address.ts';

const id = 'abcdefghij12';

const CASES: readonly (readonly [given: string, expected: string])[] = [
  ['https://shop.example', 'https://shop.example/?checkoutId=abcdefghij12'],
  ['https://shop.example/thanks', 'https://shop.example/thanks?checkoutId=abcdefghij12'],
  ['https://shop.example/?', 'https://shop.example/?checkoutId=abcdefghij12'],
  ['https://shop.example/a?b=c%20d&e', 'https://shop.example/a?b=c%20d&e&checkoutId=abcdefghij12'],
  ['https://shop.example/a?b=1+2#top', 'https://shop.example/a?b=1+2&checkoutId=abcdefghij12#top'],
  ['https://shop.example/?checkoutId=x&y=1', 'https://shop.example/?y=1&checkoutId=abcdefghij12'],
  ['https://shop.example/?checkout%49d=x', 'https://shop.example/?checkoutId=abcdefghij12'],
  ['https://shop.example/??a=b', 'https://shop.example/??a=b&checkoutId=abcdefghij12'],
  ['https://shop.example/#?a=b', 'https://shop.example/?checkoutId=abcdefghij12#?a=b'],
];

for (const [given, expected] of CASES) {
  test(`${given} becomes ${expected}`, () => assert.equal(returnAddress(given, id), expected));
}

test('the id is there once, and everything else of the address survives', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (given) => {
      const before = new URL(given);
      const after = new URL(returnAddress(given, id));
      assert.deepEqual(after.searchParams.getAll('checkoutId'), [id]);
      assert.equal(after.origin + after.pathname, before.origin + before.pathname);
      assert.equal(after.hash, before.hash);
      after.searchParams.delete('checkoutId');
      before.searchParams.delete('checkoutId');
      const pairs = (url: URL) => [...url.searchParams].filter(([name, value]) => name + value);
      assert.deepEqual(pairs(after), pairs(before));
    }),
  );
});

test('doing it twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (given) => {
      const once = returnAddress(given, id);
      assert.equal(returnAddress(once, id), once);
    }),
  );
});
