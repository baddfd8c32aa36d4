import assert from 'node:assert/strict';
import { test } from 'node:test';

const at = (text: string) => Temporal.Instant.from(text);
const early = at('2026-01-01T12:00:00Z');
const late = at('2026-01-01T12:00:01Z');

test('times that differ are not equal, wherever they stand', () => {
  const held = (time: Temporal.Instant): unknown[] => [
    time,
    [1, time],
    { list: [{ time }] },
    new Map([['time', time]]),
    new Set([time]),
    Object.assign(Object.create(null), { time }),
  ];
  held(early).forEach((value, index) => {
    assert.deepEqual(value, held(at(early.toString()))[index]);
    assert.throws(() => assert.deepEqual(value, held(late)[index]), assert.AssertionError);
    assert.throws(() => assert.deepStrictEqual(value, held(late)[index]), assert.AssertionError);
    assert.notDeepEqual(value, held(late)[index]);
  });
});

test('a time is no text, and what holds none is compared as it is', () => {
  assert.throws(() => assert.deepEqual(early, early.toString()), assert.AssertionError);
  const round: Record<string, unknown> = { name: 'round', time: early };
  round.self = round;
  assert.deepEqual(round, round);
  assert.throws(() => assert.deepEqual({ a: undefined }, {}), assert.AssertionError);
  assert.throws(() => assert.deepEqual(new Error('one'), new Error('other')));
});
