// No table grows without somebody having decided so (docs/operate/what-is-kept.md).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_CODE } from '#test/support/list-code.ts';
import { AS_MANY_AS_THINGS, GOES, SIMULATED, STAYS } from '#test/support/retention.ts';

/** A partition goes with its table. */
const TABLES = new Set<string>();
for (const { path, text } of ALL_CODE) {
  if (!path.startsWith('migrations/')) continue;
  for (const [, verb, name = ''] of text.matchAll(
    /^(create|drop) table (?:if exists )?(\w+)\b(?! partition of)/gm,
  )) {
    if (verb === 'create') TABLES.add(name);
    else TABLES.delete(name);
  }
}

test('of every table it is said whether and by what its rows go (test/support/retention.ts)', () => {
  const said = [...Object.keys(GOES), ...STAYS, ...AS_MANY_AS_THINGS, ...SIMULATED];
  assert.deepEqual(said.sort(), [...TABLES].sort());
});

test('what goes is removed by the file that is named', () => {
  for (const [table, path] of Object.entries(GOES)) {
    const file = ALL_CODE.find((one) => one.path === path);
    assert.match(file?.text ?? '', new RegExp(`delete from ${table}\\b`), `${path}: ${table}`);
  }
});
