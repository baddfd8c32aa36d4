// What a block costs when nobody waits for anything in most of it: 5,000 transactions, 12,000
// outputs, 20 of them ours, against 1,000 and against 1,000,000 watched addresses.

import { recordObservation } from '#chain/record-observation.ts';
import type { Arrival, BlockReference } from '#deposit/network.ts';
import type { Bench } from './bench.ts';
import { type BenchApp, openBenchApp } from './bench-app.ts';
import { addressOf, CHAIN, firstObservation, nextBlock, payment } from './bench-network.ts';
import { type Figure, figureOf, median } from './measure.ts';
import { watchAddresses } from './watch-addresses.ts';

const FEW = 1_000;
const MANY = 1_000_000;
const BLOCKS = 9;
const TRANSACTIONS = 5_000;
const OURS = 20;
const AIM = { atMost: 2 };

export async function measureMatch(bench: Bench): Promise<Figure[]> {
  const few = await openWatched(bench, 'bench_few', FEW);
  const many = await openWatched(bench, 'bench_many', MANY);
  await matchBlock(few, 0);
  await matchBlock(many, 0);
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let block = 1; block <= BLOCKS; block += 1) {
    times.few.push(await matchBlock(few, block));
    times.many.push(await matchBlock(many, block));
    const [a, b] = [times.few.at(-1) ?? 0, times.many.at(-1) ?? 0];
    bench.say(
      `match, block ${block}: ${b.toFixed(0)} ms, with ${FEW} addresses ${a.toFixed(0)} ms`,
    );
  }
  const named = {
    name: `match (a block, ${MANY.toLocaleString('en')} addresses)`,
    against: `${FEW.toLocaleString('en')} addresses`,
    unit: 'ms' as const,
    aim: AIM,
  };
  return [figureOf(named, median(times.many), median(times.few))];
}

type Watched = {
  readonly app: BenchApp;
  readonly size: number;
  readonly cursor: { at: BlockReference };
};

async function openWatched(bench: Bench, name: string, size: number): Promise<Watched> {
  const database = await bench.openDatabase(name);
  bench.say(`match: making ${size.toLocaleString('en')} watched addresses`);
  await watchAddresses(database.db, database.ours.merchantId, size);
  const app = await openBenchApp(database, bench.keyring);
  const nothing = { cursor: undefined, recent: [], unconfirmed: [] };
  const outcome = await recordObservation(app, CHAIN, firstObservation(), nothing);
  if (outcome.kind === 'stale') throw new Error('the chain is watched already');
  return { app, size, cursor: { at: outcome.cursor } };
}

/** Milliseconds to record one block. */
async function matchBlock({ app, size, cursor }: Watched, number: number): Promise<number> {
  const position = { cursor: cursor.at, recent: [cursor.at], unconfirmed: [] };
  const observation = nextBlock(cursor.at, fullBlock(number, size));
  const startMs = performance.now();
  const outcome = await recordObservation(app, CHAIN, observation, position);
  const ms = performance.now() - startMs;
  if (outcome.kind === 'stale' || outcome.changedReceipts !== OURS) {
    throw new Error(`block ${number}: ${JSON.stringify(outcome.kind)}, not ${OURS} receipts`);
  }
  cursor.at = outcome.cursor;
  return ms;
}

/** Two or three outputs a transaction; the first ones of 20 transactions pay watched addresses. */
function fullBlock(number: number, watched: number): Arrival[] {
  return Array.from({ length: TRANSACTIONS }, (_, transaction) => {
    const isOurs = transaction % (TRANSACTIONS / OURS) === 0;
    const watchedNumber = 1 + ((number * 7919 + transaction * 37) % watched);
    const seed = `${number}/${transaction}`;
    const first = isOurs ? addressOf(`watched ${watchedNumber}`) : addressOf(`other ${seed}`);
    const paid = payment(first, 1_000_000n, seed);
    const rest = Array.from({ length: transaction % 5 < 2 ? 2 : 1 }, (_, output) => ({
      ...paid,
      creditKey: `${paid.transaction}:${output + 1}`,
      destination: addressOf(`change ${seed}/${output}`),
    }));
    return [paid, ...rest];
  }).flat();
}
