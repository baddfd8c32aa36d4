// The second half of npm run mutate, on the pinned Node. Nothing in the tree is changed: each thread
// reads its one file with the bug in it (mutate-hook.mjs).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runSeeds, withServer } from '#test/simulation/simulate.ts';
import { bugs, findBug, withBug } from './mutate-bugs.mjs';
import { fail, root } from './setup.mjs';

const usage = `npm run mutate               each bug alone, until the simulation finds it
  --only NAME[,NAME]         these bugs
  --seeds 300                so many seeds for each
  --workers 2                threads
  --list                     the bugs
  --json                     the table as JSON
Exit code 1 when a bug survives, or when seeds that found one fail without it.`;

const options = {
  only: { type: 'string' },
  seeds: { type: 'string', default: '300' },
  workers: { type: 'string', default: '2' },
  list: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
};
const values = readOptions();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
if (values.list) {
  for (const { name, what } of bugs) console.log(`${name.padEnd(28)}${what}`);
  process.exit(0);
}
const seeds = wholeNumber('seeds');
const workers = wholeNumber('workers');
const chosen = values.only === undefined ? bugs : values.only.split(',').map(findBugOrFail);
// All of them before the first is run: a line that has changed is said at once.
for (const bug of bugs) readWithBug(bug);

const report = await withServer(runAll);
const survivors = report.bugs.filter(({ seed }) => seed === undefined);
if (values.json) console.log(JSON.stringify(report, null, 2));
else {
  console.log(
    `\n${report.bugs.length - survivors.length} of ${report.bugs.length} bugs were found`,
  );
  if (survivors.length > 0)
    console.log(`Not found: ${survivors.map(({ name }) => name).join(', ')}`);
  if (report.control !== undefined) console.log(`Without a bug: ${report.control}`);
}
process.exit(survivors.length > 0 || report.control !== undefined ? 1 : 0);

async function runAll(server) {
  const found = [];
  for (const { name, what } of chosen) {
    const startedMs = performance.now();
    const { failures } = await runSeeds(server, { from: 1, seeds, workers, bug: name });
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    const result = { name, what, ...readFailure(failures[0]), seconds };
    found.push(result);
    if (!values.json) console.log(lineOf(result));
  }
  return { seeds, bugs: found, control: await runWithout(server, found) };
}

/** The seeds that found them pass without a bug, or they have found nothing. */
async function runWithout(server, found) {
  const last = Math.max(0, ...found.map(({ seed }) => seed ?? 0));
  if (last === 0) return undefined;
  const { failures } = await runSeeds(server, { from: 1, seeds: last, workers });
  return failures[0]?.split('\n')[0];
}

/** Only what a seed says of itself has found something; anything else is a fault of the run. */
function readFailure(failure) {
  if (failure === undefined) return { seed: undefined, check: undefined };
  const first = failure.split('\n')[0];
  const match = /^(?:seed (\d+)|after seeds \d+ to (\d+)): (.*)$/.exec(first);
  if (match === null) throw new Error(failure);
  return { seed: Number(match[1] ?? match[2]), check: match[3] };
}

function lineOf({ name, seed, check, seconds }) {
  const where = seed === undefined ? 'NOT FOUND' : `seed ${seed}`;
  return `${name.padEnd(28)}${where.padEnd(11)}${`${seconds} s`.padEnd(7)}${(check ?? '').slice(0, 110)}`;
}

function readOptions() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(`${error.message}\n${usage}`);
  }
}

function wholeNumber(name) {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  return fail(`--${name}: a whole number from 1 is wanted, not ${values[name]}`);
}

function readWithBug(bug) {
  try {
    withBug(bug, readFileSync(path.join(root, bug.file), 'utf8'));
  } catch (error) {
    fail(error.message);
  }
}

function findBugOrFail(name) {
  try {
    return findBug(name);
  } catch (error) {
    return fail(error.message);
  }
}
