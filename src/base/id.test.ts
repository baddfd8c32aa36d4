import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '#test/support/seeded-random.ts';
import { isId, newId, newOrderedId } from './id.ts';
import { systemRandom } from './random.ts';

const instants = fc
  .integer({ min: Date.UTC(2020), max: Date.UTC(2100) })
  .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));

test('an identifier has 12 characters [a-z0-9], ordered or not, at any time', () => {
  fc.assert(
    fc.property(instants, fc.nat(), (at, seed) => {
      const random = seededRandom(seed);
      return isId(newOrderedId(at, random)) && isId(newId(random));
    }),
  );
});

test('of two that were made one after the other the later one stands behind, for 22 months', () => {
  const period = 36 ** 5;
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: period - 1 }), (at, seconds) => {
      const begun = Math.floor(at.epochMilliseconds / 1000) % period;
      fc.pre(begun + seconds < period);
      const later = newOrderedId(at.add({ seconds }), systemRandom);
      return newOrderedId(at, systemRandom) < later;
    }),
  );
});

test('ten thousand of one second are ten thousand', () => {
  const at = Temporal.Instant.from('2026-11-29T00:00:00.5Z');
  const made = Array.from({ length: 10_000 }, () => newOrderedId(at, systemRandom));
  assert.equal(new Set(made).size, made.length);
  assert.equal(new Set(made.map((id) => id.slice(0, 5))).size, 1);
});
