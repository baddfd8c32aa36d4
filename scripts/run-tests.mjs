// The second half of npm test, on the pinned Node: two database servers for all, the checks, the files
// of all groups from one queue, and the summary line that everything is read by.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { silentLog } from '#base/log.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { makeDirectoryInMemory } from '#test/support/make-directory-in-memory.ts';
import { runChecks } from './run-checks.mjs';
import { bundleFiles } from './test-bundles.mjs';
import { findDearFiles, findDearSum, readCosts } from './test-costs.mjs';
import { mixLists, selectGroups } from './test-groups.mjs';

/** More files than processors: half of the time of a story goes by while it waits for others. */
const AT_ONCE = Math.min(8, availableParallelism() + 4);
/** A file has up to thirty at one time: its server, its commands and itself. */
const CONNECTIONS_MOST = 40 * AT_ONCE;
/** Limits cost nothing, and a machine may be slow. */
const FILE_MINUTES = 40;
const ALL_MINUTES = 120;
const LINES_OF_A_CAUSE = 12;
/** Before every test file, in `test/support`. */
const PRELOADED = ['exact-times.ts', 'end-with-parent.ts', 'note-cost.ts', 'quick-imports.ts'];

const isLong = process.argv.includes('--long');
const filters = process.argv.slice(2).filter((word) => word !== '--long');
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => interrupted.abort(new Error(`stopped by ${signal}`)));
}
const directory = makeDirectoryInMemory();
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
// Hundreds of processes start from the same files: compiled once, they start in half the time.
process.env.NODE_COMPILE_CACHE = path.join(directory, 'compiled');
const [database, unsafeFast] = await Promise.all([
  startEmbeddedDatabase({
    directory: path.join(directory, 'durable'),
    log: silentLog,
    connectionsMost: CONNECTIONS_MOST,
  }),
  startEmbeddedDatabase({
    directory: path.join(directory, 'fast'),
    log: silentLog,
    connectionsMost: CONNECTIONS_MOST,
    unsafeFast: true,
  }),
  compileProgram(),
]);
const costs = path.join(directory, 'costs');
if (!isLong) process.env.QUITTANCE_TEST_COSTS = costs;
process.env.QUITTANCE_TEST_RUN = String(process.pid);
process.env.QUITTANCE_TEST_DATABASE = JSON.stringify(database.connection);
process.env.QUITTANCE_TEST_DATABASE_UNSAFE = JSON.stringify(unsafeFast.connection);

const total = { passed: 0, failed: 0 };
/** Each failed test with its file, told once more at the end. */
const failedTests = [];
try {
  // They take no turn of the queue: its first files are not done when they are.
  const checking =
    filters.length === 0 && !isLong ? runChecks(process.execPath, interrupted) : undefined;
  const { passed, failed } = await runGroups(selectGroups(filters, isLong));
  total.passed += passed;
  total.failed += failed + ((await checking) ?? 0);
} finally {
  await Promise.all([database.close(), unsafeFast.close()]);
}
if (interrupted.signal.aborted) {
  console.log('\nInterrupted: the remaining tests did not run.');
  total.failed += 1;
}
if (failedTests.length > 0) console.log(`\nFailed:\n${failedTests.join('\n')}`);
const noted = readCosts(costs);
const dear = [...findDearFiles(noted), ...(filters.length > 0 ? [] : findDearSum(noted))];
if (dear.length > 0) {
  console.log(`\nCame to take long (scripts/test-costs.mjs):\n  ${dear.join('\n  ')}`);
}
if (total.passed === 0) console.log('\nNo test passed.');
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

/** A process writes what it compiled when it ends: the first files would all compile the program. */
async function compileProgram() {
  if (filters.length > 0) return;
  const program = ['#server/start.ts', '#cli/run-command-line.ts'];
  const script = program.map((name) => `await import(${JSON.stringify(name)});`).join('');
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]).catch(
    () => undefined, // The tests tell what does not load.
  );
}

/** A skipped or cancelled test counts as failed: nothing is left out silently. */
async function runGroups(groups) {
  console.log(
    `\n== Tests: ${groups.map(({ name, files }) => `${name} ${files.length}`).join(', ')}`,
  );
  const parts = groups.map((group) => bundleFiles(group, path.join(directory, 'bundles')));
  const first = mixLists(parts.map((part) => part.first));
  const rest = mixLists(parts.map((part) => part.rest));
  const deadline = AbortSignal.timeout(ALL_MINUTES * 60_000);
  const stream = run({
    files: [...first, ...rest],
    concurrency: AT_ONCE,
    execArgv: PRELOADED.flatMap((file) => [
      '--import',
      pathToFileURL(path.resolve('test/support', file)).href,
    ]),
    timeout: FILE_MINUTES * 60_000,
    signal: AbortSignal.any([deadline, interrupted.signal]),
  });
  let summary;
  let failures = 0;
  stream.on('test:fail', ({ name: test, file, details }) => {
    failures += 1;
    const cause = details.error.cause ?? details.error;
    const what = String(cause.message ?? cause)
      .split('\n', LINES_OF_A_CAUSE)
      .join('\n    ');
    failedTests.push(`  ${path.relative('.', file ?? '')}: ${test}\n    ${what}`);
  });
  stream.on('test:summary', (event) => {
    if (event.file === undefined) summary = event.counts;
  });
  const startedAt = performance.now();
  // Files are told in the order of the queue: while the first of them runs, nothing is said.
  const ticker = setInterval(() => {
    console.error(`  still running (${Math.round((performance.now() - startedAt) / 60_000)} min)`);
  }, 60_000);
  const output = stream.compose(spec);
  for await (const text of output) process.stdout.write(text);
  clearInterval(ticker);
  if (deadline.aborted) console.log(`Not finished after ${ALL_MINUTES} minutes`);
  const passed = summary?.passed ?? 0;
  const counted = (summary?.tests ?? 0) - passed - (summary?.todo ?? 0);
  const isUnfinished = summary === undefined || deadline.aborted;
  return { passed, failed: Math.max(counted, failures > 0 || isUnfinished ? 1 : 0) };
}
