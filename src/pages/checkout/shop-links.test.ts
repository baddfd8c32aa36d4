import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PAGES, SELLER } from '#test/support/checkout-pages.ts';
import { contactLine, returnAddress } from './shop-links.ts';

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

function addressOf(contact: string | null): string | undefined {
  const page = PAGES.expired?.({ seller: { ...SELLER, page: { ...SELLER.page, contact } } });
  assert.ok(page !== undefined);
  return /href="([^"]*)"/.exec(contactLine(page)?.markup ?? '')?.[1];
}

test('a mail address gets the reference as its subject, a web address is a plain link', () => {
  assert.equal(addressOf('help@shop.example'), 'mailto:help@shop.example?subject=abcdefghij12');
  assert.equal(addressOf('https://shop.example/help?a=1'), 'https://shop.example/help?a=1');
  assert.equal(addressOf(null), undefined);
});

test('what is neither becomes no link, and a mail address no second parameter', () => {
  for (const contact of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    ' https://x',
  ]) {
    assert.equal(addressOf(contact), undefined, contact);
  }
  assert.equal(addressOf('a&b@shop.example'), 'mailto:a%26b@shop.example?subject=abcdefghij12');
});
