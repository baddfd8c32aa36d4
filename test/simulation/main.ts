// npm run simulate -- --seeds 100000 --from 1: a long run. One seed alone shows every step.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { absentOf, SEEDS_ENOUGH, simulate, tableOf } from './simulate.ts';

const USAGE = `npm run simulate            a thousand stories of payments, prices, refunds and failures
  --seeds 100000 --from 1   how many, and which is the first; one alone shows every step. A long run
                            can be done in parts: 5000 --from 1, then 5000 --from 5001, ...
  --workers 2               threads
  --failures 1              begins no more seeds after so many have failed
  --json                    counters and failures as JSON
Exit code 1 when a seed fails, or when in ${SEEDS_ENOUGH} seeds or more something rare never happened.`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    failures: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const TOLD_EVERY = 200;
const seeds = wholeNumber('seeds');
const from = wholeNumber('from');
const startedMs = performance.now();
let told = 0;
const { counters, failures } = await simulate({
  seeds,
  from,
  workers: wholeNumber('workers'),
  failuresMost: wholeNumber('failures'),
  onStep: seeds === 1 && !values.json ? (line) => console.log(line) : undefined,
  onFailure: values.json ? undefined : (what) => console.error(what),
  onProgress: (soFar) => {
    if (Math.floor(soFar.seeds / TOLD_EVERY) === told || values.json) return;
    told = Math.floor(soFar.seeds / TOLD_EVERY);
    console.log(`${soFar.seeds} of ${seeds} seeds, ${elapsed()}, ${remaining(soFar.seeds)} to go`);
  },
});
const absent = failures.length === 0 ? absentOf(counters) : [];
if (values.json) console.log(JSON.stringify({ counters, failures, absent }, null, 2));
else {
  console.log(`${tableOf(counters)}\n${elapsed()}, seeds ${from} to ${from + seeds - 1}`);
  if (absent.length > 0) console.error(`It never happened: ${absent.join(', ')}`);
}
if (failures.length > 0 || absent.length > 0) process.exitCode = 1;

function wholeNumber(name: 'seeds' | 'from' | 'workers' | 'failures'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  console.error(`--${name}: a whole number from 1 is wanted, not ${values[name]}`);
  process.exit(1);
}

function elapsed(): string {
  return inSeconds(performance.now() - startedMs);
}

function remaining(done: number): string {
  return inSeconds(((performance.now() - startedMs) / done) * (seeds - done));
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
