// What opening the list of checkouts costs a shop with 1,000,000 of them, against one with 1,000 in
// the same database: its newest page, and a page in the middle.

import { type CheckoutFilter, listCheckouts } from '#checkout/list-checkouts.ts';
import { sql } from '#db/db.ts';
import type { PagePlace } from '#db/page-cursor.ts';
import type { Bench } from './bench.ts';
import { openBenchApp } from './bench-app.ts';
import type { BenchDatabase, Shop } from './bench-database.ts';
import { commitMany, startChain } from './figure-credit.ts';
import { type Figure, figureOf, timeInTurns } from './measure.ts';
import { copyCheckouts, settleDown } from './seed.ts';

const MANY = 1_000_000;
const FEW = 1_000;
/** In one statement: each has two minutes. */
const COPIED_AT_ONCE = 50_000;
const SHOWN = 50;
const TURNS = { runs: 101, warmUps: 10 };
const AIM = { atMost: 1.3 };
export const ALL: CheckoutFilter = {
  state: undefined,
  from: undefined,
  to: undefined,
  customerId: undefined,
  meta: new Map(),
};

export async function measureLists(bench: Bench): Promise<Figure[]> {
  const database = await bench.openDatabase('bench_lists');
  const app = await openBenchApp(database, bench.keyring);
  await startChain(app);
  const [sample] = await commitMany(app, [database.ours.key], 1);
  if (sample === undefined) throw new Error('there is no checkout to copy');
  const { ours, theirs } = database;
  bench.say(`lists: making ${MANY.toLocaleString('en')} checkouts`);
  await fillShop(database, sample.checkoutId, ours, MANY);
  await fillShop(database, sample.checkoutId, theirs, FEW);
  await settleDown(database.db);
  const read = async (shop: Shop, cursor: PagePlace | undefined): Promise<void> => {
    const owner = { merchantId: shop.merchantId, environment: 'test' } as const;
    const { checkouts } = await listCheckouts(app, owner, ALL, { cursor, limit: SHOWN });
    if (checkouts.length !== SHOWN) throw new Error(`${checkouts.length} are shown`);
  };
  const figure = async (name: string, from: (shop: Shop) => Promise<PagePlace | undefined>) => {
    const [manyFrom, fewFrom] = [await from(ours), await from(theirs)];
    const [mine, others] = await timeInTurns(
      TURNS,
      () => read(ours, manyFrom),
      () => read(theirs, fewFrom),
    );
    const full = `${name} of ${MANY.toLocaleString('en')} checkouts`;
    const against = `of ${FEW.toLocaleString('en')}`;
    return figureOf({ name: full, against, unit: 'ms', aim: AIM }, mine, others);
  };
  return [
    await figure('the newest page', async () => undefined),
    await figure('a page in the middle', (shop) => middleOf(database, shop)),
  ];
}

/** Copies; those of one statement are of one moment. */
async function fillShop(
  { db }: BenchDatabase,
  sampleId: string,
  shop: Shop,
  count: number,
): Promise<void> {
  for (let made = 0; made < count; made += COPIED_AT_ONCE) {
    const pool = `${shop.merchantId}${made}`;
    const size = Math.min(COPIED_AT_ONCE, count - made);
    await copyCheckouts(db, sampleId, { pool, count: size, shop });
  }
}

async function middleOf({ db }: BenchDatabase, shop: Shop): Promise<PagePlace | undefined> {
  const owner = sql`merchant_id = ${shop.merchantId} and environment = 'test'`;
  const [row] = await db.query<PagePlace>(sql`
    select created_at as at, id from checkout where ${owner}
    order by created_at, id offset (select count(*) / 2 from checkout where ${owner}) limit 1`);
  return row;
}
