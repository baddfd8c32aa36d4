// npm run test:kills: the second half, on the pinned Node. A PostgreSQL of its own, and a world that is
// opened anew when a run has failed in it.
import { rmSync } from 'node:fs';
import process from 'node:process';
import { inspect, parseArgs } from 'node:util';
import { silentLog } from '#base/log.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { makeDirectoryInMemory } from '#test/support/make-directory-in-memory.ts';
import { FAILPOINTS } from './failpoints.ts';
import { findKillBug } from './kill-bugs.ts';
import { type KillWorld, openKillWorld } from './kill-world.ts';
import { checkWhole, runKill } from './run-kill.ts';

const USAGE = `npm run test:kills           kill -9 at every place between reserve, sign, store, send, record and book
  --network litecoin         or anvil; a real node
  --runs 50                  each with an order or two, and one or two deaths
  --from 1                   the first run: a long run can be done in parts
  --seed 1                   what is drawn
  --at 'answer stored'       only places whose name has this in it
  --failures 1               begins no more runs after so many have failed
  --bug NAME                 with this bug of kill-bugs.ts put in: exit code 1 is what is wanted
  --json                     counters and failures as JSON
Exit code 1 when a run fails, or when a place was reached less often than it should.`;

const { values } = parseArgs({
  options: {
    network: { type: 'string', default: 'litecoin' },
    runs: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    failures: { type: 'string', default: '1' },
    at: { type: 'string', default: '' },
    bug: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const { network } = values;
if (network !== 'litecoin' && network !== 'anvil') end(`--network: litecoin or anvil`);
const runs = wholeNumber('runs');
const from = wholeNumber('from');
const seed = wholeNumber('seed');
const failuresMost = wholeNumber('failures');
/** The books are looked at whole after so many, and at the end. */
const WHOLE_EVERY = 25;
const failpoints = FAILPOINTS.filter(({ name }) => name.includes(values.at));
if (failpoints.length === 0) end(`--at: no place has ${values.at} in its name`);
const startedMs = performance.now();
const hits = new Map(FAILPOINTS.map(({ name }) => [name, 0]));
const failures: string[] = [];
let done = 0;

const directory = makeDirectoryInMemory();
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
// Signers are ended when we exit, and a signal alone is no exit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => end(signal));
const database = await startEmbeddedDatabase({ directory, log: silentLog });
if (values.bug !== undefined) putIn(values.bug);
process.env.QUITTANCE_TEST_DATABASE = JSON.stringify(database.connection);
// What our process does at length holds up what passes through its proxies.
await import('#cli/run-command-line.ts');
let world: KillWorld | undefined;
try {
  for (let run = from; run < from + runs && failures.length < failuresMost; run += 1) {
    await oneRun(run);
    tell(run);
  }
  if (world !== undefined) await checkWhole(world).catch(noteFailure('the books at the end'));
} finally {
  await world?.close();
  await database.close();
}
report();

async function oneRun(run: number): Promise<void> {
  try {
    world ??= await openKillWorld(network as 'litecoin' | 'anvil');
    const { killedAt } = await runKill(world, { seed, run, failpoints });
    for (const { name } of killedAt) hits.set(name, (hits.get(name) ?? 0) + 1);
    done += 1;
    if (done % WHOLE_EVERY === 0) await checkWhole(world);
  } catch (error) {
    noteFailure(`run ${run}`)(error);
    console.error(world?.server.output().split('\n').slice(-15).join('\n').slice(-4_000));
    await world?.close();
    world = undefined;
  }
}

function noteFailure(where: string): (error: unknown) => void {
  return (error) => {
    failures.push(`${where}: ${inspect(error)}`);
    console.error(failures.at(-1));
  };
}

function tell(run: number): void {
  if (values.json || (run - from + 1) % 10 !== 0) return;
  const elapsed = (performance.now() - startedMs) / 1000;
  const count = run - from + 1;
  const left = Math.round((elapsed / count) * (runs - count));
  console.log(`${count} of ${runs} runs, ${Math.round(elapsed)} s, ${left} s to go`);
}

function report(): void {
  // The second death of a run only adds to it.
  const least = Math.floor(done / failpoints.length);
  const absent = failpoints.map(({ name }) => name).filter((name) => (hits.get(name) ?? 0) < least);
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const counted = { network, seed, from, runs: done, seconds, hits: Object.fromEntries(hits) };
  if (values.json) console.log(JSON.stringify({ ...counted, failures, absent }, null, 2));
  else {
    for (const [name, count] of hits) console.log(`${`${count}`.padStart(6)}  ${name}`);
    console.log(`${done} runs on ${network}, ${failures.length} failed, ${seconds} s`);
    if (absent.length > 0) console.error(`Reached less than ${least} times: ${absent.join(', ')}`);
  }
  process.exit(failures.length > 0 || absent.length > 0 ? 1 : 0);
}

/** Into every process that is started from here. */
function putIn(name: string): void {
  const hook = new URL('bug-hook.mjs', import.meta.url).href;
  process.env.QUITTANCE_TEST_BUG = findKillBug(name).name;
  process.env.NODE_OPTIONS = `--import ${hook}`;
}

function wholeNumber(name: 'runs' | 'from' | 'seed' | 'failures'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  return end(`--${name}: a whole number from 1 is wanted, not ${values[name]}`);
}

function end(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(1);
}
