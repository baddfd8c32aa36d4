// Receipts, credits and entries tell one story: money was credited because it arrived, moved
// because of an act, and in no other amount. `ledger verify` proves that the ledger agrees with
// itself; this proves that it agrees with what it is about. Reads only, in short statements, beside
// live traffic: what is written meanwhile, above the numbers seen at the start, is left to the next
// run.
import type { Db } from '#db/db.ts';
import {
  actsWithoutEntry,
  completedWithoutCredit,
  entriesWithoutReason,
  findTopNumbers,
  type NumberRange,
  receiptsWithoutEntry,
} from './verify-reasons-store.ts';

const BATCH = 500;
const FAULTS_MAX = 100;

/** A sentence for each fault; at most 100. */
export async function verifyReasons(
  db: Db,
  onProgress: (step: string) => void = () => undefined,
): Promise<string[]> {
  const faults: string[] = [];
  const top = await findTopNumbers(db);
  const walk = async (what: string, last: bigint, statement: typeof entriesWithoutReason) => {
    for (let after = 0n; after < last && faults.length < FAULTS_MAX; after += BigInt(BATCH)) {
      const range: NumberRange = { after, upTo: smaller(after + BigInt(BATCH), last) };
      const found = await db.query<{ fault: string }>(statement(range));
      faults.push(...found.map(({ fault }) => fault));
      onProgress(`${what} up to ${range.upTo} of ${last} have been compared`);
    }
  };
  await walk('entries', top.entries, entriesWithoutReason);
  await walk('receipts', top.receipts, receiptsWithoutEntry);
  faults.push(...(await unpaidCheckouts(db)));
  for (const statement of actsWithoutEntry) {
    for await (const { sentence, isWrong } of pages<Act>(db, statement)) {
      if (isWrong) faults.push(`L7: ${sentence}`);
    }
  }
  return faults.slice(0, FAULTS_MAX);
}

type Act = { readonly id: string; readonly sentence: string; readonly isWrong: boolean };

async function unpaidCheckouts(db: Db): Promise<string[]> {
  const faults: string[] = [];
  type Row = { readonly id: string; readonly isUnpaid: boolean };
  for await (const { id, isUnpaid } of pages<Row>(db, completedWithoutCredit)) {
    if (isUnpaid) faults.push(`S4: checkout ${id} is COMPLETED and nothing was credited for it`);
  }
  return faults;
}

async function* pages<Row extends { readonly id: string }>(
  db: Db,
  statement: (after: string, limit: number) => Parameters<Db['query']>[0],
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await db.query<Row>(statement(after, BATCH));
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
