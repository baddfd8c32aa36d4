// What a full ledger of the XRP Ledger costs: 1,000 payments, 20 of them to us, against fetching and
// parsing all of it and doing nothing with it; and, beside it, one in which every payment is to us.

import { systemClock } from '#base/clock.ts';
import { sql } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import { openXrplNetworks } from '#networks/xrpl/open-xrpl-networks.ts';
import { fakeXrpl, type Json, seededXrplKey } from '#test/fakes/xrpl-ledger.ts';
import { startFakeXrplServer } from '#test/fakes/xrpl-server.ts';
import type { Bench } from './bench.ts';
import type { BenchDatabase } from './bench-database.ts';
import { log } from './bench-database.ts';
import { serveCannedSockets } from './canned-sockets.ts';
import { type Figure, figureOf, median } from './measure.ts';

const PAYMENTS = 1_000;
const OURS = 20;
const RUNS = 15;
const WARM_UPS = 5;
const AIM = { atMost: 1.5 };
const CHAIN = 'live:XRP_LEDGER';

export async function measureXrpl(bench: Bench): Promise<Figure[]> {
  const some = await measureLedger(await bench.openDatabase('bench_xrpl_some'), OURS);
  const all = await measureLedger(await bench.openDatabase('bench_xrpl_all'), PAYMENTS);
  const named = { against: 'fetched and parsed', unit: 'ms' as const };
  return [
    figureOf({ ...named, name: 'XRP Ledger (a full ledger, 20 for us)', aim: AIM }, ...some),
    figureOf({ ...named, name: 'XRP Ledger (a full ledger, all for us)' }, ...all),
  ];
}

/** Milliseconds of ours and of merely fetching and parsing. */
async function measureLedger(database: BenchDatabase, ours: number): Promise<[number, number]> {
  const { observe, whole, url, close } = await openFullLedger(database, ours);
  const reader = await openReader(url);
  const times: { ours: number[]; parsed: number[] } = { ours: [], parsed: [] };
  try {
    for (let run = 1 - WARM_UPS; run <= RUNS; run += 1) {
      const oursMs = await timed(async () => {
        const found = await observe();
        if (found !== ours) throw new Error(`${found} payments, not ${ours}`);
      });
      const parsedMs = await timed(async () => {
        await reader.ask(whole);
      });
      if (run < 1) continue;
      times.ours.push(oursMs);
      times.parsed.push(parsedMs);
    }
  } finally {
    reader.close();
    await close();
  }
  return [median(times.ours), median(times.parsed)];
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
}

/** Asks a question and parses what comes. */
async function openReader(url: string) {
  const socket = new WebSocket(url);
  let told: (text: string) => void = () => undefined;
  socket.onmessage = ({ data }) => told(String(data));
  await new Promise((resolve) => {
    socket.onopen = resolve;
  });
  return {
    ask: (question: Json) =>
      new Promise<unknown>((resolve) => {
        told = (text) => resolve(JSON.parse(text));
        socket.send(JSON.stringify({ id: 1, ...question }));
      }),
    close: () => socket.close(),
  };
}

/** The answers are taken from a server over a real history once, and served by a thread. */
async function openFullLedger({ db }: BenchDatabase, ours: number) {
  const now = () => systemClock.now();
  const xrpl = fakeXrpl(now);
  const [shop, customer, other] = [seededXrplKey(1), seededXrplKey(2), seededXrplKey(3)];
  const account = shop.address;
  xrpl.addAccount(shop);
  xrpl.addAccount(customer);
  xrpl.addAccount(other);
  const first = xrpl.close();
  for (let tag = 1; tag <= PAYMENTS; tag += 1) {
    const to = tag % (PAYMENTS / ours) === 0 ? account : other.address;
    xrpl.pay({ from: customer, to, drops: BigInt(tag), tag });
  }
  const { index } = xrpl.close();
  const fake = await startFakeXrplServer(xrpl, now);
  fake.closesEveryMs = Number.POSITIVE_INFINITY;
  // Where the account stood before, as a server that ran then would have kept it.
  const root = first.roots.get(account);
  await db.transact(async (tx) =>
    tx.send(sql`
      insert into xrpl_account (chain, account, ledger, drops, last_transaction, last_ledger)
      values (${CHAIN}, ${account}, ${BigInt(first.index)}, ${root?.balance ?? 0n},
        ${root?.last?.hash ?? ''}, ${BigInt(root?.last?.ledger ?? 0)})`),
  );
  const cursor = { height: BigInt(first.index), hash: first.hash };
  const parts = { db, clock: systemClock, log };
  const asking = openOne(fake.url, account, cursor, parts);
  const answers = new Map<string, string>();
  fake.tamperText = ({ id: _, ...question }, text) => {
    const { id: __, ...answer } = JSON.parse(text) as Json;
    answers.set(JSON.stringify(question), JSON.stringify(answer));
    return text;
  };
  await asking.observe();
  await asking.close();
  const whole = { command: 'ledger', ledger_index: index, transactions: true, expand: true };
  const reader = await openReader(fake.url);
  await reader.ask(whole);
  reader.close();
  await fake.close();
  const canned = await serveCannedSockets(Object.fromEntries(answers));
  const opened = openOne(canned.url, account, cursor, parts);
  return {
    observe: opened.observe,
    whole,
    url: canned.url,
    async close() {
      await opened.close();
      await canned.close();
    },
  };
}

function openOne(
  url: string,
  account: string,
  cursor: BlockReference,
  parts: Parameters<typeof openXrplNetworks>[1],
) {
  const [opened] = openXrplNetworks({ urls: [url], account, chainName: 'main' }, parts);
  if (opened === undefined) throw new Error('no network');
  return {
    async observe(): Promise<number> {
      const { blocks } = await opened.network.observe({ cursor, recent: [], unconfirmed: [] });
      return blocks.flatMap(({ transfers }) => transfers).length;
    },
    close: () => opened.network.close(),
  };
}
