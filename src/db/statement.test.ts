import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssertionFailure } from '#base/assert.ts';
import { sql } from './statement.ts';

test('values travel apart from the text', () => {
  const { text, values } = sql`select * from merchant where id = ${"a' or true"} and fee = ${7n}`;
  assert.equal(text, 'select * from merchant where id = $1 and fee = $2');
  assert.deepEqual(values, ["a' or true", '7']);
});

test('a nested statement is spliced and its values are renumbered', () => {
  const recent = sql`created_at > ${'2026-01-01'} and state = ${'NEW'}`;
  const page = sql`limit ${10}`;
  const { text, values } = sql`select ${1} where ${recent} or id = ${'x'} ${page}`;
  assert.equal(text, 'select $1 where created_at > $2 and state = $3 or id = $4 limit $5');
  assert.deepEqual(values, [1, '2026-01-01', 'NEW', 'x', 10]);
  const twice = sql`a ${sql`b ${sql`c ${1}`} d ${2}`} e ${3}`;
  assert.equal(twice.text, 'a b c $1 d $2 e $3');
  assert.deepEqual(twice.values, [1, 2, 3]);
});

test('the same text has the same name, another text another', () => {
  const find = (id: string) => sql`select ${id}`;
  assert.equal(find('a').name, find('b').name);
  assert.notEqual(find('a').name, sql`select ${'a'}, 1`.name);
  assert.equal(sql`x ${sql`y`}`.name, sql`x y`.name);
});

test('instants, bytes, lists and absent values are taken', () => {
  const instant = Temporal.Instant.from('2026-11-21T10:00:00.123456Z');
  const bytes = new Uint8Array([1, 2]);
  const { values } = sql`${instant} ${bytes} ${[1n, [2n, null]]} ${null} ${true}`;
  assert.deepEqual(values, ['2026-11-21T10:00:00.123456Z', bytes, ['1', ['2', null]], null, true]);
});

for (const [kind, value] of Object.entries({
  undefined: undefined,
  'a fraction': 0.1,
  'not a number': Number.NaN,
  'a number beyond 2^53': 2 ** 53,
  'a plain object': { a: 1 },
  'a map': new Map(),
  'a function': () => 1,
  'undefined in a list': [1, undefined],
})) {
  test(`a statement refuses ${kind}`, () => {
    assert.throws(() => sql`select ${value}`, AssertionFailure);
  });
}
