import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { groupedCode, groupsOf } from '#pages/checkout/copy-field.ts';

test('groups of four, and never a last character alone', () => {
  assert.deepEqual(groupsOf('abcdefgh'), ['abcd', 'efgh']);
  assert.deepEqual(groupsOf('abcdefghi'), ['abcd', 'efghi']);
  assert.deepEqual(groupsOf('abcdefghij'), ['abcd', 'efgh', 'ij']);
  fc.assert(
    fc.property(fc.string({ minLength: 2 }), (text) => {
      const groups = groupsOf(text);
      assert.equal(groups.join(''), text);
      if ([...text].length > 1) assert.ok(groups.every((group) => [...group].length >= 2));
    }),
  );
});

test('the ends are strong, and nothing stands between the groups but places to break', () => {
  const { markup } = groupedCode('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx');
  assert.match(markup, /^<span class="fours"><b>tb1q<\/b><wbr><span>w508<\/span>/);
  assert.match(markup, /<b>pjzsx<\/b>|<b>zsx<\/b>|<b>sx<\/b>/);
  assert.equal(markup.replaceAll(/<[^>]+>/g, ''), 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx');
});
