// The proof of a ledger of any size in bounded time: how far it is, how long it took and the most that
// it held stand in a file beside the databases. A run that is ended goes on there, as `ledger verify`
// does, and what is said at the end is of all of its parts.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '#base/clock.ts';
import { openDb } from '#db/db.ts';
import { verifyEvents } from '#event/prove-events.ts';
import { openProof } from '#ledger/verify-checkpoint.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { log } from './bench-database.ts';
import { type Figure, figureOf } from './measure.ts';
import type { Side, Sides } from './scale-figures.ts';

const TIME_AIM = { atMost: 1.3 };
const HEAP_AIM = { atMost: 1.5 };
/** Of the time after which the service ends a statement. */
const STATEMENT_AIM = { atMost: 0.1 };
const STATEMENT_LIMIT_MS = 30_000;
const MEGABYTE = 1_048_576;
const SAID_EACH_MS = 10_000;
const COLLECTED_EACH_MS = 1_000;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

type Spent = {
  ms: number;
  longestMs: number;
  longest: string;
  /** The most that the heap held right after a collection: what lies there between two is garbage. */
  heapMost: number;
  /** Of the process, all that is measured beside it included. */
  residentMost: number;
};
type Proved = Spent & { readonly postings: number };

/** The small one is proved before and after: the full one takes long, and much happens meanwhile. */
export async function measureVerify(sides: Sides): Promise<Figure[]> {
  const { full, small, say } = sides;
  const before = await prove(small, () => undefined);
  const mine = await prove(full, say);
  const after = await prove(small, () => undefined);
  say(`verify: ${shown(mine.postings)} postings in ${Math.round(mine.ms / 1000)} s, ${held(mine)}`);
  say(`verify: the longest step took ${Math.round(mine.longestMs)} ms: ${mine.longest}`);
  const perMillion = ({ ms, postings }: Proved) => (ms / postings) * 1_000_000;
  const against = `of ${shown(small.checkouts)}`;
  const name = 'ledger verify';
  return [
    figureOf(
      { name: `${name} (a million postings)`, against, unit: 'ms', aim: TIME_AIM },
      perMillion(mine),
      (perMillion(before) + perMillion(after)) / 2,
    ),
    figureOf(
      { name: `${name}, longest step`, against: '30 s', unit: 'ms', aim: STATEMENT_AIM },
      mine.longestMs,
      STATEMENT_LIMIT_MS,
    ),
    figureOf(
      { name: `${name}, heap at the most`, against, unit: 'MB', aim: HEAP_AIM },
      mine.heapMost / MEGABYTE,
      Math.max(before.heapMost, after.heapMost) / MEGABYTE,
    ),
  ];
}

/** @throws Error when there is a fault: then nothing that was measured means anything. */
async function prove({ database, proof: file }: Side, say: Sides['say']): Promise<Proved> {
  // With the limit of a statement that the service has.
  const db = openDb({ ...database.connection, poolSize: 2, log });
  try {
    const proof = await openProof(db, { file, from: 'rest', now: () => systemClock.now() });
    const watch = startWatch(`${file}-spent`, proof.begun !== undefined, say);
    const ledger = await verifyLedger(db, watch.onProgress, proof);
    const events = await verifyEvents({ db, clock: systemClock }, watch.onProgress, proof);
    const reasons = await verifyReasons(db, watch.onProgress, proof);
    const faults = [...ledger.faults, ...events.faults, ...reasons];
    proof.end(faults.length === 0);
    if (faults.length > 0) throw new Error(`the ledger is wrong: ${faults[0]}`);
    return { ...watch.end(), postings: Number(ledger.postings) };
  } finally {
    await db.close();
  }
}

/** `goesOn`: what was spent before the proof was interrupted is added. */
function startWatch(file: string, goesOn: boolean, say: Sides['say']) {
  const spent: Spent =
    goesOn && existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : { ms: 0, longestMs: 0, longest: '', heapMost: 0, residentMost: 0 };
  let [lastMs, saidMs, collectedMs] = [performance.now(), performance.now(), 0];
  const note = (step: string) => {
    const nowMs = performance.now();
    spent.ms += nowMs - lastMs;
    if (nowMs - lastMs > spent.longestMs)
      Object.assign(spent, { longestMs: nowMs - lastMs, longest: step });
    if (nowMs - collectedMs >= COLLECTED_EACH_MS) {
      collect();
      const { heapUsed, rss } = process.memoryUsage();
      spent.heapMost = Math.max(spent.heapMost, heapUsed);
      spent.residentMost = Math.max(spent.residentMost, rss);
      collectedMs = performance.now();
    }
    // The collection is not the proof's.
    lastMs = performance.now();
  };
  return {
    onProgress(step: string) {
      note(step);
      if (lastMs - saidMs < SAID_EACH_MS) return;
      saidMs = lastMs;
      writeFileSync(file, JSON.stringify(spent));
      say(`verify: ${step}; ${Math.round(spent.ms / 1000)} s, ${held(spent)}`);
    },
    end() {
      note('the end');
      rmSync(file, { force: true });
      return spent;
    },
  };
}

function held({ heapMost, residentMost }: Spent): string {
  const megabytes = (bytes: number) => `${Math.round(bytes / MEGABYTE)} MB`;
  return `heap at the most ${megabytes(heapMost)} of ${megabytes(residentMost)}`;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
