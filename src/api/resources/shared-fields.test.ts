import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCursor } from '#db/page-cursor.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { checkShape, fields } from '#money/exact-schema.ts';
import { pageQuery, parsePage } from './shared-fields.ts';

const schema = fields({ ...pageQuery });

function read(query: ExactJson) {
  const faults: string[] = [];
  const input = checkShape(schema, query, faults);
  return input === undefined ? faults : parsePage(input);
}

test('a page has 50 rows and begins at the newest unless said otherwise', () => {
  assert.deepEqual(read({}), { limit: 50, cursor: undefined });
  assert.deepEqual(read({ limit: '', cursor: '' }), { limit: 50, cursor: undefined });
});

test('limit and cursor are read', () => {
  const at = Temporal.Instant.from('2026-11-21T10:00:00Z');
  const page = read({ limit: '250', cursor: encodeCursor({ at, id: 'abc' }) });
  assert.deepEqual(page, { limit: 250, cursor: { at, id: 'abc' } });
});

for (const limit of ['0', '251', '-1', '1.5', 'ten', '01', '1e2']) {
  test(`limit=${limit} is refused`, () => {
    assert.deepEqual(read({ limit }), ['limit: must be a whole number from 1 to 250']);
  });
}
