// Rules about the code itself: what can be enforced of docs/style.md and docs/map.md is enforced
// here.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { EVENT_TYPES } from '#event/event.ts';
import { readSource } from '#test/support/read-source.ts';
import {
  DOORS,
  FILES_IN_CIRCLES,
  FOR_TESTS_ALONE,
  LONG_FUNCTIONS,
  MORE_DOORS,
  NAMES_TWICE,
  SHARED_TABLES,
} from '#test/support/tidy-exceptions.ts';

const ROOT = dirname(import.meta.dirname);

/** Which folders a folder may import. docs/map.md shows the same table; edges never each other. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  money: ['base'],
  db: ['base'],
  catalog: ['base', 'money'],
  account: ['base', 'money', 'db', 'catalog'],
  rates: ['base', 'money', 'db', 'catalog'],
  ledger: ['base', 'money', 'db', 'catalog'],
  deposit: ['base', 'money', 'db', 'catalog', 'account', 'ledger'],
  event: ['base', 'money', 'db', 'catalog', 'account'],
  anchor: ['base', 'money', 'db', 'catalog', 'deposit', 'event'],
  people: ['base', 'money', 'db', 'catalog', 'account'],
  settle: ['base', 'money', 'db', 'catalog', 'account', 'ledger', 'deposit', 'event'],
  checkout: [
    'settle',
    'base',
    'money',
    'db',
    'catalog',
    'account',
    'people',
    'rates',
    'ledger',
    'deposit',
    'event',
    'anchor',
  ],
  'deposit-address': [
    'settle',
    'base',
    'money',
    'db',
    'catalog',
    'account',
    'ledger',
    'deposit',
    'event',
  ],
  swap: ['base', 'money', 'db', 'catalog', 'account', 'rates', 'ledger', 'event'],
  transfer: ['base', 'money', 'db', 'catalog', 'account', 'people', 'ledger', 'event'],
  refund: [
    'base',
    'money',
    'db',
    'catalog',
    'account',
    'people',
    'ledger',
    'deposit',
    'event',
    'checkout',
    'transfer',
  ],
  suspense: [
    'settle',
    'base',
    'money',
    'db',
    'catalog',
    'account',
    'ledger',
    'deposit',
    'event',
    'checkout',
    'deposit-address',
    'transfer',
    'refund',
  ],
  report: ['base', 'money', 'db', 'catalog', 'account', 'ledger', 'checkout'],
  networks: [
    'anchor',
    'transfer',
    'base',
    'money',
    'db',
    'catalog',
    'account',
    'people',
    'rates',
    'ledger',
    'deposit',
    'event',
    'checkout',
  ],
  api: [
    'settle',
    'transfer',
    'refund',
    'suspense',
    'deposit-address',
    'base',
    'money',
    'db',
    'catalog',
    'account',
    'people',
    'rates',
    'ledger',
    'deposit',
    'event',
    'checkout',
    'swap',
    'report',
  ],
  pages: [
    'refund',
    'base',
    'money',
    'db',
    'catalog',
    'account',
    'people',
    'rates',
    'ledger',
    'deposit',
    'event',
    'checkout',
  ],
};
/** May import everything: they put the parts together. */
const COMPOSITION = ['', 'server', 'cli'];

/** Libraries that belong to some folders only. */
const LIBRARY_HOMES: readonly (readonly [library: RegExp, homes: readonly string[]])[] = [
  [/^pg$/, ['db']],
  [/^(?:hono|@hono\/)/, ['api', 'pages']],
  [/^(?:@scure\/|@noble\/|zeromq|@rgrove\/)/, ['networks']],
  [/^@stellar\//, ['networks', 'anchor']],
  [/^smol-toml/, ['anchor']],
  [/^(?:sharp|pdfkit)/, ['pages']],
  [/^zod/, ['money', 'checkout', 'api', 'people']],
  [/^(?:node:)?process$/, ['', 'server', 'cli', 'db']],
  // Judges in tests, which nobody who installs the service needs.
  [/^(?:viem|ipaddr\.js|ripple-|light-bolt11|standardwebhooks|fast-check)/, []],
];

const FORBIDDEN_NAMES = /(?:^|\/)(?:utils?|common|helpers?|managers?|misc)(?:\.ts|\/)/;
const COLUMNS_MAX = 100;
/** Tables of cases and patterns read better in one line. */
const COLUMNS_MAX_TEST = 120;
const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const DOORS_MAX = 8;
const TABLES_IN_SQL =
  /\b(?:from|join|into|update|using)\s+(?:only\s+)?((?:\w+(?:\s+(?:as\s+)?\w+)?\s*,\s*)*\w+)/g;

type SourceFile = { readonly path: string; readonly folder: string; readonly text: string };

function listFiles(...patterns: string[]): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return listed
    .split('\n')
    .filter((path) => path !== '')
    .flatMap((path) => {
      try {
        const parts = path.split('/');
        const folder = parts[0] === 'src' && parts.length > 2 ? (parts[1] ?? '') : '';
        return [{ path, folder, text: readFileSync(join(ROOT, path), 'utf8') }];
      } catch {
        return [];
      }
    });
}

const SOURCE = listFiles('src/*.ts', 'src/**/*.ts');
const ALL_CODE = listFiles('*.ts', '*.mjs', '*.sql');

function importsOf(file: SourceFile): string[] {
  const pattern =
    /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...file.text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function isTest(file: SourceFile): boolean {
  return file.path.endsWith('.test.ts');
}

function offences(check: (file: SourceFile) => readonly string[]): string[] {
  return SOURCE.flatMap((file) => check(file).map((offence) => `${file.path}: ${offence}`));
}

test('there is code to look at', () => assert.ok(SOURCE.length > 50));

test('imports inside a folder are ./file.ts, across folders #folder/file.ts, and never ../', () => {
  assert.deepEqual(
    offences((file) =>
      importsOf(file).filter(
        (path) => /^\.\.\//.test(path) || (/^\.\/.*\//.test(path) && file.folder === ''),
      ),
    ),
    [],
  );
});

test('imports between folders go down only', () => {
  assert.deepEqual(
    offences((file) => {
      if (isTest(file) || COMPOSITION.includes(file.folder)) return [];
      const allowed = MAY_IMPORT[file.folder];
      if (allowed === undefined) return [`the folder ${file.folder} is not in the table`];
      return importsOf(file)
        .filter((path) => path.startsWith('#'))
        .filter((path) => {
          const target = path.slice(1).split('/')[0] ?? '';
          return target !== file.folder && !allowed.includes(target);
        });
    }),
    [],
  );
});

test('SQL of a folder is imported only inside it', () => {
  assert.deepEqual(
    offences((file) => importsOf(file).filter((path) => /^#.*-store\.ts$/.test(path))),
    [],
  );
});

test('a library is used only in the folders it belongs to', () => {
  assert.deepEqual(
    offences((file) => {
      if (isTest(file)) return [];
      return importsOf(file).filter((path) =>
        LIBRARY_HOMES.some(
          ([library, homes]) => library.test(path) && !homes.includes(file.folder),
        ),
      );
    }),
    [],
  );
});

test('nothing but main and the command line reads process', () => {
  assert.deepEqual(
    offences((file) => {
      if (isTest(file) || file.path === 'src/main.ts' || file.folder === 'cli') return [];
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

test('no statement asks whether a value it was given is null: its one plan would read it all', () => {
  assert.deepEqual(
    offences((file) =>
      isTest(file) ? [] : (file.text.match(/\$\{[^}]*\}::\w+(?: is null| or\b|\s+or\b)/g) ?? []),
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
  const words = /\b(?:it|test|describe|suite)\.(?:skip|only|todo)\b|skip: *true|only: *true/g;
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

test('every column of every table has a comment', () => {
  const missing: string[] = [];
  for (const { path, text } of ALL_CODE.filter((file) => file.path.startsWith('migrations/'))) {
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

const READ = readSource();
const PRODUCT = READ.filter(({ isProduct }) => isProduct);
const FOLDER_OF = new Map(READ.map(({ path, folder }) => [path, folder]));

/** How many there are, by folder. */
function countByFolder(
  found: Iterable<readonly [folder: string, what: string]>,
): Record<string, number> {
  const counts = [...Map.groupBy(found, ([folder]) => folder)].map(
    ([folder, list]) => [folder, new Set(list.map(([, what]) => what)).size] as const,
  );
  return Object.fromEntries(counts.sort());
}

/** Files that other folders import, by folder, as paths inside it. */
function doorsByFolder(): Record<string, string[]> {
  const doors = PRODUCT.flatMap(({ folder, imports }) =>
    imports
      .map(({ from }) => [FOLDER_OF.get(from) ?? '', from] as const)
      .filter(([owner, from]) => from.startsWith('src/') && owner !== folder),
  );
  const named = [...Map.groupBy(doors, ([folder]) => folder)].map(([folder, list]) => {
    const paths = list.map(([, path]) => path.slice(`src/${folder}/`.length, -'.ts'.length));
    return [folder, [...new Set(paths)].sort()] as const;
  });
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

test('the doors of a folder, files that other folders import, are those that are named', () => {
  assert.deepEqual(doorsByFolder(), DOORS);
});

test('a folder has at most eight doors, and those with more never get another', () => {
  const above = Object.entries(DOORS)
    .map(([folder, doors]) => [folder, doors.length] as const)
    .filter(([, count]) => count > DOORS_MAX);
  assert.deepEqual(Object.fromEntries(above), MORE_DOORS);
});

test('a table is touched by the SQL of one folder', () => {
  const migrations = ALL_CODE.filter(({ path }) => path.startsWith('migrations/'));
  const tables = new Set(
    migrations.flatMap(({ text }) =>
      [...text.matchAll(/^create table (\w+)/gm)].map(([, name]) => name ?? ''),
    ),
  );
  const named = (statement: string) =>
    [...statement.matchAll(TABLES_IN_SQL)].flatMap(([, list = '']) =>
      list.split(',').map((one) => one.trim().split(/\s/)[0] ?? ''),
    );
  const touches = PRODUCT.flatMap(({ folder, statements, tables: declared }) =>
    [...statements.flatMap(named), ...declared].map((table) => ({ table, folder })),
  ).filter(({ table }) => tables.has(table));
  const shared = [...Map.groupBy(touches, ({ table }) => table)].flatMap(([table, list]) => {
    const folders = [...new Set(list.map(({ folder }) => folder))].sort();
    return folders.length < 2 ? [] : [[table, folders] as const];
  });
  assert.ok(touches.length > 100, 'tables are found in SQL');
  assert.deepEqual(Object.fromEntries(shared.sort()), SHARED_TABLES);
});

test('no file imports itself by way of others', () => {
  const found = filesInCircles().map((path) => [FOLDER_OF.get(path) ?? '', path] as const);
  assert.deepEqual(countByFolder(found), FILES_IN_CIRCLES);
});

function filesInCircles(): string[] {
  const importsOf = new Map(PRODUCT.map(({ path, imports }) => [path, imports]));
  return [...importsOf.keys()].filter((start) => {
    const reached = new Set<string>();
    const open = [start];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      for (const { from } of importsOf.get(path) ?? []) {
        if (from === start) return true;
        if (!reached.has(from)) open.push(from);
        reached.add(from);
      }
    }
    return false;
  });
}

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

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
