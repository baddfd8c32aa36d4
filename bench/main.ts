// npm run bench. Starts everything it needs, stops by itself, leaves nothing behind.

import process from 'node:process';
import { Refusal } from '#base/refusal.ts';
import { type FigureName, HELP, readArguments } from './arguments.ts';
import { type Bench, openBench } from './bench.ts';
import { measureBank } from './figure-bank.ts';
import { measureCoins } from './figure-coins.ts';
import { measureCommit } from './figure-commit.ts';
import { measureCreate } from './figure-create.ts';
import { measureCredit } from './figure-credit.ts';
import { measureDecide } from './figure-decide.ts';
import { measureDeliver } from './figure-deliver.ts';
import { measureEvm } from './figure-evm.ts';
import { measureLightning } from './figure-lightning.ts';
import { measureLists } from './figure-lists.ts';
import { measureLive } from './figure-live.ts';
import { measureMatch } from './figure-match.ts';
import { measureNotify } from './figure-notify.ts';
import { measurePace } from './figure-pace.ts';
import { measurePapers } from './figure-papers.ts';
import { measurePosition } from './figure-position.ts';
import { measureRead } from './figure-read.ts';
import { measureReports } from './figure-reports.ts';
import { measureStellar } from './figure-stellar.ts';
import { measureUtxo } from './figure-utxo.ts';
import { measureVerify } from './figure-verify.ts';
import { measureXrpl } from './figure-xrpl.ts';
import type { Figure } from './measure.ts';
import { findPgbench, stopPgbench } from './pgbench.ts';
import { jsonOf, tableOf } from './report.ts';
import { stopPrograms } from './server-process.ts';
import { slowDisk } from './slow-disk.ts';

const MEASURES: Readonly<Record<FigureName, (bench: Bench) => Promise<Figure[]>>> = {
  create: measureCreate,
  pace: measurePace,
  commit: measureCommit,
  credit: measureCredit,
  decide: measureDecide,
  coins: measureCoins,
  match: measureMatch,
  position: measurePosition,
  verify: measureVerify,
  reports: measureReports,
  lists: measureLists,
  read: measureRead,
  evm: measureEvm,
  utxo: measureUtxo,
  stellar: measureStellar,
  xrpl: measureXrpl,
  lightning: measureLightning,
  bank: measureBank,
  live: measureLive,
  papers: measurePapers,
  notify: measureNotify,
  deliver: measureDeliver,
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(): Promise<void> {
  const asked = readArguments(process.argv.slice(2));
  const { isHelp, isJson, figures: names, seconds, diskMs } = asked;
  if (isHelp) return say(HELP);
  const pgbench = findPgbench();
  if (pgbench === undefined) {
    throw new Error('pgbench is missing: apt-get install postgresql-contrib (or put it in PATH)');
  }
  if (diskMs > 0) slowDisk(diskMs);
  const startMs = performance.now();
  // For a look into the server: BENCH_SERVER_FLAGS='--cpu-prof --cpu-prof-dir=/tmp/profile'.
  const serverFlags = (process.env.BENCH_SERVER_FLAGS ?? '').split(' ').filter((flag) => flag);
  const opening = openBench({ pgbench, seconds, serverFlags, say });
  stopOnSignal(opening);
  const bench = await opening;
  const figures: Figure[] = [];
  try {
    for (const name of names) figures.push(...(await MEASURES[name](bench)));
  } finally {
    stopPgbench();
    await bench.close();
  }
  say(`\n${tableOf(figures)}`);
  say(`\n${Math.round((performance.now() - startMs) / 1000)} s`);
  if (isJson) say(jsonOf(figures));
}

function stopOnSignal(opening: Promise<Bench>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      stopPgbench();
      const leave = () => process.exit(1);
      opening.then((bench) => bench.close()).then(leave, leave);
    });
  }
}

process.on('exit', () => {
  stopPgbench();
  stopPrograms();
});

main().catch((error: unknown) => {
  const isExpected =
    error instanceof Refusal || (error instanceof Error && error.cause === undefined);
  console.error(isExpected ? error.message : error);
  process.exit(1);
});
