// Tests that pass on PostgreSQL and not on a worker of Citus, and why. `npm run test:citus` says them at
// its end, and fails when another one fails, or when one of these passes.

export type Failure = { readonly file: string; readonly test: string };

const NO_TABLE =
  'it truncates or changes a table by its name, which on a worker is a view: PostgreSQL refuses that ' +
  'by itself, and no constraint is named';

export const KNOWN_FAILURES: readonly (Failure & { readonly why: string })[] = [
  {
    file: 'src/ledger/post-entry.test.ts',
    test: 'what is posted or sealed is never changed, deleted or truncated',
    why: NO_TABLE,
  },
  {
    file: 'src/ledger/post-entry.test.ts',
    test: 'a balance changes by postings and by nothing else',
    why: NO_TABLE,
  },
  {
    file: 'src/ledger/verify-ledger.test.ts',
    test: 'a cause key used twice is found, with the index of cause keys and without it',
    why: NO_TABLE,
  },
  {
    file: 'src/backup/backup.test.ts',
    test: 'every row, constraint, trigger and sequence is what it was',
    why:
      'as many rows come back as there were; then it compares rows of tables by their names, which ' +
      'on a worker are views with two columns more',
  },
  {
    file: 'test/scenarios/bad-starts.test.ts',
    test: 'a database that does not sync to disk is refused',
    why: 'each of these nodes syncs',
  },
  {
    file: 'test/scenarios/upgrade.test.ts',
    test: 'a program goes on over the schema of a later one, and starts again over it',
    why:
      'it adds columns by the names of tables, which on a worker are views; a migration at the ' +
      'coordinator under load is a story of test/citus/under-load.ts',
  },
];

/** Files that only say what PostgreSQL plans for tables of these names, and how large they are. */
export const LEFT_OUT = ['due-queues', 'growth', 'long-lists'].map(
  (name) => `test/scenarios/${name}.test.ts`,
);
