// What a full ledger of Stellar costs: 1,000 payments, 20 of them to us, against fetching and parsing
// all of it and doing nothing with it; and, beside it, a ledger in which every payment is to us.

import { Keypair, Memo, Networks, Operation } from '@stellar/stellar-base';
import { systemClock } from '#base/clock.ts';
import { sql } from '#db/db.ts';
import { openStellarNetworks } from '#networks/stellar/open-stellar-networks.ts';
import { startFakeHorizon } from '#test/fakes/stellar-horizon.ts';
import { assetOf, fakeStellar, NATIVE, unitsText } from '#test/fakes/stellar-ledger.ts';
import type { Bench } from './bench.ts';
import type { BenchDatabase } from './bench-database.ts';
import { log } from './bench-database.ts';
import { type CannedAnswer, serveCanned } from './canned-answers.ts';
import { type Figure, figureOf, median } from './measure.ts';

const PAYMENTS = 1_000;
const OURS = 20;
const RUNS = 15;
const WARM_UPS = 5;
const AIM = { atMost: 1.5 };
const CHAIN = 'live:STELLAR';

export async function measureStellar(bench: Bench): Promise<Figure[]> {
  const some = await measureLedger(await bench.openDatabase('bench_stellar_some'), OURS);
  const all = await measureLedger(await bench.openDatabase('bench_stellar_all'), PAYMENTS);
  const named = { against: 'fetched and parsed', unit: 'ms' as const };
  return [
    figureOf({ ...named, name: 'Stellar (a full ledger, 20 for us)', aim: AIM }, ...some),
    figureOf({ ...named, name: 'Stellar (a full ledger, all for us)' }, ...all),
  ];
}

/** Milliseconds of ours and of merely fetching and parsing. */
async function measureLedger(database: BenchDatabase, ours: number): Promise<[number, number]> {
  const { network, paths, url, position, close } = await openFullLedger(database, ours);
  const times: { ours: number[]; parsed: number[] } = { ours: [], parsed: [] };
  try {
    for (let run = 1 - WARM_UPS; run <= RUNS; run += 1) {
      const oursMs = await timed(async () => {
        const { blocks } = await network.observe(position);
        const found = blocks.flatMap(({ transfers }) => transfers).length;
        if (found !== ours) throw new Error(`${found} payments, not ${ours}`);
      });
      const parsedMs = await timed(async () => {
        for (const path of paths) JSON.parse(await (await fetch(`${url}${path}`)).text());
      });
      if (run < 1) continue;
      times.ours.push(oursMs);
      times.parsed.push(parsedMs);
    }
  } finally {
    await close();
  }
  return [median(times.ours), median(times.parsed)];
}

async function timed(act: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
}

/** The answers are taken from a Horizon over a real history once, and served by a thread. */
async function openFullLedger({ db }: BenchDatabase, ours: number) {
  const now = () => systemClock.now();
  const stellar = fakeStellar(Networks.PUBLIC, now);
  const [shop, customer] = [Keypair.random(), Keypair.random()];
  const account = shop.publicKey();
  stellar.addAccount(shop, 10_000_000n);
  stellar.addAccount(customer);
  const [first] = stellar.ledgers;
  if (first === undefined) throw new Error('a network begins with a ledger');
  for (let payment = 1; payment <= PAYMENTS; payment += 1) {
    const amount = unitsText(BigInt(payment));
    const destination = payment <= ours ? account : customer.publicKey();
    const paid = { destination, asset: assetOf(NATIVE), amount };
    stellar.send([Operation.payment(paid)], {
      from: customer,
      memo: Memo.text(`${payment}000000`),
    });
  }
  stellar.close();
  const horizon = await startFakeHorizon(stellar, now);
  horizon.closesEveryMs = Number.POSITIVE_INFINITY;
  // What the account held before, as a server that ran then would have kept it.
  await db.transact(async (tx) =>
    tx.send(sql`
      insert into stellar_balance (chain, account, ledger, asset_ids, units)
      values (${CHAIN}, ${account}, ${BigInt(first.sequence)}, ${[NATIVE]}, '{10000000}')`),
  );
  const settings = { account, chainName: 'main' as const, uri: undefined };
  const parts = { db, clock: systemClock, log };
  const position = {
    cursor: { height: BigInt(first.sequence), hash: first.hash },
    recent: [],
    unconfirmed: [],
  };
  const [asking] = openStellarNetworks({ ...settings, horizonUrls: [horizon.url] }, parts);
  if (asking === undefined) throw new Error('no network');
  await asking.network.observe(position);
  const asked = [...new Set(horizon.asked)];
  const paths = ours === PAYMENTS ? asked : wholeLedger(stellar.ledgers.at(-1)?.sequence ?? 0);
  const answers: Record<string, CannedAnswer> = {};
  for (const path of [...asked, ...paths]) {
    const response = await fetch(`${horizon.url}${path}`);
    const ledger = response.headers.get('latest-ledger');
    const headers = new Map(ledger === null ? [] : [['latest-ledger', ledger]]);
    answers[path] = { body: await response.text(), headers: Object.fromEntries(headers) };
  }
  await asking.network.close();
  await horizon.close();
  const canned = await serveCanned(answers);
  const [opened] = openStellarNetworks({ ...settings, horizonUrls: [canned.url] }, parts);
  if (opened === undefined) throw new Error('no network');
  return {
    network: opened.network,
    paths,
    url: canned.url,
    position,
    async close() {
      await opened.network.close();
      await canned.close();
    },
  };
}

/** Everything in it, page by page. */
function wholeLedger(sequence: number): string[] {
  const listing = `/ledgers/${sequence}/payments?join=transactions&order=asc&limit=200`;
  const pages = Array.from({ length: PAYMENTS / 200 }, (_, page) => {
    const last = (BigInt(sequence) << 32n) | (BigInt(page * 200) << 12n) | (page === 0 ? 0n : 1n);
    return `${listing}&cursor=${last}`;
  });
  return [`/ledgers?order=asc&limit=1&cursor=${BigInt(sequence - 1) << 32n}`, ...pages];
}
