import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES, SELLER } from '#test/support/checkout-pages.ts';
import { contactLine } from './contact-line.ts';

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
