// npm run test:kills: the second half, on the pinned Node. A PostgreSQL of its own, and worlds
// beside each other: a run waits more than it computes.
import { rmSync } from 'node:fs';
import process from 'node:process';
import { inspect, parseArgs } from 'node:util';
import { silentLog } from '#base/log.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { makeDirectoryInMemory } from '#test/support/make-directory-in-memory.ts';
import type { KillNetwork } from './chains.ts';
import { failpointsOf } from './failpoints.ts';
import { findBugs } from './find-bugs.ts';
import { checkWhole, FAULTS, type Fault, Wrong } from './judge-run.ts';
import { findKillBug } from './kill-bugs.ts';
import { type KillWorld, openKillWorld } from './kill-world.ts';
import { kindsOn } from './order-kinds.ts';
import { runKill } from './run-kill.ts';

const USAGE = `npm run test:kills           kill -9 at every place between reserve, sign, store, send, record and book
  --network litecoin         or anvil; a real node
  --runs 50                  each with an order or two, and one or two deaths
  --worlds 2                 so many at once, each with a node, a service and a signer of its own
  --from 1                   the first run: a long run can be done in parts
  --seed 1                   what is drawn
  --at 'answer stored'       only places whose name has this in it
  --failures 1               begins no more runs after so many have failed
  --until 'lost payment'     or after one that failed like this: double payment, lost payment, difference
  --bugs                     every bug of kill-bugs.ts, one after the other: each has to be found
  --bug NAME                 with this one put in: exit code 1 is what is wanted
  --json                     counters and failures as JSON
Exit code 1 when a run fails, when a place was reached less often than it should, or when a kind of
order never came in 150 runs.`;

const { values } = parseArgs({
  options: {
    network: { type: 'string', default: 'litecoin' },
    runs: { type: 'string', default: '50' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    failures: { type: 'string', default: '1' },
    at: { type: 'string', default: '' },
    until: { type: 'string' },
    worlds: { type: 'string', default: '2' },
    bug: { type: 'string' },
    bugs: { type: 'boolean', default: false },
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
if (values.bugs) process.exit(await findBugs({ isJson: values.json }));
const runs = wholeNumber('runs');
const from = wholeNumber('from');
const seed = wholeNumber('seed');
const failuresMost = wholeNumber('failures');
/** The books are looked at whole after so many in a world, and at the end. */
const WHOLE_EVERY = 25;
/** So many runs have every kind in them. */
const KINDS_WITHIN = 150;
const kinds = kindsOn(network as KillNetwork);
const failpoints = failpointsOf(kinds);
const firstOf = failpoints.filter(({ name }) => name.includes(values.at));
if (firstOf.length === 0) end(`--at: no place has ${values.at} in its name`);
const startedMs = performance.now();
const hits = new Map(failpoints.map(({ name }) => [name, 0]));
const ordered = new Map(kinds.map((kind) => [kind, 0]));
const failures: { readonly where: string; readonly fault: Fault; readonly told: string }[] = [];
let next = from;
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
const worlds = Math.min(wholeNumber('worlds'), runs);
await Promise.all(Array.from({ length: worlds }, () => runWorld()));
await database.close();
report();

/** Run after run as the next one is free; the world is opened anew when one has failed in it. */
async function runWorld(): Promise<void> {
  let world: KillWorld | undefined;
  let ran = 0;
  while (next < from + runs && !isEnough()) {
    const run = next;
    next += 1;
    try {
      world ??= await openKillWorld(network as KillNetwork);
      const { killedAt, kinds: own } = await runKill(world, {
        ...{ seed, run, kinds, failpoints, firstOf },
      });
      for (const { name } of killedAt) hits.set(name, (hits.get(name) ?? 0) + 1);
      for (const kind of own) ordered.set(kind, (ordered.get(kind) ?? 0) + 1);
      done += 1;
      ran += 1;
      if (ran % WHOLE_EVERY === 0) await checkWhole(world);
    } catch (error) {
      noteFailure(`run ${run}`)(error);
      console.error(world?.server.output().split('\n').slice(-15).join('\n').slice(-4_000));
      await world?.close();
      world = undefined;
    }
    tell();
  }
  if (world !== undefined) await checkWhole(world).catch(noteFailure('the books at the end'));
  await world?.close();
}

function isEnough(): boolean {
  return failures.length >= failuresMost || failures.some(({ fault }) => fault === values.until);
}

function noteFailure(where: string): (error: unknown) => void {
  return (error) => {
    const fault = error instanceof Wrong ? error.fault : 'difference';
    failures.push({ where, fault, told: inspect(error) });
    console.error(`${where}: ${inspect(error)}`);
  };
}

function tell(): void {
  const count = done + failures.length;
  if (values.json || count % 10 !== 0) return;
  const elapsed = (performance.now() - startedMs) / 1000;
  const left = Math.round((elapsed / count) * (runs - count));
  console.log(`${count} of ${runs} runs, ${Math.round(elapsed)} s, ${left} s to go`);
}

function report(): void {
  // The second death of a run only adds to it.
  const least = Math.floor(done / firstOf.length);
  const rare = firstOf.map(({ name }) => name).filter((name) => (hits.get(name) ?? 0) < least);
  const missing = kinds.filter((kind) => done >= KINDS_WITHIN && ordered.get(kind) === 0);
  const absent = [...rare, ...missing];
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const faults = Object.fromEntries(
    FAULTS.map((name) => [name, failures.filter(({ fault }) => fault === name).length]),
  );
  if (values.json) {
    const counted = { network, seed, from, runs: done, seconds, ...faults };
    const [places, orders] = [Object.fromEntries(hits), Object.fromEntries(ordered)];
    console.log(JSON.stringify({ ...counted, places, orders, failures, absent }, null, 2));
  } else {
    for (const [name, count] of [...ordered, ...hits])
      console.log(`${`${count}`.padStart(6)}  ${name}`);
    const counted = Object.entries(faults).map(([name, count]) => `${count} ${name}s`);
    console.log(`${done} runs on ${network} in ${seconds} s: ${counted.join(', ')}`);
    if (rare.length > 0) console.error(`Reached less than ${least} times: ${rare.join(', ')}`);
    if (missing.length > 0) console.error(`Never ordered: ${missing.join(', ')}`);
  }
  process.exit(failures.length > 0 || absent.length > 0 ? 1 : 0);
}

/** Into every process that is started from here. */
function putIn(name: string): void {
  const hook = new URL('bug-hook.mjs', import.meta.url).href;
  process.env.QUITTANCE_TEST_BUG = findKillBug(name).name;
  process.env.NODE_OPTIONS = `--import ${hook}`;
}

function wholeNumber(name: 'runs' | 'from' | 'seed' | 'failures' | 'worlds'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  return end(`--${name}: a whole number from 1 is wanted, not ${values[name]}`);
}

function end(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(1);
}
