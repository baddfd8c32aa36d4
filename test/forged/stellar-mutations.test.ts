// A Horizon whose answers are damaged at random, and a second one that lies: seeded schedules. While
// it lies nothing wrong is credited; once it is honest again everything that was paid is credited
// once: nothing lost, nothing doubled.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Memo } from '@stellar/stellar-base';
import { pick, type Random, randomInteger, seededRandom } from '#base/random.ts';
import {
  muxed,
  openStellarWorld,
  type StellarWorld,
  USDC,
  XLM,
} from '#test/fakes/stellar-world.ts';
import { MUTATIONS, type Mutation, mutateAnswer, mutateText } from './mutate-answer.ts';

const SEEDS = 170;
/** Seeds share a world, so that most of the time is spent on them. */
const WORLDS = 10;
const ROUNDS = 5;

type Asked = { readonly assetId: string; readonly units: bigint; readonly memo: string };
type Lie = { readonly what: string; readonly tell: (world: StellarWorld, random: Random) => void };

const LIES: readonly Lie[] = [
  ...MUTATIONS.map(
    (mutation: Mutation): Lie => ({
      what: mutation,
      tell: ({ horizon }, random) => {
        horizon.tamper = (_, json) => mutateAnswer(random, json, [mutation]).value;
      },
    }),
  ),
  {
    what: 'one answer in three is damaged',
    tell: ({ horizon }, random) => {
      horizon.tamper = (_, json) =>
        randomInteger(random, 3) === 0 ? mutateAnswer(random, json).value : json;
    },
  },
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
    what: 'text that is cut off or changed',
    tell: ({ horizon }, random) => {
      horizon.tamperText = (_, text) =>
        randomInteger(random, 2) === 0 ? mutateText(random, text).text : text;
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

async function runSeed(world: StellarWorld, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const told: string[] = [];
  const { stellar, account } = world;
  let paid = await world.credited();
  const suspended = await world.suspended();
  const asked: Asked[] = [];
  // Before anything is a lie: who lies about the account changes what is offered.
  for (let round = 0; round < ROUNDS; round += 1) {
    const assetId = pick(random, [XLM, USDC]);
    const units = BigInt(1 + randomInteger(random, 10_000)) * 10_000_000n;
    const { instruction } = await world.createAndCommit('STELLAR', assetId, units);
    asked.push({ assetId, units, memo: String(instruction.memo) });
  }
  for (const { assetId, units, memo } of asked) {
    const named = pick(random, [
      { memo: Memo.text(memo) },
      { memo: Memo.id(memo) },
      { to: muxed(account, memo) },
    ]);
    world.pay({ units, assetId, ...named });
    paid += units;
    for (let empty = randomInteger(random, 3); empty > 0; empty -= 1) stellar.close();
    const lie = pick(random, LIES);
    told.push(lie.what);
    lie.tell(world, random);
    await world.observe();
    await world.settle();
    const credited = await world.credited();
    assert(credited <= paid, `seed ${seed}: ${credited} credited of ${paid}; ${told.join(', ')}`);
    if (randomInteger(random, 2) === 0) beHonest(world);
  }
  beHonest(world);
  await world.observe();
  const failures = await world.observe();
  await world.settle();
  const context = `seed ${seed}: ${told.join(', ')}; ${failures.map(String).join(', ')}`;
  assert.equal(await world.credited(), paid, context);
  assert.equal(await world.suspended(), suspended, context);
}

describe('a Horizon whose answers are damaged', { concurrency: 1 }, () => {
  for (let part = 0; part < WORLDS; part += 1) {
    const seeds = Array.from({ length: SEEDS / WORLDS }, (_, index) => part * 100 + index);
    test(`seeds ${seeds[0]} to ${seeds.at(-1)}: nothing lost, nothing doubled`, async () => {
      // Every other world has a second source.
      const world = await openStellarWorld({ withSecond: part % 2 === 1, seed: part });
      try {
        assert.deepEqual(await world.observe(), []);
        for (const seed of seeds) await runSeed(world, seed);
        assert.deepEqual(await world.brokenInvariants(), []);
      } finally {
        await world.close();
      }
    });
  }
});
