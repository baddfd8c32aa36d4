// What reports of many entries cost: the gains of 50,000 payments, which are gone through from the
// first one on, against those of 5,000; the cost of lots of which every other one is taken back,
// ten times as many of them; and the last page of the ledger against the first.
import { decodeCursor } from '#db/page-cursor.ts';
import { createHoldings } from '#report/cost-basis.ts';
import { gainsReport } from '#report/gains-report.ts';
import { ledgerReport } from '#report/ledger-report.ts';
import type { Bench } from './bench.ts';
import { openBenchApp } from './bench-app.ts';
import type { BenchDatabase } from './bench-database.ts';
import { commitMany, creditBlocks, startChain } from './figure-credit.ts';
import { copyPayment } from './figure-verify.ts';
import { type Figure, figureOf, threadMs, timeInTurns } from './measure.ts';
import { settleDown } from './seed.ts';

const MANY = 50_000;
const FEW = 5_000;
const ROWS = 1_000;
const TURNS = { runs: 3, warmUps: 1 };
/** Ten times as much takes ten times as long, and what the collector takes. */
const LINEAR_AIM = { atMost: 12 };
/**
 * What is kept of 100,000 outgrows the caches: seen 17. Looking for each among all of them took 58.
 */
const LOTS_AIM = { atMost: 25 };
const MANY_LOTS = 100_000;
const FEW_LOTS = 10_000;
/** A page is a page, wherever it begins. */
const PAGE_AIM = { atMost: 1.5 };

export async function measureReports(bench: Bench): Promise<Figure[]> {
  const many = await openBooks(bench, 'bench_reports_many', MANY);
  const few = await openBooks(bench, 'bench_reports_few', FEW);
  const [all, some] = await timeInTurns(
    TURNS,
    () => readGains(many, MANY),
    () => readGains(few, FEW),
  );
  const [lots, fewer] = await timeInTurns(
    { runs: 10, warmUps: 5, clock: threadMs },
    async () => takeBackLots(MANY_LOTS),
    // As many lots as ours: else the collector would meet ours alone.
    async () => {
      for (let done = 0; done < MANY_LOTS; done += FEW_LOTS) takeBackLots(FEW_LOTS);
    },
  );
  const deep = await lastPage(many);
  const [last, begin] = await timeInTurns(
    TURNS,
    () => readPage(many, deep),
    () => readPage(many, undefined),
  );
  const unit = 'ms' as const;
  const count = (number: number) => `${number.toLocaleString('en')} payments`;
  const lotsOf = (number: number) => `${number.toLocaleString('en')} lots`;
  return [
    figureOf(
      { name: `gains (${count(MANY)})`, against: count(FEW), unit, aim: LINEAR_AIM },
      all,
      some,
    ),
    figureOf(
      {
        name: `half taken back (${lotsOf(MANY_LOTS)})`,
        against: lotsOf(FEW_LOTS),
        unit,
        aim: LOTS_AIM,
      },
      lots,
      fewer / (MANY_LOTS / FEW_LOTS),
    ),
    figureOf(
      { name: 'a page of the ledger, the last', against: 'the first', unit, aim: PAGE_AIM },
      last,
      begin,
    ),
  ];
}

async function openBooks(bench: Bench, name: string, payments: number): Promise<BenchDatabase> {
  const database = await bench.openDatabase(name);
  const app = await openBenchApp(database, bench.keyring);
  const cursor = { at: await startChain(app) };
  const due = await commitMany(app, [database.ours.key], 1);
  await creditBlocks(app, cursor, due);
  bench.say(`reports: making ${payments.toLocaleString('en')} payments`);
  await copyPayment(database, payments - 1);
  await settleDown(database.db);
  return database;
}

const requestOf = ({ ours }: BenchDatabase) => ({
  merchantId: ours.merchantId,
  environment: 'test' as const,
  from: undefined,
  to: undefined,
});

async function readGains(database: BenchDatabase, payments: number): Promise<void> {
  const asked = {
    ...requestOf(database),
    currency: 'EUR',
    method: 'fifo',
    cursor: undefined,
  } as const;
  let rows = 0;
  for await (const _ of gainsReport.rows(database.db, asked)) rows += 1;
  if (rows !== payments) throw new Error(`${rows} rows of gains, not ${payments}`);
}

/** By FIFO: each is received, every other one is undone, and what is left is sold at once. */
function takeBackLots(count: number): void {
  const holdings = createHoldings('fifo');
  const change = { assetId: 'LTC:NATIVE', value: 77n, isDisposal: false, corrects: undefined };
  for (let number = 0; number < count; number += 1) {
    holdings.change({ ...change, key: `in ${number}`, units: 1_000n, isCorrected: true });
  }
  const back = { ...change, units: -1_000n, isCorrected: false };
  for (let number = 0; number < count; number += 2) {
    holdings.change({ ...back, key: `back ${number}`, corrects: `in ${number}` });
  }
  const units = -500n * BigInt(count);
  const { unitsLeft } = holdings.change({ ...back, key: 'sold', units, isDisposal: true });
  if (unitsLeft !== 0n) throw new Error(`${unitsLeft} units are left`);
}

async function readPage(database: BenchDatabase, cursor: string | undefined): Promise<void> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const asked = { ...requestOf(database), limit: ROWS, cursor: after };
  const { rows } = await ledgerReport.read(database.db, asked);
  if (rows.length !== ROWS) throw new Error(`${rows.length} rows of the ledger, not ${ROWS}`);
}

/** Where a whole page is left. */
async function lastPage(database: BenchDatabase): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 1; page < MANY / ROWS; page += 1) {
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const asked = { ...requestOf(database), limit: ROWS, cursor: after };
    cursor = (await ledgerReport.read(database.db, asked)).nextCursor ?? undefined;
  }
  return cursor;
}
