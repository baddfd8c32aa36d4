// A Horizon whose answers are damaged at random, and a second one that lies: seeded schedules.

import { Memo } from '@stellar/stellar-base';
import { type Random, randomInteger } from '#base/random.ts';
import {
  muxed,
  openStellarWorld,
  type StellarWorld,
  USDC,
  XLM,
} from '#test/fakes/stellar-world.ts';
import { pick } from '#test/support/seeded-random.ts';
import { type Asked, damagedAnswers, type Lie, testLyingSchedules } from './lying-schedules.ts';
import { mutateAnswer } from './mutate-answer.ts';

const LIES: readonly Lie<StellarWorld>[] = [
  ...damagedAnswers<StellarWorld>(
    ({ horizon }, change) => {
      horizon.tamper = (_, json) => change(json);
    },
    ({ horizon }, change) => {
      horizon.tamperText = (_, text) => change(text);
    },
  ),
  {
    what: 'a listing without some of its records',
    tell: ({ horizon }, random) => {
      const kind = pick(random, ['payments', 'effects', 'ledgers']);
      horizon.tamper = ({ path }, json) => {
        const page = json as { _embedded?: { records: unknown[] } };
        if (!path.endsWith(kind) || page._embedded === undefined) return json;
        const kept = page._embedded.records.filter(() => randomInteger(random, 2) === 0);
        return { _embedded: { records: kept } };
      };
    },
  },
  {
    what: 'listings that are behind each other',
    tell: ({ horizon }, random) => {
      horizon.lag = () => randomInteger(random, 3);
    },
  },
  {
    what: 'operations that are hidden from every listing',
    tell: ({ horizon, stellar }, random) => {
      for (const ledger of stellar.ledgers.slice(-3)) {
        for (const { operations } of ledger.transactions) {
          if (randomInteger(random, 2) === 0) horizon.hidden.add(operations[0]?.id ?? 0n);
        }
      }
    },
  },
  {
    what: 'another network',
    tell: ({ horizon }) => {
      horizon.passphrase = 'Test SDF Network ; September 2015';
    },
  },
  {
    what: 'errors and silence',
    tell: ({ horizon }, random) => {
      horizon.refuse = () =>
        randomInteger(random, 2) === 0
          ? { status: pick(random, [404, 410, 429, 500, 503]), body: '{}' }
          : undefined;
      horizon.cutsOff = randomInteger(random, 4) === 0;
    },
  },
  {
    what: 'a second source that lies',
    tell: ({ second }, random) => {
      if (second !== undefined) second.tamper = (_, json) => mutateAnswer(random, json).value;
    },
  },
];

function beHonest({ horizon, second }: StellarWorld): void {
  for (const one of [horizon, second]) {
    if (one === undefined) continue;
    one.tamper = (_, json) => json;
    one.tamperText = (_, text) => text;
    one.refuse = () => undefined;
    one.lag = () => 0;
    one.cutsOff = false;
    one.passphrase = 'Public Global Stellar Network ; September 2015';
    one.hidden.clear();
  }
}

/** Paid by a memo of either kind or by a muxed account. */
async function ask(world: StellarWorld, random: Random): Promise<Asked> {
  const assetId = pick(random, [XLM, USDC]);
  const units = BigInt(1 + randomInteger(random, 10_000)) * 10_000_000n;
  const { instruction } = await world.createAndCommit('STELLAR', assetId, units);
  const memo = String(instruction.memo);
  const named = pick(random, [
    { memo: Memo.text(memo) },
    { memo: Memo.id(memo) },
    { to: muxed(world.account, memo) },
  ]);
  return { units, pay: () => world.pay({ units, assetId, ...named }) };
}

testLyingSchedules('a Horizon whose answers are damaged', {
  open: openStellarWorld,
  lies: LIES,
  rounds: 5,
  ask,
  closeLedger: ({ stellar }) => stellar.close(),
  beHonest,
});
