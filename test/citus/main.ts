// npm run test:citus. A coordinator and two workers of a PostgreSQL that has Citus, and tests over
// databases that Citus keeps on one of the workers. Nothing outlives it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import { type Failure, KNOWN_FAILURES, LEFT_OUT } from './known-failures.ts';
import { findUser, startNodes } from './nodes.ts';

/** The ledger, leases, chains, backups, all races, scenarios; others are given as parameters. */
const TESTS = [
  'test/citus/stories.ts',
  'test/citus/under-load.ts',
  'src/backup/backup.test.ts',
  'src/chain/record-observation.test.ts',
  'src/lease/hold-leases.test.ts',
  'src/ledger/post-entry.test.ts',
  'src/ledger/verify-ledger.test.ts',
  'test/races/*.test.ts',
  'test/scenarios/*.test.ts',
];
/** A coordinator and two workers. */
const NODES = 3;
/** Who stops this stops the nodes too. */
const ENDED_BY = ['SIGINT', 'SIGTERM'];
const LIST = join(import.meta.dirname, 'list-failures.ts');

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    options: { bin: { type: 'string', default: '' } },
    allowPositionals: true,
  });
  const user = findUser();
  const directory = mkdtempSync(join(tmpdir(), 'quittance-citus-'));
  chmodSync(directory, 0o755);
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  try {
    const nodes = await startNodes(NODES, { bin: values.bin, directory, user });
    try {
      const all = globSync(TESTS).filter((file) => !LEFT_OUT.includes(file));
      const files = (positionals.length > 0 ? globSync(positionals) : all).sort();
      const failures = join(directory, 'failures');
      const hasEnded = await runFiles(files, failures, nodes.connections);
      return hasEnded && isAsKnown(files, failures) ? 0 : 1;
    } finally {
      await nodes.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** False where something ended it before its end. */
async function runFiles(
  files: readonly string[],
  failures: string,
  connections: readonly ConnectionSettings[],
): Promise<boolean> {
  const coordinator = JSON.stringify(connections[0]);
  const reports = [...reportTo('spec', 'stdout'), ...reportTo(LIST, failures)];
  const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...reports, ...files], {
    env: {
      ...process.env,
      QUITTANCE_TEST_DATABASE: coordinator,
      QUITTANCE_TEST_DATABASE_UNSAFE: coordinator,
      QUITTANCE_TEST_CITUS: JSON.stringify(connections),
    },
    stdio: 'inherit',
  });
  const end = () => void child.kill();
  for (const signal of ENDED_BY) process.once(signal, end);
  const [code] = await once(child, 'exit');
  return code !== null;
}

function reportTo(reporter: string, destination: string): string[] {
  return [`--test-reporter=${reporter}`, `--test-reporter-destination=${destination}`];
}

function isAsKnown(files: readonly string[], list: string): boolean {
  const lines = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  const failed = lines.map((line): Failure => JSON.parse(line));
  const isIn = (one: Failure, others: readonly Failure[]) =>
    others.some(({ file, test }) => file === one.file && test === one.test);
  const known = KNOWN_FAILURES.filter(({ file }) => files.includes(file));
  const isNew = failed.filter((one) => !isIn(one, KNOWN_FAILURES));
  const passes = known.filter((one) => !isIn(one, failed));
  for (const { file, test, why } of known)
    console.log(`known not to pass: ${file}: ${test}: ${why}`);
  for (const { file, test } of isNew) console.log(`DOES NOT PASS: ${file}: ${test}`);
  for (const { file, test } of passes)
    console.log(`PASSES, though it is known not to: ${file}: ${test}`);
  for (const file of LEFT_OUT)
    console.log(`not played: ${file}: it is about plans and sizes alone`);
  console.log(
    `${files.length} files, ${known.length} tests known not to pass, ${isNew.length} others`,
  );
  return isNew.length + passes.length === 0;
}

process.exitCode = await main();
