import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeLie } from '#networks/answer-fields.ts';
import { competingTips } from './competing-tips.ts';

const tip = (height: number, branchlen: number, status: string) => ({ height, branchlen, status });
const active = tip(100, 0, 'active');

for (const [name, other, isCompeting] of [
  ['two blocks beside ours', tip(100, 2, 'valid-fork'), true],
  ['a longer branch whose blocks are not there yet', tip(103, 5, 'headers-only'), true],
  ['headers that fit', tip(99, 2, 'valid-headers'), true],
  ['a single block beside ours', tip(100, 1, 'valid-fork'), false],
  ['a branch that has lost', tip(96, 6, 'valid-fork'), false],
  ['a branch that breaks the rules', tip(105, 9, 'invalid'), false],
] as const) {
  test(`${name}: ${isCompeting ? 'a competing tip' : 'nothing unusual'}`, () => {
    assert.equal(competingTips([active, other], 100n).length > 0, isCompeting);
  });
}

test('what is no list of tips is a lie', () => {
  assert.throws(() => competingTips({}, 100n), NodeLie);
  assert.throws(() => competingTips([tip(1.5, 2, 'valid-fork')], 100n), NodeLie);
});
