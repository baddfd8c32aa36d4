// npm run bench:scale. A database full of paid checkouts, and what is slower in it than in an empty one.

import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Refusal } from '#base/refusal.ts';
import { withProcessLock } from '#runtime/process-lock.ts';
import { growthOf, guessSizes, sumOf } from '#test/growth/table-growth.ts';
import { startService } from './bench.ts';
import { openBenchApp } from './bench-app.ts';
import { type BenchServer, startBenchServer } from './bench-database.ts';
import type { Figure } from './measure.ts';
import { jsonOf, tableOf } from './report.ts';
import { SCALE_PARTS, type Side } from './scale-figures.ts';
import { fillDatabase } from './scale-fill.ts';
import { FILLING_SETTINGS, readHashedIndexes } from './scale-server.ts';
import { stopPrograms } from './server-process.ts';

const CHECKOUTS = '200000';
const FEW = 10_000;
const SMALL = 'scale_small';
const FULL = 'scale_full';
const YEAR = 3_000_000;

const HELP = `npm run bench:scale: fills a database with paid checkouts, each with two receipts, ten
postings, an event and its delivery, proves the ledger, and measures what a shop does and sees in it
against a database of ${FEW.toLocaleString('en')} on the same server, in turns.

  --checkouts N    how many, ${FEW} to 100000000 (${CHECKOUTS}); 15 kB of disk each
  --data DIR       keep the databases here: a run that was ended goes on where it was, one that
                   is whole is only measured. Without it everything is removed at the end
  --fill           fill and stop
  --only a,b       these parts alone: ${Object.keys(SCALE_PARTS).join(', ')}
  --cold           do not read the indexes whose keys are hashes before: then nearly every new row
                   and every search waits for the disk, as right after the machine was started
  --json           one JSON object on the last line
  --help           this text

docs/operate/bench.md says what was measured.`;

type Asked = {
  readonly checkouts: number;
  readonly data: string | undefined;
  readonly isFillOnly: boolean;
  readonly isCold: boolean;
  readonly parts: readonly string[];
  readonly isJson: boolean;
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Undefined: help. @throws Error with one line when it makes no sense. */
function readArguments(given: readonly string[]): Asked | undefined {
  const { values } = parseArgs({
    args: [...given],
    options: {
      help: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      fill: { type: 'boolean', default: false },
      checkouts: { type: 'string', default: CHECKOUTS },
      data: { type: 'string' },
      cold: { type: 'boolean', default: false },
      only: { type: 'string', default: Object.keys(SCALE_PARTS).join() },
    },
  });
  if (values.help) return undefined;
  const checkouts = /^\d{1,9}$/.test(values.checkouts) ? Number(values.checkouts) : 0;
  if (checkouts < FEW || checkouts > 100_000_000) {
    throw new Error(`--checkouts: a whole number from ${FEW} to 100000000`);
  }
  const parts = values.only.split(',');
  const unknown = parts.find((part) => SCALE_PARTS[part] === undefined);
  if (unknown !== undefined) throw new Error(`--only: there is no part ${unknown}`);
  const { data, fill: isFillOnly, cold: isCold, json: isJson } = values;
  return { checkouts, data, isFillOnly, isCold, parts, isJson };
}

async function main(): Promise<void> {
  const asked = readArguments(process.argv.slice(2));
  if (asked === undefined) return say(HELP);
  const kept = asked.data ?? (await mkdtemp(join(tmpdir(), 'quittance-scale-')));
  try {
    await mkdir(kept, { recursive: true });
    // Two that fill one database would undo each other's work.
    await withProcessLock(join(kept, 'run.lock'), 1, async () => {
      await withServer({ kept, settings: FILLING_SETTINGS }, async (server) => {
        await fill(server, SMALL, FEW);
        await fill(server, FULL, asked.checkouts);
      });
      if (!asked.isFillOnly) await withServer({ kept }, (server) => measure(server, asked));
    });
  } finally {
    if (asked.data === undefined) rmSync(kept, { recursive: true, force: true });
  }
}

async function fill(server: BenchServer, name: string, checkouts: number): Promise<void> {
  const database = await server.openDatabase(name);
  const app = await openBenchApp(database, server.keyring);
  await fillDatabase({ app, database, checkouts, say: (line) => say(`${name}: ${line}`) });
}

async function measure(server: BenchServer, asked: Asked): Promise<void> {
  const full = await openFilled(server, FULL, asked.checkouts);
  const small = await openFilled(server, SMALL, FEW);
  const growth = await growthBetween(small, full);
  const proof = (name: string) => join(server.directory, `verified-${name}`);
  const sides = {
    full: { ...full, proof: proof(FULL), port: await serve(server, full) },
    small: { ...small, proof: proof(SMALL), port: await serve(server, small) },
  };
  if (!asked.isCold) {
    for (const { app, checkouts } of [full, small]) {
      const startMs = performance.now();
      const gigabytes = ((await readHashedIndexes(app.db)) / 1e9).toFixed(1);
      const seconds = Math.round((performance.now() - startMs) / 1000);
      const shown = checkouts.toLocaleString('en');
      say(`${shown} checkouts: ${gigabytes} GB of indexes were read into memory in ${seconds} s`);
    }
  }
  const figures: Figure[] = [];
  for (const part of asked.parts) {
    figures.push(...((await SCALE_PARTS[part]?.({ ...sides, say })) ?? []));
  }
  say(`\n${tableOf(figures)}\n\n${growth}`);
  if (asked.isJson) say(jsonOf(figures));
}

type Filled = Omit<Side, 'port' | 'proof'>;

async function openFilled(server: BenchServer, name: string, checkouts: number): Promise<Filled> {
  const database = await server.openDatabase(name);
  const app = await openBenchApp(database, server.keyring);
  return { app, database, checkouts };
}

async function serve(server: BenchServer, { database }: Filled): Promise<number> {
  const { port } = await startService({ ...server, flags: [] }, database, { ROLES: 'serve' });
  return port;
}

/** What one more checkout takes, by what lies between the two databases. */
async function growthBetween(small: Filled, full: Filled): Promise<string> {
  const [before, after] = [await guessSizes(small.app.db), await guessSizes(full.app.db)];
  const growth = growthOf(before, after, full.checkouts - small.checkouts);
  const lines = (['stays', 'goes'] as const).map((kind) => {
    const { diskBytes, rows } = sumOf(growth, kind);
    const year = ((diskBytes * YEAR) / 1e9).toFixed(1);
    return `${kind}: ${diskBytes.toFixed(0)} bytes and ${rows.toFixed(1)} rows a checkout; a year of ${YEAR}: ${year} GB`;
  });
  const largest = growth
    .slice(0, 12)
    .map(({ table, diskBytes }) => `${table} ${diskBytes.toFixed(0)}`);
  return [...lines, `of them ${largest.join(', ')}`].join('\n');
}

/** One after another on the same directory: settings are those that a server was started with. */
async function withServer(
  options: Parameters<typeof startBenchServer>[0],
  use: (server: BenchServer) => Promise<void>,
): Promise<void> {
  const starting = startBenchServer(options);
  const stop = () => {
    stopPrograms();
    const leave = () => process.exit(1);
    starting.then((server) => server.close()).then(leave, leave);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, stop);
  const server = await starting;
  try {
    await use(server);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    stopPrograms();
    await server.close();
  }
}

process.on('exit', stopPrograms);

main().catch((error: unknown) => {
  const isExpected =
    error instanceof Refusal || (error instanceof Error && error.cause === undefined);
  console.error(isExpected ? error.message : error);
  process.exit(1);
});
