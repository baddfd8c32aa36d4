import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FILES, filesOf, TESTS, testsOf } from './mutate-generated.config.mjs';

const ROOT = join(import.meta.dirname, '..');
const isThere = (pattern) => globSync(pattern, { cwd: ROOT }).length > 0;

test('every name of the generated mutants still finds a file, and every test of theirs too', () => {
  for (const name of FILES) assert(filesOf(name).length > 0, `no file ${name}`);
  for (const name of TESTS) assert(isThere(testsOf(name)), `no test ${name}`);
});

test('tests are not changed, and no file is named twice', () => {
  const files = FILES.flatMap(filesOf);
  assert.equal(new Set(files).size, files.length);
  assert.deepEqual(
    files.filter((file) => file.endsWith('.test.ts')),
    [],
  );
});
