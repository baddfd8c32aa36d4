import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutPage, decodeCursor, encodeCursor } from './page-cursor.ts';

const at = Temporal.Instant.from('2026-11-21T10:00:00.123456Z');

test('a cursor leads back to the place it was made of, to the microsecond', () => {
  const place = decodeCursor(encodeCursor({ at, id: 'abcdefghijk1' }));
  assert.equal(place.at.toString(), '2026-11-21T10:00:00.123456Z');
  assert.equal(place.id, 'abcdefghijk1');
});

const base64url = (text: string) =>
  new TextEncoder().encode(text).toBase64({ alphabet: 'base64url', omitPadding: true });

for (const wrong of [
  '',
  '!',
  'abc',
  base64url('2026-11-21T10:00:00Z'),
  base64url('2026-13-21T10:00:00Z abc'),
  base64url("2026-11-21T10:00:00Z a' or 1=1"),
  base64url('2026-11-21T10:00:00Z abc def'),
]) {
  test(`the cursor ${JSON.stringify(wrong)} is refused`, () => {
    assert.throws(() => decodeCursor(wrong), { kind: 'invalid', code: 'cursor_invalid' });
  });
}

test('one row more than shown means there is a next page, which begins after the last shown', () => {
  const rows = ['c', 'b', 'a'].map((id) => ({ id, at }));
  const { shown, nextCursor } = cutPage(rows, 2, (row) => row);
  assert.deepEqual(
    shown.map(({ id }) => id),
    ['c', 'b'],
  );
  assert.equal(decodeCursor(nextCursor ?? '').id, 'b');
});

test('the last page has no cursor', () => {
  const rows = ['b', 'a'].map((id) => ({ id, at }));
  assert.equal(cutPage(rows, 2, (row) => row).nextCursor, null);
  assert.equal(cutPage([], 2, (row: { id: string; at: Temporal.Instant }) => row).nextCursor, null);
});
