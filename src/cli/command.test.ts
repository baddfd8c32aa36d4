import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from './command.ts';

test('one is said in the singular, none and more in the plural', () => {
  const said = [0n, 1n, 2n, 0, 1, 21].map((count) => counted(count, 'event'));
  assert.deepEqual(said, ['0 events', '1 event', '2 events', '0 events', '1 event', '21 events']);
  assert.deepEqual(
    [1n, 3n].map((count) => counted(count, 'entry', 'entries')),
    ['1 entry', '3 entries'],
  );
});
