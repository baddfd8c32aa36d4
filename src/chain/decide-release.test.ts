import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BrakeCause } from '#deposit/network.ts';
import { brakeSentence, isCovered, type ReleaseFacts, refuseRelease } from './decide-release.ts';

const cause = (kind: BrakeCause['kind'], changes: Partial<BrakeCause> = {}): BrakeCause => ({
  kind,
  what: 'this one',
  degree: 3,
  reason: `it is ${kind}`,
  ...changes,
});
const slow = cause('slow-blocks');
const missing = cause('missing-statement');
const competing = cause('competing-branch');
const wrong = cause('wrong-statement');

const facts = (causes: readonly BrakeCause[], changes: Partial<ReleaseFacts> = {}) => ({
  status: { brake: brakeSentence(causes), brakeCauses: causes, fault: undefined },
  isBehind: false,
  held: 1,
  ...changes,
});
const status = (changes: object) => ({ status: { ...facts([slow]).status, ...changes } });

for (const [what, given, code] of [
  ['slow blocks', facts([slow]), undefined],
  ['a statement is missing', facts([missing]), undefined],
  ['both', facts([slow, missing]), undefined],
  ['two branches compete', facts([competing]), 'brake_stays'],
  ['two branches compete, and blocks are slow', facts([slow, competing]), 'brake_stays'],
  ['a statement that does not add up', facts([missing, wrong]), 'brake_stays'],
  ['said by an older version', facts([slow], status({ brakeCauses: undefined })), 'brake_stays'],
  ['causes of another moment', facts([slow], status({ brake: 'another' })), 'brake_stays'],
  ['the brake is off', facts([]), 'brake_off'],
  ['never read', facts([slow], { status: undefined }), 'brake_off'],
  ['the network stands still', facts([slow], status({ fault: 'a lie' })), 'brake_unheard'],
  ['not heard', facts([slow], { isBehind: true }), 'brake_unheard'],
  ['nothing is held', facts([slow], { held: 0 }), 'brake_holds_nothing'],
] as const) {
  test(`${what}: ${code ?? 'may be let go'}`, () => assert.equal(refuseRelease(given)?.code, code));
}

test('a refusal says of each cause that stays why it does', () => {
  assert.deepEqual(refuseRelease(facts([slow, competing, wrong]))?.sentences, [
    'it is competing-branch: which blocks stand is not decided while two branches compete: it is over when one has lost',
    'it is wrong-statement: the account is not what its statements say: ask the bank, and import the one that adds up',
  ]);
});

for (const [what, now, released, expected] of [
  ['the same', [slow], [slow], true],
  ['told in other words', [{ ...slow, reason: 'five seconds more' }], [slow], true],
  ['less bad', [{ ...slow, degree: 2 }], [slow], true],
  ['worse', [{ ...slow, degree: 4 }], [slow], false],
  ['another of its kind', [{ ...missing, what: 'that one' }], [missing], false],
  ['one more', [slow, missing], [slow], false],
  ['one less', [slow], [missing, slow], true],
  ['another kind', [missing], [slow], false],
  ['a kind that stays', [competing], [competing], false],
  ['a kind that stays beside one that was let go', [slow, wrong], [slow, wrong], false],
] as const) {
  test(`a release counts for what is wrong now: ${what}: ${expected ? 'yes' : 'no'}`, () =>
    assert.equal(isCovered(now, released), expected));
}

test('whatever is worse in anything is not let go by what was', () => {
  const any = fc.record({
    kind: fc.constantFrom<BrakeCause['kind']>('slow-blocks', 'missing-statement'),
    what: fc.constantFrom('a', 'b'),
    degree: fc.nat(9),
    reason: fc.string(),
  });
  const causes = fc.uniqueArray(any, {
    selector: ({ kind, what }) => `${kind} ${what}`,
    minLength: 1,
  });
  fc.assert(
    fc.property(causes, causes, (now, released) => {
      assert.equal(isCovered(released, released), true);
      const isWorse = now.some(
        (one) =>
          !released.some(
            ({ kind, what, degree }) =>
              kind === one.kind && what === one.what && degree >= one.degree,
          ),
      );
      assert.equal(isCovered(now, released), !isWorse);
    }),
  );
});

test('of many causes the first are told, and how many more there are', () => {
  const many = ['one', 'two', 'three', 'four', 'five'].map((reason) => ({ ...slow, reason }));
  assert.equal(brakeSentence(many), 'one; two; three; and 2 more');
  assert.equal(brakeSentence([]), undefined);
});
