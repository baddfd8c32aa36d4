// Every table that the program declares is the table that the migrations made.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { type Column, columnName } from '#db/table.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';

const ROOT = dirname(import.meta.dirname);

type Declared = {
  readonly name: string;
  readonly definition: Readonly<Record<string, Column<unknown, 'both' | 'insert' | 'select'>>>;
};

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

async function listDeclared(): Promise<Declared[]> {
  const files = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'src'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join(ROOT, path))
    .filter((path) => existsSync(path))
    .filter((path) => /^(?:export )?const \w+ = defineTable\(/m.test(readFileSync(path, 'utf8')));
  const modules = await Promise.all(
    files.map((path) => import(path) as Promise<Readonly<Record<string, unknown>>>),
  );
  return modules.flatMap((exported) => Object.values(exported).filter(isTable));
}

function isTable(value: unknown): value is Declared {
  return typeof value === 'object' && value !== null && 'definition' in value && 'insert' in value;
}

/** As information_schema names it. */
const TYPES: Readonly<Record<string, string>> = {
  'numeric(78,0)': 'numeric',
  timestamptz: 'timestamp with time zone',
};

test('every column is declared with the type and the nullability that it has', async () => {
  const tables = await listDeclared();
  assert.ok(tables.length > 0, 'there are declared tables');
  const columns = await database.db.query<{
    readonly table: string;
    readonly column: string;
    readonly type: string;
    readonly nullable: boolean;
    readonly optional: boolean;
  }>(sql`
    select table_name as table, column_name as column, data_type as type,
      is_nullable = 'YES' as nullable, is_nullable = 'YES' or column_default is not null or is_generated = 'ALWAYS'
        or is_identity = 'YES' as optional
    from information_schema.columns where table_schema = current_schema()`);
  for (const { name, definition } of tables) {
    const real = new Map(
      columns.filter((one) => one.table === name).map((one) => [one.column, one]),
    );
    for (const [property, column] of Object.entries(definition)) {
      const found = real.get(columnName(property));
      assert.ok(found !== undefined, `${name}.${columnName(property)} is no column`);
      const type = TYPES[column.type] ?? column.type;
      assert.equal(found.type, column.type.endsWith('[]') ? 'ARRAY' : type, `${name}.${property}`);
      assert.equal(column.isNullable, found.nullable, `${name}.${property} and NULL`);
    }
    const written = new Set(
      Object.entries(definition)
        .filter(([, { use }]) => use !== 'select')
        .map(([property]) => columnName(property)),
    );
    for (const { column, optional } of real.values()) {
      assert.ok(optional || written.has(column), `${name}.${column} is never written`);
    }
  }
});
