import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bugs, withBug } from './mutate-bugs.mjs';

const ROOT = join(import.meta.dirname, '..');

test('every bug of the list still finds the line that it changes, once', () => {
  for (const bug of bugs) {
    const source = readFileSync(join(ROOT, bug.file), 'utf8');
    assert.notEqual(withBug(bug, source), source, bug.name);
  }
});

test('a bug whose line has changed is an error that names it', () => {
  const [bug] = bugs;
  assert.ok(bug !== undefined);
  assert.throws(() => withBug(bug, 'nothing of it'), new RegExp(`${bug.name}: .* 0 times`));
  assert.throws(() => withBug(bug, bug.from + bug.from), new RegExp(`${bug.name}: .* 2 times`));
});

test('no two bugs have one name', () => {
  assert.equal(new Set(bugs.map(({ name }) => name)).size, bugs.length);
});
