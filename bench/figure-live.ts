// Time from a payment recorded by us to the open page that shows it, with 1,000 pages open on one
// process: recorded by that process, recorded by another one, and all of them at once.

import { setTimeout as wait } from 'node:timers/promises';
import { recordObservation } from '#chain/record-observation.ts';
import { pageToken } from '#checkout/page-token.ts';
import { sql } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import type { Bench } from './bench.ts';
import { type BenchApp, openBenchApp } from './bench-app.ts';
import type { BenchDatabase } from './bench-database.ts';
import { CHAIN, firstObservation, nextBlock, payment } from './bench-network.ts';
import { type Committed, commitMany } from './figure-credit.ts';
import { askOnce, signedRequest } from './http-client.ts';
import { type Figure, figureOf, percentile, shown } from './measure.ts';
import type { ServerProcess } from './server-process.ts';
import { type OpenPage, openPageStream } from './stream-client.ts';

const PAGES = 1_000;
/** Payments that come one by one. */
const PAYMENTS = 200;
const PAUSE_MS = 40;
const LATEST_MS = 10_000;
const AIM_MS = 300;
const OPENED_AT_ONCE = 50;

type Watched = Committed & { readonly page: OpenPage };

export async function measureLive(bench: Bench): Promise<Figure[]> {
  return [...(await ofAnotherProcess(bench)), ...(await ofOneProcess(bench))];
}

/** The server only serves; payments are recorded here, as by a process that watches. */
async function ofAnotherProcess(bench: Bench): Promise<Figure[]> {
  const database = await bench.openDatabase('bench_live');
  const app = await openBenchApp(database, bench.keyring);
  const cursor = { at: await startChain(app) };
  const server = await bench.startServer(database, { ...PROXIED, ROLES: 'serve' });
  try {
    const watched = await openPages(bench, app, database, server);
    const alone = await payAlone(bench, 'another process records', watched, async (one) => {
      await recordBlock(app, cursor, [one]);
      const nowMs = Date.now();
      return async () => nowMs;
    });
    const rest = watched.slice(PAYMENTS);
    await recordBlock(app, cursor, rest);
    const together = await timesOf(rest, () => Date.now());
    close(watched);
    return [
      ...figures('live (another process records)', alone),
      figure(`live (${rest.length} payments in one block), p95`, percentile(together, 0.95), false),
    ];
  } finally {
    await server.close();
  }
}

/** The server has all roles; the sandbox wallet pays. */
async function ofOneProcess(bench: Bench): Promise<Figure[]> {
  const database = await bench.openDatabase('bench_live_one');
  const server = await bench.startServer(database, PROXIED);
  try {
    const app = await openBenchApp(database, bench.keyring);
    const watched = await openPages(bench, app, database, server);
    const alone = await payAlone(bench, 'the same process records', watched, async (one) => {
      const body = JSON.stringify({ checkoutId: one.checkoutId, network: 'LITECOIN' });
      const request = signedRequest(database.ours, 'POST', '/sandbox/pay', { body });
      const answer = await askOnce(server.port, request);
      if (answer.status !== 200) throw new Error(`paying answered ${answer.status} ${answer.body}`);
      return () => recordedAtMs(database, one);
    });
    close(watched);
    return figures('live (the same process records)', alone);
  } finally {
    await server.close();
  }
}

const PROXIED = { TRUSTED_PROXIES: '127.0.0.1/32' };

async function openPages(
  bench: Bench,
  app: BenchApp,
  { ours }: BenchDatabase,
  { port }: ServerProcess,
): Promise<Watched[]> {
  bench.say(`live: opening ${PAGES.toLocaleString('en')} pages`);
  const committed = await commitMany(app, [ours.key], PAGES);
  const watched: Watched[] = [];
  for (let first = 0; first < PAGES; first += OPENED_AT_ONCE) {
    const some = committed.slice(first, first + OPENED_AT_ONCE).map(async (one, index) => {
      const path = `/en/checkout/${pageToken(bench.keyring, one.checkoutId)}/events`;
      const address = `192.0.2.${index + 1}`;
      return { ...one, page: await openPageStream(port, path, address) };
    });
    watched.push(...(await Promise.all(some)));
  }
  return watched;
}

function close(watched: readonly Watched[]): void {
  for (const { page } of watched) page.close();
}

/** Pays some of the pages one by one; `pay` resolves with what tells when it was recorded. */
async function payAlone(
  bench: Bench,
  name: string,
  watched: readonly Watched[],
  pay: (one: Watched) => Promise<() => Promise<number>>,
): Promise<number[]> {
  const paid = watched.slice(0, PAYMENTS);
  const asked: [one: Watched, tell: () => Promise<number>][] = [];
  for (const one of paid) {
    asked.push([one, await pay(one)]);
    await wait(PAUSE_MS);
  }
  const recordedAt = new Map<Watched, number>();
  for (const [one, tell] of asked) recordedAt.set(one, await tell());
  const times = await timesOf(paid, (one) => recordedAt.get(one) ?? 0);
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  bench.say(`live, ${name}: p50 ${shown(p50)} ms, p95 ${shown(p95)} ms`);
  return times;
}

/** Milliseconds from the record to the page; fails when a page never shows it. */
async function timesOf(
  paid: readonly Watched[],
  recordedAtMs: (one: Watched) => number,
): Promise<number[]> {
  const recorded = paid.map(recordedAtMs);
  const endMs = performance.now() + LATEST_MS;
  const seenAt = ({ page }: Watched) => page.shownAtMs.get('seen');
  while (paid.some((one) => seenAt(one) === undefined)) {
    const missing = paid.filter((one) => seenAt(one) === undefined).length;
    if (performance.now() > endMs) throw new Error(`${missing} pages do not show their payment`);
    await wait(10);
  }
  return paid.map((one, index) => Math.max(0, (seenAt(one) ?? 0) - (recorded[index] ?? 0)));
}

async function startChain(app: BenchApp): Promise<BlockReference> {
  const nothing = { cursor: undefined, recent: [], unconfirmed: [] };
  const outcome = await recordObservation(app, CHAIN, firstObservation(), nothing);
  if (outcome.kind === 'stale') throw new Error('the chain of the bench is watched already');
  return outcome.cursor;
}

async function recordBlock(
  app: BenchApp,
  cursor: { at: BlockReference },
  paid: readonly Committed[],
): Promise<void> {
  const arrivals = paid.map(({ address, units }) => payment(address, units, address));
  const position = { cursor: cursor.at, recent: [cursor.at], unconfirmed: [] };
  const observation = nextBlock(cursor.at, arrivals);
  const outcome = await recordObservation(app, CHAIN, observation, position);
  if (outcome.kind === 'stale') throw new Error('a second watcher moved the cursor');
  cursor.at = outcome.cursor;
}

/** When the receipt says that it was seen; polled for. */
async function recordedAtMs({ db }: BenchDatabase, { checkoutId }: Watched): Promise<number> {
  const endMs = performance.now() + LATEST_MS;
  while (performance.now() < endMs) {
    const [row] = await db.query<{ at: Temporal.Instant }>(sql`
      select seen_at as at from receipt where purpose = 'checkout' and purpose_id = ${checkoutId}`);
    if (row !== undefined) return row.at.epochMilliseconds;
    await wait(5);
  }
  throw new Error('a payment was not recorded');
}

function figures(name: string, times: readonly number[]): Figure[] {
  return [
    figure(`${name}, p50`, percentile(times, 0.5), false),
    figure(`${name}, p95`, percentile(times, 0.95), true),
  ];
}

function figure(name: string, ms: number, hasAim: boolean): Figure {
  const aim = hasAim ? { atMost: 1 } : undefined;
  return figureOf({ name, against: `${AIM_MS} ms`, unit: 'ms', aim }, ms, AIM_MS);
}
