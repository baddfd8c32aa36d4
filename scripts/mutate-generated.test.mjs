import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILES, filesOf, TESTS, testsOf } from './mutate-generated.config.mjs';

test('every name of the generated mutants still finds a file, and every test of theirs too', () => {
  for (const name of FILES) assert(filesOf(name).length > 0, `no file ${name}`);
  for (const name of TESTS) assert(testsOf(name).length > 0, `no test ${name}`);
});

test('tests are not changed, and no file is named twice', () => {
  const files = FILES.flatMap(filesOf);
  assert.equal(new Set(files).size, files.length);
  assert.deepEqual(
    files.filter((file) => file.endsWith('.test.ts')),
    [],
  );
});
