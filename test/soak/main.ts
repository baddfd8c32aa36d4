// npm run test:soak. `--help` says what it does.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { drawMemory } from './draw-memory.ts';
import { runSoak } from './run-soak.ts';
import { SOAK_BUGS } from './soak-bugs.ts';

const USAGE = `npm run test:soak           eight processes sell at half of what they can, while things go wrong
  --minutes 60              how long, without what is measured before and waited for afterwards
  --seed 1                  what goes wrong, where and when; another one each time unless it is named
  --bug leak                a fault of the program, to see that it is found: ${Object.keys(SOAK_BUGS).join(', ')}
  --json                    the figures and samples as JSON, on stdout; progress goes to stderr
Processes are killed and frozen, nodes and receivers fall silent, the disk is full (Linux, root), the
database is killed. Exit code 1 when something is lost, is there twice, or grows.`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
    bug: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (values.bug !== undefined && !Object.hasOwn(SOAK_BUGS, values.bug)) {
  console.error(`--bug: ${values.bug} is none of ${Object.keys(SOAK_BUGS).join(', ')}`);
  process.exit(1);
}
const startedMs = performance.now();
const report = await runSoak({
  roles: ['serve', 'watch', 'settle', 'deliver'],
  seconds: positive('minutes') * 60,
  seed: positive('seed'),
  measureSeconds: 20,
  faultTimes: { pauseMs: [4_000, 15_000], lastsMs: [2_000, 15_000] },
  sampleMs: 5_000,
  bug: values.bug,
  say(line) {
    const elapsed = ((performance.now() - startedMs) / 1_000).toFixed(0).padStart(5);
    process[values.json ? 'stderr' : 'stdout'].write(`${elapsed} s  ${line}\n`);
  },
});
if (values.json) console.log(JSON.stringify(report, undefined, 1));
else {
  const { found, happened, latencyMs } = report;
  console.log(`${drawMemory(report)}
${report.sales} sales, ${found.checkouts} checkouts, ${found.payments} payments acknowledged, ${found.credits} credits, ${found.events} events
${report.repeated} requests were repeated; ${(report.longestSilenceMs / 1_000).toFixed(1)} s without an answer at the most; half within ${latencyMs.p50.toFixed(0)} ms, 99 of 100 within ${latencyMs.p99.toFixed(0)} ms
what went wrong: ${Object.entries(happened)
    .map(([fault, count]) => `${fault} ${count}`)
    .join(', ')}
${report.faults.length === 0 ? 'nothing is lost, nothing is there twice, nothing grows' : report.faults.join('\n')}`);
}
if (report.faults.length > 0) process.exitCode = 1;

function positive(name: 'minutes' | 'seed'): number {
  const number = Number(values[name]);
  if (Number.isFinite(number) && number > 0) return number;
  console.error(`--${name}: a number above 0 is wanted, not ${values[name]}`);
  process.exit(1);
}
