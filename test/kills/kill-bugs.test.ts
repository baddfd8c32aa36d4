import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { KILL_BUGS, withChanges } from './kill-bugs.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('every bug that a kill has to find still finds the lines that it changes, once', () => {
  for (const { name, changes } of KILL_BUGS) {
    for (const [file, own] of Map.groupBy(changes, (change) => change.file)) {
      const source = readFileSync(join(ROOT, file), 'utf8');
      assert.notEqual(withChanges(own, source), source, name);
    }
  }
});
