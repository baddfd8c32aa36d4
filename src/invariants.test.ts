// docs/invariants.md is the book of the laws that comments, tests and `ledger verify` name by code.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = dirname(import.meta.dirname);
const BOOK = readFileSync(join(ROOT, 'docs/invariants.md'), 'utf8');

/** A code that a sentence names: `(L7)`, `(C1, C5)`, `L7: …`, `threat F8`. */
const CODE = '(?:AD|[A-JLRSTWX])\\d{1,2}';
const NAMED = [
  new RegExp(
    `\\((?:[a-z][^()]*[ ,:])?${CODE}(?:(?:,| and| to) ${CODE})*(?:, [a-z][^()]*)?\\)`,
    'g',
  ),
  new RegExp(`(?:\`|'|\\s|^)${CODE}: `, 'gm'),
  new RegExp(`(?:threat|invariant|law) ${CODE}\\b`, 'g'),
];

function codesIn(text: string): string[] {
  const named = NAMED.flatMap((pattern) => text.match(pattern) ?? []);
  return named.flatMap((words) => words.match(new RegExp(`\\b${CODE}\\b`, 'g')) ?? []);
}

function listFiles(...patterns: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', ...patterns], { cwd: ROOT, encoding: 'utf8' });
  return listed.split('\n').filter((path) => path !== '');
}

const declared = new Set(
  [...BOOK.matchAll(/^\| ([A-Z]{1,2}\d{1,2}) \|/gm)].map(([, code]) => code),
);

test('every law that the program names stands in the book', () => {
  const missing = listFiles('src/**/*.ts', 'migrations/*.sql', 'bench/**/*.ts', 'test/**/*.ts')
    .filter((path) => !path.startsWith('test/fixtures/') && path !== 'src/invariants.test.ts')
    // Cells of a sheet.
    .filter((path) => path !== 'src/report/csv-text.test.ts')
    .flatMap((path) =>
      codesIn(readFileSync(join(ROOT, path), 'utf8'))
        .filter((code) => !declared.has(code))
        .map((code) => `${path}: ${code}`),
    );
  assert.deepEqual([...new Set(missing)], []);
});

test('the search finds codes as they are written', () => {
  const text = '(L7) (C1, C5). (B7) threat F8 (AD2; an\n`S4: checkout (L3 to L6)';
  assert.deepEqual([...new Set(codesIn(text))].sort(), [
    'B7',
    'C1',
    'C5',
    'F8',
    'L3',
    'L6',
    'L7',
    'S4',
  ]);
});

test('every law names its tests, and they exist', () => {
  const rows = BOOK.split('\n').filter((line) => /^\| [A-Z]{1,2}\d/.test(line));
  assert.equal(rows.length, declared.size, 'no code stands twice');
  for (const row of rows) {
    const shown = row.split('|').at(-2) ?? '';
    const files = [...shown.matchAll(/`([^`]+)`/g)].map(([, path]) => path!);
    assert.ok(files.length > 0, `no test: ${row}`);
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), `${file} does not exist`);
  }
});
