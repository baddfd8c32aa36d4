import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '#test/support/seeded-random.ts';
import { MUTATIONS, mutateAnswer, mutateText } from './mutate-answer.ts';

const answer = {
  result: [
    { hash: '0xab', units: 5 },
    { hash: '0xcd', units: 7 },
  ],
  more: true,
};

test('a seed gives the same fault each time, and what was given is left alone', () => {
  const before = structuredClone(answer);
  const once = Array.from({ length: 50 }, (_, seed) => mutateAnswer(seededRandom(seed), answer));
  const again = Array.from({ length: 50 }, (_, seed) => mutateAnswer(seededRandom(seed), answer));
  assert.deepEqual(once, again);
  assert.deepEqual(answer, before);
  assert(new Set(once.map(({ what }) => what)).size > 12);
});

for (const mutation of MUTATIONS) {
  test(`${mutation} always gives something else`, () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const { value, what } = mutateAnswer(seededRandom(seed), answer, [mutation]);
      assert.notDeepEqual(value, answer, what);
      assert.match(what, new RegExp(`^${mutation} `));
    }
  });
}

test('a value in which nothing can be done stays as it is', () => {
  assert.deepEqual(mutateAnswer(seededRandom(1), null, ['reorder']), {
    value: null,
    what: 'nothing',
  });
});

test('a text that was changed differs or is longer', () => {
  for (let seed = 0; seed < 40; seed += 1) {
    const text = JSON.stringify(answer);
    const { what } = mutateText(seededRandom(seed), text);
    assert.notEqual(what, '');
  }
});
