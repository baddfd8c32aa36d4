// What a full ledger of Stellar costs (full-ledger.ts): how it is made, served, and read by both sides.

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
import { type FullLedger, measureFullLedgers, PAYMENTS } from './full-ledger.ts';
import type { Figure } from './measure.ts';

const CHAIN = 'live:STELLAR';

export function measureStellar(bench: Bench): Promise<Figure[]> {
  return measureFullLedgers(bench, { name: 'Stellar', database: 'bench_stellar' }, openFullLedger);
}

/** The answers are taken from a Horizon over a real history once, and served by a thread. */
async function openFullLedger({ db }: BenchDatabase, ours: number): Promise<FullLedger> {
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
    async observe() {
      const { blocks } = await opened.network.observe(position);
      return blocks.flatMap(({ arrivals }) => arrivals).length;
    },
    async fetchAndParse() {
      for (const path of paths) JSON.parse(await (await fetch(`${canned.url}${path}`)).text());
    },
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
