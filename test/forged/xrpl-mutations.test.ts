// A server of the XRP Ledger whose answers are damaged at random, and a second one that lies: seeded
// schedules. While it lies nothing wrong is credited; once it is honest again everything that was
// paid is credited once: nothing lost, nothing doubled.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pick, type Random, randomInteger, seededRandom } from '#base/random.ts';
import type { Json } from '#test/fakes/xrpl-ledger.ts';
import { openXrplWorld, XRP, type XrplWorld } from '#test/fakes/xrpl-world.ts';
import { MUTATIONS, type Mutation, mutateAnswer, mutateText } from './mutate-answer.ts';

const SEEDS = 170;
/** Seeds share a world, so that most of the time is spent on them. */
const WORLDS = 10;
const ROUNDS = 3;

type Lie = { readonly what: string; readonly tell: (world: XrplWorld, random: Random) => void };

const LIES: readonly Lie[] = [
  ...MUTATIONS.map(
    (mutation: Mutation): Lie => ({
      what: mutation,
      tell: ({ server }, random) => {
        server.tamper = (_, result) => mutateAnswer(random, result, [mutation]).value;
      },
    }),
  ),
  {
    what: 'one result in three is damaged',
    tell: ({ server }, random) => {
      server.tamper = (_, result) =>
        randomInteger(random, 3) === 0 ? mutateAnswer(random, result).value : result;
    },
  },
  {
    what: 'a damaged listing',
    tell: ({ server }, random) => {
      server.tamper = ({ command }, result) =>
        command === 'account_tx' ? mutateAnswer(random, result).value : result;
    },
  },
  {
    what: 'a listing without some of its transactions',
    tell: ({ server }, random) => {
      server.tamper = ({ command }, result) => {
        const { transactions } = result as { transactions?: unknown[] };
        if (command !== 'account_tx' || transactions === undefined) return result;
        const kept = transactions.filter(() => randomInteger(random, 2) === 0);
        return { ...result, transactions: kept };
      };
    },
  },
  {
    what: 'an account as it was before',
    tell: ({ server, xrpl, account }) => {
      const root = xrpl.ledgers.at(-2)?.roots.get(account);
      server.tamper = ({ command }, result) => {
        if (command !== 'account_info' || root === undefined) return result;
        const thread = { PreviousTxnID: root.last?.hash, PreviousTxnLgrSeq: root.last?.ledger };
        const data = { ...(result.account_data as Json), ...thread, Balance: `${root.balance}` };
        return { ...result, account_data: data };
      };
    },
  },
  {
    what: 'answers that are mixed up',
    tell: ({ server }, random) => {
      server.tamperAnswer = ({ command }, answer) =>
        command === 'account_tx' && randomInteger(random, 2) === 0
          ? { ...answer, id: Number(answer.id) + 1 }
          : answer;
    },
  },
  {
    what: 'text that is cut off or changed',
    tell: ({ server }, random) => {
      server.tamperText = (_, text) =>
        randomInteger(random, 2) === 0 ? mutateText(random, text).text : text;
    },
  },
  {
    what: 'every answer twice',
    tell: ({ server }) => {
      server.tamperText = (_, text) => [text, text];
    },
  },
  {
    what: 'a server that is behind',
    tell: ({ server }, random) => {
      server.lag = 1 + randomInteger(random, 2);
    },
  },
  {
    what: 'payments that are hidden from every listing',
    tell: ({ server, xrpl }, random) => {
      for (const { hash } of xrpl.ledgers.slice(-3).flatMap(({ transactions }) => transactions)) {
        if (randomInteger(random, 2) === 0) server.hidden.add(hash);
      }
    },
  },
  {
    what: 'a gap in its history',
    tell: ({ server, xrpl }) => {
      const last = xrpl.ledgers.at(-1)?.index ?? 0;
      server.completeLedgers = `32570-${last - 3},${last}-${last + 100}`;
    },
  },
  {
    what: 'another network',
    tell: ({ server }) => {
      server.networkId = 1;
    },
  },
  {
    what: 'errors and silence',
    tell: ({ server }, random) => {
      server.refuse = () =>
        randomInteger(random, 2) === 0
          ? pick(random, ['lgrNotFound', 'slowDown', 'noNetwork', 'actNotFound', 'internal'])
          : undefined;
      server.hangsUp = () => randomInteger(random, 4) === 0;
    },
  },
  {
    what: 'a second server that lies',
    tell: ({ second }, random) => {
      if (second !== undefined) second.tamper = (_, result) => mutateAnswer(random, result).value;
    },
  },
];

function beHonest({ server, second }: XrplWorld): void {
  for (const one of [server, second]) {
    if (one === undefined) continue;
    one.tamper = (_, result) => result;
    one.tamperAnswer = (_, answer) => answer;
    one.tamperText = (_, text) => text;
    one.refuse = () => undefined;
    one.hangsUp = () => false;
    one.lag = 0;
    one.networkId = 0;
    one.completeLedgers = undefined;
    one.hidden.clear();
  }
}

async function runSeed(world: XrplWorld, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const told: string[] = [];
  let paid = await world.credited();
  const suspended = await world.suspended();
  const asked: { units: bigint; tag: bigint | undefined }[] = [];
  // Before anything is a lie: who lies about the account changes what is offered.
  for (let round = 0; round < ROUNDS; round += 1) {
    const units = BigInt(1 + randomInteger(random, 10_000)) * 1_000_000n;
    const { instruction } = await world.createAndCommit('XRP_LEDGER', XRP, units);
    asked.push({ units, tag: instruction.destinationTag });
  }
  for (const { units, tag } of asked) {
    world.pay({ drops: units, tag, ...partially(random, units) });
    paid += units;
    for (let empty = randomInteger(random, 3); empty > 0; empty -= 1) world.xrpl.close();
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

/** Some payments ask for more than they deliver. */
function partially(random: Random, units: bigint) {
  if (randomInteger(random, 3) > 0) return {};
  const fields = { Flags: 0x0002_0000, Amount: `${units * 1000n}`, SendMax: `${units * 2n}` };
  return { fields, stated: `${units}`, delivered: `${units}` };
}

describe('a server of the XRP Ledger whose answers are damaged', { concurrency: 1 }, () => {
  for (let part = 0; part < WORLDS; part += 1) {
    const seeds = Array.from({ length: SEEDS / WORLDS }, (_, index) => part * 100 + index);
    test(`seeds ${seeds[0]} to ${seeds.at(-1)}: nothing lost, nothing doubled`, async () => {
      // Every other world has a second source.
      const world = await openXrplWorld({ withSecond: part % 2 === 1, seed: part });
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
