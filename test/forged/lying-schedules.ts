// Seeded schedules of lies, for networks of which one source or two are asked: payments are made, and
// before each look at the network somebody begins to lie. While it lies nothing wrong is credited; once
// it is honest again everything that was paid is credited once: nothing lost, nothing doubled.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Random, randomInteger } from '#base/random.ts';
import type { Outage, Refusal } from '#base/refusal.ts';
import { byLength } from '#test/support/run-length.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import type { ForgedWorld } from './forged-world.ts';
import { MUTATIONS, mutateAnswer, mutateText } from './mutate-answer.ts';

/** Seeds share a world, so that most of the time is spent on them. */
const SEEDS_PER_WORLD = byLength({ short: 9, long: 17 });
const WORLDS = byLength({ short: 2, long: 10 });

export type Lie<World> = {
  readonly what: string;
  readonly tell: (world: World, random: Random) => void;
};

/** A checkout that waits for its payment. */
export type Asked = { readonly units: bigint; pay(): void };

export type LyingSchedules<World> = {
  open(options: { readonly withSecond: boolean; readonly seed: number }): Promise<World>;
  readonly lies: readonly Lie<World>[];
  /** Payments in one schedule. */
  readonly rounds: number;
  ask(world: World, random: Random): Promise<Asked>;
  /** An empty one. */
  closeLedger(world: World): void;
  beHonest(world: World): void;
};

/** What any answer can suffer from; `tamper` and `tamperText` change what a source answers. */
export function damagedAnswers<World>(
  tamper: (world: World, change: (answer: unknown) => unknown) => void,
  tamperText: (world: World, change: (text: string) => string) => void,
): readonly Lie<World>[] {
  return [
    ...MUTATIONS.map((mutation) => ({
      what: mutation,
      tell: (world: World, random: Random) =>
        tamper(world, (answer) => mutateAnswer(random, answer, [mutation]).value),
    })),
    {
      what: 'one answer in three is damaged',
      tell: (world, random) =>
        tamper(world, (answer) =>
          randomInteger(random, 3) === 0 ? mutateAnswer(random, answer).value : answer,
        ),
    },
    {
      what: 'text that is cut off or changed',
      tell: (world, random) =>
        tamperText(world, (text) =>
          randomInteger(random, 2) === 0 ? mutateText(random, text).text : text,
        ),
    },
  ];
}

export function testLyingSchedules<World extends ForgedWorld>(
  name: string,
  schedules: LyingSchedules<World>,
): void {
  describe(name, { concurrency: 1 }, () => {
    for (let part = 0; part < WORLDS; part += 1) {
      const seeds = Array.from({ length: SEEDS_PER_WORLD }, (_, index) => part * 100 + index);
      test(`seeds ${seeds[0]} to ${seeds.at(-1)}: nothing lost, nothing doubled`, async () => {
        // Every other world has a second source.
        const world = await schedules.open({ withSecond: part % 2 === 1, seed: part });
        try {
          assert.deepEqual(await observeInTime(world), []);
          for (const seed of seeds) await runSeed(schedules, world, seed);
          assert.deepEqual(await world.brokenInvariants(), []);
        } finally {
          await world.close();
        }
      });
    }
  });
}

const LATE = /(?:nothing|no answer) within \d+ ms/;
const TRIES_MOST = 30;

/**
 * Of sources that are honest. Those that hang are given up after a second, which a slow machine may
 * take for an honest answer: such a look has shown nothing, and another is taken.
 */
async function observeInTime(world: ForgedWorld): Promise<readonly (Outage | Refusal)[]> {
  for (let tries = 1; ; tries += 1) {
    const failures = await world.observe();
    const isLate = failures.length > 0 && failures.every((failure) => LATE.test(failure.message));
    if (!isLate || tries === TRIES_MOST) return failures;
  }
}

async function runSeed<World extends ForgedWorld>(
  { lies, rounds, ask, closeLedger, beHonest }: LyingSchedules<World>,
  world: World,
  seed: number,
): Promise<void> {
  const random = seededRandom(seed);
  const told: string[] = [];
  let paid = await world.credited();
  const suspended = await world.suspended();
  // Before anything is a lie: who lies about the account changes what is offered.
  const asked: Asked[] = [];
  for (let round = 0; round < rounds; round += 1) asked.push(await ask(world, random));
  for (const { units, pay } of asked) {
    pay();
    paid += units;
    for (let empty = randomInteger(random, 3); empty > 0; empty -= 1) closeLedger(world);
    const lie = pick(random, lies);
    told.push(lie.what);
    lie.tell(world, random);
    await world.observe();
    await world.settle();
    const credited = await world.credited();
    assert(credited <= paid, `seed ${seed}: ${credited} credited of ${paid}; ${told.join(', ')}`);
    if (randomInteger(random, 2) === 0) beHonest(world);
  }
  beHonest(world);
  await observeInTime(world);
  const failures = await observeInTime(world);
  await world.settle();
  const context = `seed ${seed}: ${told.join(', ')}; ${failures.map(String).join(', ')}`;
  assert.equal(await world.credited(), paid, context);
  assert.equal(await world.suspended(), suspended, context);
}
