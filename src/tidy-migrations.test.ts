// Expand, then contract: the program before this one still runs while the new one starts, and comes
// back when it is taken back. So a migration only adds, unless it is named here with its reason.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_CODE } from '#test/support/list-code.ts';
import { listReleases } from '#test/upgrades/list-releases.ts';

/**
 * What looks as if it took something away, and takes nothing from the programs before: a list of words
 * that gets one more, a trigger that refuses what they never do. By name of the migration.
 */
const HARMLESS: Readonly<Record<string, string>> = {
  '0149-request-days':
    'the log of requests has the same name, columns and rows in one transaction: only the table they were in goes',
};

/**
 * What takes something away: by name of the migration, the release that allows it and why no program
 * since then needs it. Each says in a line `-- works from: 0123` which migration a program has to
 * know, and earlier ones refuse the database (docs/operate/upgrade.md).
 */
const CONTRACTING: Readonly<Record<string, string>> = {};

type Migration = { readonly name: string; readonly text: string };

/** What a program of before may stumble over: by what it is called here, how it is written. */
const TAKES_AWAY: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drop', /\bdrop (?:table|column|view|type|function|sequence|schema)\b/],
  ['drop constraint', /\bdrop constraint\b/],
  ['drop default', /\bdrop default\b/],
  ['rename', /\brename (?:to|column|constraint)\b|\brename \w+ to\b/],
  ['another type', /\balter (?:column )?\w+ (?:set data )?type\b/],
  ['set not null', /\bset not null\b/],
  ['truncate', /^\s*truncate\b/m],
  ['revoke', /^\s*revoke\b/m],
];

const FIRST = listReleases()[0]?.facts.migration ?? '';
const MIGRATIONS: readonly Migration[] = ALL_CODE.filter(({ path }) =>
  path.startsWith('migrations/'),
).map(({ path, text }) => ({ name: path.replace(/^migrations\/|\.sql$/g, ''), text }));
const SINCE = MIGRATIONS.filter(({ name }) => name > FIRST);

/** Without remarks, and without the bodies of functions, which run later. */
function statementsOf({ text }: Migration): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$\$[\s\S]*?\$\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(';')
    .map((statement) => statement.trim());
}

/** What a migration does to tables that were there before it. */
function contractions(migration: Migration): string[] {
  const statements = statementsOf(migration);
  const made = new Set(
    statements.flatMap((one) => /^create table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? []),
  );
  return statements.flatMap((statement) => {
    const [, table = ''] =
      /^(?:alter table (?:only )?|create (?:unique )?index .*? on |create trigger [\s\S]*? on )(\w+)/.exec(
        statement,
      ) ?? [];
    if (made.has(table)) return [];
    const found = TAKES_AWAY.filter(([, pattern]) => pattern.test(statement)).map(([what]) => what);
    if (/^create trigger\b/.test(statement)) found.push('a trigger');
    if (/^create unique index\b/.test(statement)) found.push('a unique index');
    if (/^alter table\b/.test(statement)) found.push(...narrowings(statement));
    return found.map((what) => `${table}: ${what}`);
  });
}

/** Columns that a program of before does not fill, and rules that it does not know. */
function narrowings(statement: string): string[] {
  const found: string[] = [];
  for (const clause of statement.split(/,\s*(?=add\b|alter\b|drop\b)/)) {
    if (/\badd (?:column )?\w+ .*\bnot null\b/.test(clause) && !/\bdefault\b/.test(clause)) {
      found.push('a column without a default');
    }
    if (/\badd (?:constraint|check|unique|foreign key|primary key)\b/.test(clause)) {
      found.push('a rule');
    }
  }
  return found;
}

test('a migration since the first release only adds, or says what it takes away', () => {
  const unnamed = SINCE.filter(({ name }) => !(name in HARMLESS) && !(name in CONTRACTING))
    .map((migration) => [migration.name, contractions(migration)] as const)
    .filter(([, found]) => found.length > 0);
  assert.deepEqual(Object.fromEntries(unnamed), {}, 'HARMLESS or CONTRACTING has to say why');
});

test('a migration that contracts says which programs no longer work, and no other does', () => {
  const saying = MIGRATIONS.filter(({ text }) => /^-- works from: /m.test(text));
  assert.deepEqual(saying.map(({ name }) => name).sort(), Object.keys(CONTRACTING).sort());
  for (const { name, text } of saying) {
    const [, from = ''] = /^-- works from: (\d{4})$/m.exec(text) ?? [];
    assert.ok(
      MIGRATIONS.some((one) => one.name.startsWith(`${from}-`)),
      name,
    );
    assert.ok(from < name, `${name}: a program that knows it is not the first that works`);
  }
});

test('what is named here is there, and would stand out', () => {
  for (const name of [...Object.keys(HARMLESS), ...Object.keys(CONTRACTING)]) {
    const migration = SINCE.find((one) => one.name === name);
    assert.ok(migration !== undefined && contractions(migration).length > 0, name);
  }
});

test('what takes something away is seen, and what adds is not', () => {
  const cases: readonly (readonly [text: string, found: readonly string[]])[] = [
    ['alter table checkout drop column memo;', ['checkout: drop']],
    ['alter table checkout rename column memo to note;', ['checkout: rename']],
    ['alter table checkout alter column total type bigint;', ['checkout: another type']],
    ['alter table checkout alter total set not null;', ['checkout: set not null']],
    ['alter table bill add column a text not null;', ['bill: a column without a default']],
    ["alter table bill add column a text not null default 'x';", []],
    ['alter table bill alter column a drop default;', ['bill: drop default']],
    ['alter table bill add constraint c check (a > 0);', ['bill: a rule']],
    ['alter table bill add column a text, add check (a > b);', ['bill: a rule']],
    ['create unique index i on bill (a);', ['bill: a unique index']],
    ['create index i on bill (a);', []],
    [
      'create trigger t before update on bill\n  for each row execute function f();',
      ['bill: a trigger'],
    ],
    ['drop table bill;', [': drop']],
    ["comment on column bill.a is 'what to drop table for';", []],
    ['-- drop table bill;', []],
    [
      `create table new (id text not null);
       alter table new add constraint c check (id <> '');
       create unique index i on new (id);
       create trigger t before update on new for each row execute function f();`,
      [],
    ],
    ['create function f() returns trigger as $$ begin drop table bill; end $$;', []],
  ];
  for (const [text, found] of cases) {
    assert.deepEqual(contractions({ name: 'one', text }), found, text);
  }
});
