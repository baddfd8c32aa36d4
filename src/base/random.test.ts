import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import { isId, newApiSecret, newId } from './id.ts';
import { poolRandom, randomBigint, randomInteger, systemRandom } from './random.ts';

test('the same seed gives the same bytes, however they are drawn', () => {
  const whole = seededRandom(7n).bytes(100);
  const random = seededRandom(7);
  const parts = [1, 31, 33, 0, 35].flatMap((length) => [...random.bytes(length)]);
  assert.deepEqual(parts, [...whole]);
  assert.notDeepEqual(seededRandom(8).bytes(100), whole);
});

test('random integers lie in their range', () => {
  const random = seededRandom(1);
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 300n }), (below) => {
      const drawn = randomBigint(random, below);
      assert.ok(drawn >= 0n && drawn < below);
    }),
    { numRuns: 2000 },
  );
});

test('every value below 36 has the same probability', () => {
  const random = seededRandom(2);
  const counts = new Array<number>(36).fill(0);
  const draws = 36_000;
  for (let draw = 0; draw < draws; draw += 1) {
    const drawn = randomInteger(random, 36);
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  // Chi-square with 35 degrees of freedom: above 80 once in some 30,000 fair generators.
  const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
  assert.ok(chiSquare < 80, `chi-square ${chiSquare}`);
});

test('a small integer is drawn as a large one is', () => {
  const [small, large] = [seededRandom(5), seededRandom(5)];
  for (let below = 1; below <= 300; below += 1) {
    assert.equal(randomInteger(small, below), Number(randomBigint(large, BigInt(below))));
  }
});

test('a pool hands out what was drawn in order, and nothing twice', () => {
  const drawn: Uint8Array[] = [];
  const source = seededRandom(6);
  const random = poolRandom((length) => {
    drawn.push(source.bytes(length));
    return drawn.at(-1) as Uint8Array;
  });
  const first = random.bytes(12);
  const second = random.bytes(4000);
  const third = random.bytes(100);
  const long = random.bytes(10_000);
  const stream = seededRandom(6).bytes(4096 + 4096 + 10_000);
  assert.deepEqual(first, stream.slice(0, 12));
  assert.deepEqual(second, stream.slice(12, 4012));
  // What is left of a pool that is too short is not used.
  assert.deepEqual(third, stream.slice(4096, 4196));
  assert.deepEqual(long, stream.slice(8192));
});

test('pick takes from the whole list and refuses an empty one', () => {
  const random = seededRandom(3);
  const picked = new Set(Array.from({ length: 200 }, () => pick(random, ['a', 'b', 'c'])));
  assert.deepEqual([...picked].sort(), ['a', 'b', 'c']);
  assert.throws(() => pick(random, []), /empty/);
});

test('an id is 12 characters [a-z0-9] and none comes twice', () => {
  const ids = Array.from({ length: 1000 }, () => newId(systemRandom));
  assert.ok(ids.every((id) => /^[a-z0-9]{12}$/.test(id) && isId(id)));
  assert.equal(new Set(ids).size, 1000);
  for (const text of ['', 'abcdefghijk', 'abcdefghijklm', 'ABCDEFGHIJKL', 'abcdefghijkl\n']) {
    assert.equal(isId(text), false, JSON.stringify(text));
  }
});

test('an API secret is six groups of four joined by a hyphen, 29 characters', () => {
  const secret = newApiSecret(systemRandom);
  assert.match(secret, /^[a-z0-9]{4}(-[a-z0-9]{4}){5}$/);
  assert.equal(secret.length, 29);
  assert.ok(24 * Math.log2(36) >= 120);
});
