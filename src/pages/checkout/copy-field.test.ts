import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PAGES } from '#test/support/checkout-pages.ts';
import { readSvgCode } from '#test/support/read-svg-code.ts';
import { groupedCode, groupsOf, qrCode } from './copy-field.ts';
import { qrContent } from './due-panel.ts';
import { renderCheckout } from './render-checkout.ts';

test('groups of four, four at each end, and never a character alone but between two ends', () => {
  assert.deepEqual(groupsOf('abcdefgh'), ['abcd', 'efgh']);
  assert.deepEqual(groupsOf('abcde'), ['abcde']);
  assert.deepEqual(groupsOf('abcdefghij'), ['abcd', 'ef', 'ghij']);
  assert.deepEqual(groupsOf('abcdefghijklm'), ['abcd', 'efghi', 'jklm']);
  // Accounts of banks as they stand on paper.
  assert.equal(groupsOf('DE89370400440532013000').join(' '), 'DE89 3704 0044 0532 0130 00');
  fc.assert(
    fc.property(fc.string({ minLength: 2 }), (text) => {
      const groups = groupsOf(text);
      assert.equal(groups.join(''), text);
      const isNine = [...text].length === 9;
      const least = isNine ? 1 : 2;
      if ([...text].length > 1) assert.ok(groups.every((group) => [...group].length >= least));
    }),
  );
});

test('the ends are strong, and nothing stands between the groups but places to break', () => {
  const { markup } = groupedCode('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx');
  assert.match(markup, /^<span class="fours"><b>tb1q<\/b><wbr><span>w508<\/span>/);
  assert.match(markup, /<b>jzsx<\/b><\/span>$/);
  assert.equal(markup.replaceAll(/<[^>]+>/g, ''), 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx');
});

test('a code reads as exactly the text it was made from, short, long and not ASCII', () => {
  const texts = ['a', 'bitcoin:tb1q?amount=0.00048312', 'x'.repeat(900), 'lightning:ÄÖÜ €'];
  for (const text of texts) assert.equal(readSvgCode(qrCode(text, 'code').markup), text);
});

const WITH_CODE = [
  'pay',
  'pay-address',
  'pay-memo',
  'pay-tag',
  'pay-token',
  'pay-lightning',
  'pay-bank',
  'pay-both',
  'pay-urgent',
  'partial',
  'seen-short',
];

for (const name of WITH_CODE) {
  test(`the code of the page ${name} holds what stands beside it as text`, () => {
    const page = PAGES[name]?.();
    assert.ok(page !== undefined);
    const markup = renderCheckout(page).body.markup;
    const { state, query } = page;
    const due = state.kind === 'pay' ? state.due : 'rest' in state ? state.rest : undefined;
    assert.ok(due !== undefined);
    const read = readSvgCode(/<svg class="qr"[\s\S]*?<\/svg>/.exec(markup)?.[0] ?? '');
    assert.equal(read, qrContent(due, query.qr));
    const { paymentUri, unifiedUri, commitment } = due;
    const shown = { link: paymentUri, address: commitment.instruction.address, both: unifiedUri }[
      query.qr
    ];
    assert.ok(shown !== undefined && shown !== '');
    assert.equal(read, shown);
    assert.ok(markup.includes(shown.replaceAll('&', '&amp;')));
  });
}
