// Payments credited per second: from the block that holds them to the webhook in its queue, receipt,
// postings, state and event included. 16 settlements at once, as many as pgbench has clients.

import { recordObservation } from '#chain/record-observation.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { openDb, sql } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import type { Bench } from './bench.ts';
import { type BenchApp, openBenchApp } from './bench-app.ts';
import { type BenchDatabase, log, startBenchServer } from './bench-database.ts';
import { ASSET, CHAIN, firstObservation, nextBlock, payment } from './bench-network.ts';
import { createOne } from './figure-create.ts';
import { createBody } from './http-client.ts';
import { compare, type Figure, inParallel } from './measure.ts';
import { CLIENTS } from './pgbench.ts';
import { checkoutVariables, commitPool, copyCheckouts, settleDown } from './seed.ts';

const AIM = { atLeast: 1.2 };
const PAYMENTS_PER_BLOCK = 200;
const PAYMENTS_PER_SECOND = 600;
const PAYERS = 64;

type Due = { readonly address: string; readonly units: bigint };

export async function measureCredit(bench: Bench): Promise<Figure[]> {
  const app = await bench.app();
  const database = await bench.actsDatabase();
  // Two blocks are shared out evenly among the clients of pgbench, one is not.
  const pairs = Math.round((bench.seconds * PAYMENTS_PER_SECOND) / (2 * PAYMENTS_PER_BLOCK));
  const count = 2 * PAYMENTS_PER_BLOCK * Math.max(1, pairs);
  const cursor = { at: await startChain(app) };

  // One payment of ours first: the hand-written transaction writes the same texts and sizes.
  const [sample] = await commitMany(app, [database.ours.key], 1);
  if (sample === undefined) throw new Error('nothing was committed');
  await creditBlocks(app, cursor, [sample]);
  const variables = await creditVariables(database, sample.checkoutId);

  const ours = async () => {
    const due = await commitMany(app, [database.ours.key], count);
    await settleDown(app.db);
    const before = await queuedDeliveries(database);
    const startMs = performance.now();
    await creditBlocks(app, cursor, due);
    const seconds = (performance.now() - startMs) / 1000;
    const queued = (await queuedDeliveries(database)) - before;
    if (queued !== BigInt(count)) throw new Error(`${queued} of ${count} webhooks were queued`);
    return count / seconds;
  };
  const byHand = async (run: number) => {
    const pool = `credit-hand-${run}-`;
    const shop = database.theirs;
    await copyCheckouts(app.db, sample.checkoutId, { pool, count, shop });
    await commitPool(app.db, sample.checkoutId, { pool, count, shop });
    await settleDown(app.db);
    const each = count / CLIENTS;
    return bench.pgbench({
      script: 'credit.sql',
      connection: database.connection,
      variables: { ...variables, pool, each: String(each), k: '0' },
      length: { transactionsEach: each },
    });
  };
  const figure = { name: 'credit (block to webhook queued)', against: 'pgbench', aim: AIM };
  return [await compare(figure, ours, byHand, bench.say), await measureMerchants(bench)];
}

/**
 * One merchant's accounts are no ceiling: 64 settlements at once, of one merchant and of 64. Both
 * pay in to the same accounts of the house. On a database server of their own: beside the
 * connections of the other figures there is no room for 64 more.
 */
async function measureMerchants(bench: Bench): Promise<Figure> {
  const server = await startBenchServer();
  const database = await server.openDatabase('bench_merchants');
  const db = openDb({ ...database.connection, poolSize: PAYERS + 2, log });
  try {
    const app = await openBenchApp({ ...database, db }, server.keyring);
    const cursor = { at: await startChain(app) };
    const names = Array.from({ length: PAYERS }, (_, index) => `Shop ${index}`);
    const shops = await Promise.all(names.map((name) => database.openShop(name)));
    const blocks = Math.max(2, Math.round((bench.seconds * PAYMENTS_PER_SECOND) / (PAYERS * 3)));
    const creditOf = async (keys: readonly string[]) => {
      const due = await commitMany(app, keys, blocks * PAYERS * 3);
      await settleDown(db);
      const startMs = performance.now();
      await creditBlocks(app, cursor, due, { perBlock: PAYERS * 3, atOnce: PAYERS });
      return due.length / ((performance.now() - startMs) / 1000);
    };
    const figure = {
      name: 'credit (64 payers of one merchant)',
      against: '64 payers of 64 merchants',
      aim: { atLeast: 1 / 1.3 },
    };
    const one = () => creditOf([database.ours.key]);
    const many = () => creditOf(shops.map(({ key }) => key));
    return await compare(figure, one, many, bench.say);
  } finally {
    await db.close();
    await server.close();
  }
}

export async function startChain(app: BenchApp): Promise<BlockReference> {
  const nothing = { cursor: undefined, recent: [], unconfirmed: [] };
  const outcome = await recordObservation(app, CHAIN, firstObservation(), nothing);
  if (outcome.kind === 'stale') throw new Error('the chain of the bench is watched already');
  return outcome.cursor;
}

/** Blocks of 200 payments: each is recorded, then all that is due is settled. */
export async function creditBlocks(
  app: BenchApp,
  cursor: { at: BlockReference },
  due: readonly Due[],
  { perBlock = PAYMENTS_PER_BLOCK, atOnce = CLIENTS } = {},
): Promise<void> {
  for (let first = 0; first < due.length; first += perBlock) {
    const paid = due.slice(first, first + perBlock);
    const arrivals = paid.map(({ address, units }) => payment(address, units, address));
    const position = { cursor: cursor.at, recent: [cursor.at], unconfirmed: [] };
    const observation = nextBlock(cursor.at, arrivals);
    const outcome = await recordObservation(app, CHAIN, observation, position);
    if (outcome.kind === 'stale') throw new Error('a second watcher moved the cursor');
    cursor.at = outcome.cursor;
    while ((await settleDueCheckouts(app, { atOnce })) === 'busy');
  }
}

export type Committed = Due & { readonly checkoutId: string };

/** Of the shops of these keys by turns. */
export async function commitMany(
  app: BenchApp,
  keys: readonly string[],
  count: number,
): Promise<Committed[]> {
  const made: Committed[] = [];
  await inParallel(CLIENTS, async (number) => {
    if (number >= count) return false;
    const checkoutId = await createOne(app, keys[number % keys.length] ?? '', createBody(number));
    const request = { checkoutId, owner: 'page' as const, network: 'LITECOIN' };
    const { instruction, arrivingUnits: units } = await commitCheckout(app, request);
    made.push({ checkoutId, address: instruction.address, units });
    return true;
  });
  return made;
}

async function queuedDeliveries({ db, ours }: BenchDatabase): Promise<bigint> {
  const [row] = await db.query<{ count: bigint }>(sql`
    select count(*) from webhook_delivery
    where merchant_id = ${ours.merchantId} and state = 'PENDING'`);
  return row?.count ?? 0n;
}

async function creditVariables(
  { db, theirs }: BenchDatabase,
  checkoutId: string,
): Promise<Record<string, string>> {
  const { webhook = '' } = await checkoutVariables(db, checkoutId);
  const [row] = await db.query<
    Record<'units' | 'net' | 'fee' | 'evidence' | 'body' | 'hash', string>
  >(
    sql`select c.units::text, c.net_units::text as net, c.fee_units::text as fee, c.evidence,
          e.body, r.block_hash as hash
        from receipt_credit c join receipt r on r.id = c.receipt_id
          join event e on e.subject_id = c.checkout_id
        where c.checkout_id = ${checkoutId}`,
  );
  if (row === undefined) throw new Error('the sample was not credited');
  const available = await openAccount(db, theirs.merchantId);
  const [custody, fees] = await db.query<{ id: bigint }>(sql`
    select id from ledger_account
    where code in ('custody:LITECOIN', 'fees') and asset_id = 'LTC:NATIVE' order by code`);
  if (custody === undefined || fees === undefined) throw new Error('the accounts are missing');
  return {
    chain: CHAIN,
    asset: ASSET,
    ...{ key: theirs.key, merchant: theirs.merchantId, webhook, block_hash: row.hash },
    ...{ units: row.units, net: row.net, fee: row.fee, evidence: row.evidence, body: row.body },
    ...{ custody: String(custody.id), available: String(available), fees: String(fees.id) },
  };
}

async function openAccount(db: BenchDatabase['db'], merchantId: string): Promise<bigint> {
  const rows = await db.single((tx) =>
    tx.query<{ id: bigint }>(sql`
      insert into ledger_account (environment, merchant_id, code, asset_id)
      values ('test', ${merchantId}, 'merchant:available', 'LTC:NATIVE') returning id`),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the account was not made');
  return row.id;
}
