// npm run simulate -- --seeds 100000 --from 1: a long run. One seed alone shows every step.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { simulate, summaryOf } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
});
const seeds = wholeNumber('seeds');
const from = wholeNumber('from');
const workers = wholeNumber('workers');
const startedMs = performance.now();
const { counters, failure } = await simulate({
  seeds,
  from,
  workers,
  onStep: seeds === 1 ? (line) => console.log(line) : undefined,
  onProgress: (soFar) => {
    if (soFar.seeds % 1000 === 0) console.log(`${soFar.seeds} seeds, ${elapsed()}`);
  },
});
console.log(`${summaryOf(counters)}; ${elapsed()}`);
if (failure !== undefined) {
  console.error(failure);
  process.exitCode = 1;
}

function wholeNumber(name: 'seeds' | 'from' | 'workers'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  console.error(`--${name}: a whole number from 1 is wanted, not ${values[name]}`);
  process.exit(1);
}

function elapsed(): string {
  return `${Math.round((performance.now() - startedMs) / 1000)} s`;
}
