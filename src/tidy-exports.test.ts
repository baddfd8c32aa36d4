// What is exported and under which name, and how long functions are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource } from '#test/support/read-source.ts';
import { FOR_TESTS_ALONE, LONG_FUNCTIONS, NAMES_TWICE } from '#test/support/tidy-exceptions.ts';

const FUNCTION_LINES_MAX = 70;
const READ = readSource();
const PRODUCT = READ.filter(({ isProduct }) => isProduct);

test(`no function has more than ${FUNCTION_LINES_MAX} lines`, () => {
  const long = PRODUCT.flatMap(({ functions }) => functions)
    .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
    .map(({ name, lines }) => [name, lines] as const);
  assert.deepEqual(Object.fromEntries(long.sort()), LONG_FUNCTIONS);
});

/** Every file that imports a name of a file. */
const IMPORTERS = new Map<string, string[]>();
for (const { path, imports } of READ) {
  for (const { from, names } of imports) {
    for (const name of names) {
      const importers = IMPORTERS.getOrInsertComputed(`${from} ${name}`, () => []);
      importers.push(path);
    }
  }
}

/** Every name that a file exports, with those who import it. A table is looked at by its test. */
const EXPORTED = PRODUCT.flatMap(({ path, folder, exports }) =>
  exports
    .filter(({ isTable }) => !isTable)
    .map((one) => {
      const importers = [one.name, '*'].flatMap((name) => IMPORTERS.get(`${path} ${name}`) ?? []);
      return { ...one, path, folder, importers };
    }),
);

test('what is exported is imported somewhere', () => {
  assert.deepEqual(
    EXPORTED.filter(({ importers }) => importers.length === 0).map(
      ({ path, name }) => `${path}: ${name}`,
    ),
    [],
  );
});

test('the product itself calls what it exports, not its tests alone', () => {
  const isProduct = new Set(PRODUCT.map(({ path }) => path));
  const forTests = EXPORTED.filter(
    ({ isUsedInFile, importers }) =>
      !isUsedInFile && importers.length > 0 && !importers.some((path) => isProduct.has(path)),
  );
  assert.deepEqual(forTests.map(({ name }) => name).sort(), FOR_TESTS_ALONE);
});

test('a name is exported for one thing', () => {
  const own = EXPORTED.filter(({ isForward }) => !isForward);
  const twice = [...Map.groupBy(own, ({ name }) => name)].filter(([, list]) => list.length > 1);
  assert.deepEqual(twice.map(([name]) => name).sort(), NAMES_TWICE);
});
