// Rules about the text of the code: what can be enforced of docs/style.md is enforced here and in
// the other tidy tests (imports, tables, exports).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EVENT_TYPES } from '#event/event.ts';
import {
  ALL_CODE,
  isTest,
  listFiles,
  offences,
  SOURCE,
  type SourceFile,
  withoutComments,
} from '#test/support/list-code.ts';
import { ROOT } from '#test/support/read-source.ts';

const FORBIDDEN_NAMES = /(?:^|\/)(?:utils?|common|helpers?|managers?|misc)(?:\.ts|\/)/;
const COLUMNS_MAX = 100;
/** Tables of cases and patterns read better in one line. */
const COLUMNS_MAX_TEST = 120;
const FILE_LINES_MAX = 400;

test('there is code to look at', () => assert.ok(SOURCE.length > 50));

test('nothing but main and the command line reads process', () => {
  assert.deepEqual(
    offences((file) => {
      const reads = ['src/main.ts', 'src/remote/remote-main.ts'];
      if (isTest(file) || reads.includes(file.path) || file.folder === 'cli') return [];
      return file.text.match(/(?<![\w.'"`$])process\.(?:env|argv|exit|cwd|stdout|stdin)/g) ?? [];
    }),
    [],
  );
});

test('no float and no wall clock near money', () => {
  const guarded = ['money', 'ledger', 'checkout', 'rates', 'deposit'];
  const words =
    /\b(?:parseFloat|toFixed|Math\.(?:round|floor|ceil|trunc)|Date\.now|new Date|Math\.random)\b/g;
  assert.deepEqual(
    offences((file) => {
      if (isTest(file) || !guarded.includes(file.folder)) return [];
      return withoutComments(file.text).match(words) ?? [];
    }),
    [],
  );
});

test('randomness is handed in', () => {
  assert.deepEqual(
    offences((file) =>
      isTest(file) ? [] : (withoutComments(file.text).match(/Math\.random/g) ?? []),
    ),
    [],
  );
});

/** Comments that silence the compiler, and `any` outside comments. */
function silencedTypes({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  const comments = text.match(
    /@ts-(?:ignore|nocheck|expect-error)(?!: \w)|@ts-(?:ignore|nocheck)/g,
  );
  // A test may say which mistake does not compile, with its reason.
  const refused = path.endsWith('.test.ts') ? null : text.match(/@ts-expect-error/g);
  const untyped = withoutComments(text).match(/\bas any[;,)\s]|:\s*any\b/g);
  return [comments, refused, untyped].flatMap((words) => words ?? []);
}

test('types are never silenced', () => {
  const files = ALL_CODE.filter(
    ({ path }) => path.endsWith('.ts') && !path.endsWith('tidy.test.ts'),
  );
  assert.deepEqual(
    files.flatMap((file) => silencedTypes(file).map((word) => `${file.path}: ${word}`)),
    [],
  );
  for (const text of [
    '// @ts-ignore',
    '// @ts-nocheck: old',
    '// @ts-expect-error: why',
    ' as any;',
  ]) {
    assert.equal(silencedTypes({ path: 'src/one.ts', text }).length > 0, true, text);
  }
  assert.deepEqual(
    silencedTypes({ path: 'src/one.test.ts', text: '// @ts-expect-error: why' }),
    [],
  );
});

test('a catch that does nothing says why', () => {
  const empty = /catch\s*(?:\(\w+\))?\s*\{\s*\}/g;
  assert.deepEqual(
    ALL_CODE.filter(({ path }) => path.endsWith('.ts')).flatMap((file) =>
      (file.text.match(empty) ?? []).map((word) => `${file.path}: ${word}`),
    ),
    [],
  );
});

test('no test is skipped, focused or empty', () => {
  const words = /\b(?:it|test|describe|suite)\.(?:skip|only|todo)\b|\b(?:skip|only): *true/g;
  assert.deepEqual(
    ALL_CODE.filter(
      ({ path }) => path.endsWith('.test.ts') && !path.endsWith('tidy.test.ts'),
    ).flatMap((file) => (file.text.match(words) ?? []).map((word) => `${file.path}: ${word}`)),
    [],
  );
});

test(`lines are at most ${COLUMNS_MAX} columns, files at most ${FILE_LINES_MAX} lines`, () => {
  assert.deepEqual(
    offences((file) => {
      const lines = file.text.split('\n');
      const long = lines.flatMap((line, index) =>
        line.length > (isTest(file) ? COLUMNS_MAX_TEST : COLUMNS_MAX) &&
        !/['"`].{60,}['"`]/.test(line) &&
        !/https?:/.test(line)
          ? [`line ${index + 1} has ${line.length} columns`]
          : [],
      );
      const isTooLong = !isTest(file) && lines.length > FILE_LINES_MAX;
      return isTooLong ? [...long, `${lines.length} lines`] : long;
    }),
    [],
  );
});

test('no junk drawers and no barrel files', () => {
  assert.deepEqual(
    offences((file) => {
      const isBarrel =
        /^(?:\s*export \* from .*\n?)+$/m.test(file.text) && file.text.includes('export * from');
      return FORBIDDEN_NAMES.test(file.path) || isBarrel
        ? ['a name or file that says nothing']
        : [];
    }),
    [],
  );
});

test('the files that the map and the recipes name exist', () => {
  const known = listFiles('*').map(({ path }) => path);
  const guides = listFiles('docs/map.md', 'docs/find-your-way.md', 'docs/recipes/*.md');
  assert.deepEqual(
    guides.flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w./-]+\.(?:ts|js|mjs|md))`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !known.some((file) => file === name || file.endsWith(`/${name}`)))
        .map((name) => `${path}: ${name}`),
    ),
    [],
  );
});

test('each decision has a number of its own, and the next one', () => {
  const numbers = listFiles('docs/decisions/*.md').map(({ path }) => /(\d{4})-/.exec(path)?.[1]);
  assert.deepEqual(
    numbers.map(Number).sort((one, other) => one - other),
    [...numbers.keys().map((index) => index + 1)],
  );
});

test('the recipe of events names every event there is, and no other', () => {
  const recipe = readFileSync(join(ROOT, 'docs/recipes/add-an-event.md'), 'utf8');
  const named = [...recipe.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, name]) => name ?? '');
  assert.deepEqual(named.sort(), [...EVENT_TYPES].sort());
});

test('nothing that runs is left to do', () => {
  assert.deepEqual(
    ALL_CODE.filter(({ path }) => !path.endsWith('tidy.test.ts')).flatMap((file) =>
      (file.text.match(/\b(?:TODO|FIXME|XXX|not implemented)\b/g) ?? []).map(
        (word) => `${file.path}: ${word}`,
      ),
    ),
    [],
  );
});
