// What a full ledger of the XRP Ledger costs (full-ledger.ts): how it is made, served, and read by both sides.

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
import { type FullLedger, measureFullLedgers, PAYMENTS } from './full-ledger.ts';
import type { Figure } from './measure.ts';

const CHAIN = 'live:XRP_LEDGER';

export function measureXrpl(bench: Bench): Promise<Figure[]> {
  return measureFullLedgers(bench, { name: 'XRP Ledger', database: 'bench_xrpl' }, openFullLedger);
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
async function openFullLedger({ db }: BenchDatabase, ours: number): Promise<FullLedger> {
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
  const asker = await openReader(fake.url);
  await asker.ask(whole);
  asker.close();
  await fake.close();
  const canned = await serveCannedSockets(Object.fromEntries(answers));
  const opened = openOne(canned.url, account, cursor, parts);
  const reader = await openReader(canned.url);
  return {
    observe: opened.observe,
    fetchAndParse: async () => void (await reader.ask(whole)),
    async close() {
      reader.close();
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
      return blocks.flatMap(({ arrivals }) => arrivals).length;
    },
    close: () => opened.network.close(),
  };
}
