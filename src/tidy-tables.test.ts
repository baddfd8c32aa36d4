// Which SQL touches which table, what statements may not ask, and what migrations say of columns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_CODE, isTest, offences } from '#test/support/list-code.ts';
import { readSource } from '#test/support/read-source.ts';
import { NOT_DECLARED, SHARED_TABLES } from '#test/support/tidy-exceptions.ts';

const TABLES_IN_SQL =
  /\b(?:from|join|into|update|using)\s+(?:only\s+)?((?:\w+(?:\s+(?:as\s+)?\w+)?\s*,\s*)*\w+)/g;

/** A piece of SQL that is nothing but a name: the statement around it is not seen as a whole. */
const NAME_ALONE = /^`\s*(\w+)\s*`$/;

const MIGRATIONS = ALL_CODE.filter(({ path }) => path.startsWith('migrations/'));
/** The tables that there are; a partition is its table. */
const TABLES = new Set<string>();
for (const { text } of MIGRATIONS) {
  for (const [, verb, name = ''] of text.matchAll(
    /^(create|drop) table (?:if exists )?(\w+)\b(?! partition of)/gm,
  )) {
    if (verb === 'create') TABLES.add(name);
    else TABLES.delete(name);
  }
}

const PRODUCT = readSource().filter(({ isProduct }) => isProduct);

test('no statement asks whether a value it was given is null: its one plan would read it all', () => {
  assert.deepEqual(
    offences((file) =>
      isTest(file) ? [] : (file.text.match(/\$\{[^}]*\}::\w+(?: is null| or\b|\s+or\b)/g) ?? []),
    ),
    [],
  );
});

test('every column of every table has a comment', () => {
  const missing: string[] = [];
  for (const { path, text } of MIGRATIONS) {
    for (const table of text.matchAll(/create table (\w+) \(\n([\s\S]*?)\n\);/g)) {
      const [, name = '', body = ''] = table;
      for (const line of body.split('\n')) {
        const column =
          /^ {2}([a-z_]+) (?!key\b)(?:text|bigint|integer|smallint|boolean|numeric|timestamptz|bytea|jsonb)/.exec(
            line,
          )?.[1];
        if (column === undefined) continue;
        if (!text.includes(`comment on column ${name}.${column} is`))
          missing.push(`${path}: ${name}.${column}`);
      }
      if (!text.includes(`comment on table ${name} is`)) missing.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('a table is touched by the SQL of one folder', () => {
  const named = (statement: string) => [
    NAME_ALONE.exec(statement)?.[1] ?? '',
    ...[...statement.matchAll(TABLES_IN_SQL)].flatMap(([, list = '']) =>
      list.split(',').map((one) => one.trim().split(/\s/)[0] ?? ''),
    ),
  ];
  const touches = PRODUCT.flatMap(({ folder, statements, tables: declared }) =>
    [...statements.flatMap(named), ...declared].map((table) => ({ table, folder })),
  ).filter(({ table }) => TABLES.has(table));
  const shared = [...Map.groupBy(touches, ({ table }) => table)].flatMap(([table, list]) => {
    const folders = [...new Set(list.map(({ folder }) => folder))].sort();
    return folders.length < 2 ? [] : [[table, folders] as const];
  });
  assert.ok(touches.length > 100, 'tables are found in SQL');
  assert.deepEqual(Object.fromEntries(shared.sort()), SHARED_TABLES);
});

test('a table is declared once, in one file', () => {
  const declared = PRODUCT.flatMap(({ tables }) => tables);
  const twice = declared.filter((name, index) => declared.indexOf(name) !== index);
  assert.deepEqual(twice, []);
  const not = [...TABLES].filter((name) => !declared.includes(name));
  assert.deepEqual(not.sort(), NOT_DECLARED);
});
