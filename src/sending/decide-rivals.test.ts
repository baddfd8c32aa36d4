import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideRivals } from './decide-rivals.ts';

const signing = { transferIds: ['a', 'b'], spends: ['account/7', 'account/8'] };

for (const [what, transferIds, spends, refused] of [
  ['of other money for other transfers', ['c'], ['account/9'], undefined],
  ['that takes its place with all it pays', ['a'], ['account/7'], undefined],
  ['for the same transfer out of other money', ['a'], ['account/9'], /both would be paid/],
  ['for another transfer out of the same money', ['c'], ['account/8'], /draft it again/],
  ['that pays one more out of the same money', ['a', 'c'], ['account/8'], /draft it again/],
] as const) {
  test(`beside one ${what} it is ${refused === undefined ? 'sent' : 'refused'}`, () => {
    const decided = decideRivals(signing, [{ transferIds, spends, transaction: 'before' }]);
    if (refused === undefined) assert.equal(decided, undefined);
    else assert.match(decided ?? '', refused);
  });
}

test('one that stands against it is enough', () => {
  const rivals = [
    { transferIds: ['a'], spends: ['account/7'], transaction: 'replaced' },
    { transferIds: ['b'], spends: ['other/1'], transaction: 'elsewhere' },
  ];
  assert.match(decideRivals(signing, rivals) ?? '', /^elsewhere/);
});
