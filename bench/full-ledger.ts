// What a full ledger costs: 1,000 payments, 20 of them to us, against fetching and parsing all of it
// and doing nothing with it; and, beside it, one in which every payment is to us.

import type { Bench } from './bench.ts';
import type { BenchDatabase } from './bench-database.ts';
import { type Figure, figureOf, timeInTurns } from './measure.ts';

export const PAYMENTS = 1_000;
const OURS = 20;
const TURNS = { runs: 15, warmUps: 5 };
const AIM = { atMost: 1.5 };

export type FullLedger = {
  /** Gives how many payments to us there are in it. */
  observe(): Promise<number>;
  fetchAndParse(): Promise<void>;
  close(): Promise<void>;
};

/** `open`: a ledger of 1,000 payments, so many of them to us. */
export async function measureFullLedgers(
  bench: Bench,
  { name, database }: { readonly name: string; readonly database: string },
  open: (database: BenchDatabase, ours: number) => Promise<FullLedger>,
): Promise<Figure[]> {
  async function measure(kind: string, ours: number): Promise<[number, number]> {
    const ledger = await open(await bench.openDatabase(`${database}_${kind}`), ours);
    const observe = async () => {
      const found = await ledger.observe();
      if (found !== ours) throw new Error(`${found} payments, not ${ours}`);
    };
    try {
      return await timeInTurns(TURNS, observe, () => ledger.fetchAndParse());
    } finally {
      await ledger.close();
    }
  }
  const some = await measure('some', OURS);
  const all = await measure('all', PAYMENTS);
  const named = { against: 'fetched and parsed', unit: 'ms' as const };
  return [
    figureOf({ ...named, name: `${name} (a full ledger, 20 for us)`, aim: AIM }, ...some),
    figureOf({ ...named, name: `${name} (a full ledger, all for us)` }, ...all),
  ];
}
