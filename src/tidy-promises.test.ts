// docs/promises.md says what is true of the service, and what shows each line of it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = dirname(import.meta.dirname);
const LIST = readFileSync(join(ROOT, 'docs/promises.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

test('every promise names the tests or commands that show it, and they exist', () => {
  const rows = LIST.split('\n').filter((line) => /^\| (?!Promise )/.test(line));
  assert.ok(rows.length > 80, `only ${rows.length} rows`);
  for (const row of rows) {
    const shown = row.split('|').at(-2) ?? '';
    const names = [...shown.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    assert.ok(names.length > 0, `nothing shows it: ${row}`);
    for (const name of names) {
      const command = /^npm run (\S+)$/.exec(name)?.[1];
      const exists = command === undefined ? existsSync(join(ROOT, name)) : command in scripts;
      assert.ok(exists, `${name} does not exist: ${row}`);
    }
  }
});
