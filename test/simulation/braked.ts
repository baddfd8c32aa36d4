// Chains whose brake is on for a while: what is large is held on them. Somebody may let it go; then
// the brake gets worse, which holds again what is not final yet.

import { type ChainId, chainOf } from '#catalog/chain.ts';
import { findHeldByBrake, releaseHeld } from '#chain/act-on-chain.ts';
import { sql } from '#db/db.ts';
import { pick } from '#test/support/seeded-random.ts';
import { lookInside } from './look-inside.ts';
import { dig, pay } from './scenes.ts';
import type { Story } from './story.ts';
import { watchOnce } from './watch-steps.ts';
import { shortName } from './world.ts';

const LOOKS = 3;

/** Put on; when it was on, first let go by hand if it holds anything, then worse, then released. */
export async function brake(story: Story): Promise<string> {
  const { random, world, counters, chains, oracle } = story;
  const chain = pick(random, chains);
  const name = shortName(chain);
  const cause = world.braked.get(chain);
  if (cause === undefined) return putOn(story, chain);
  if (![...oracle.letGo.values()].includes(chain)) {
    const released = await letGoByHand(story, chain);
    if (released > 0) return `${name} let go by hand, ${released} payments`;
  } else if (cause.degree === 1) {
    world.braked.set(chain, { ...cause, degree: 2, reason: `${cause.reason}, worse` });
    forgetLetGo(story, chain);
    return `${name} is worse`;
  }
  const held = (await heldReceipts(story)).length;
  counters.holds += held;
  world.braked.delete(chain);
  forgetLetGo(story, chain);
  return `${name} released, ${held} held on all chains`;
}

function putOn({ world, counters }: Story, chain: ChainId): string {
  counters.brakes += 1;
  const what = `brake ${counters.brakes}`;
  world.braked.set(chain, { kind: 'slow-blocks', what, degree: 1, reason: what });
  return `${shortName(chain)} on`;
}

/** Somebody pays, it is held, let go by hand, and buried deeper. */
export async function payUnderBrake(story: Story): Promise<string> {
  const { random, world, checkouts } = story;
  const lock = pick(
    random,
    checkouts.flatMap(({ commitments }) => commitments),
  );
  const chain = chainOf('test', lock.network);
  const on = world.braked.has(chain) ? `${shortName(chain)} was on` : putOn(story, chain);
  const paid = await pay(story, lock, lock.arrivingUnits);
  const dug = await dig(story, chain);
  const released = await letGoByHand(story, chain);
  return `${on}; ${paid}; ${dug}; ${released} let go by hand; ${await dig(story, chain)}`;
}

async function letGoByHand(story: Story, chain: ChainId): Promise<number> {
  const { world, oracle, counters } = story;
  // Nobody lets go what he has not looked at.
  for (let looks = 0; looks < LOOKS; looks += 1) await watchOnce(story, chain);
  const now = world.clock.now();
  const { refusal, code, payments } = await findHeldByBrake(world.db, chain, now);
  if (refusal !== undefined) return 0;
  // What one of these looks held, the oracle must have seen held: else a look that dies after the
  // release, and leaves the hold where it was, is taken for one that holds anew.
  await lookInside(story);
  await world.db.transact((tx) => releaseHeld(world, tx, { chain, code, now }));
  for (const { id, blockHash } of payments) oracle.letGo.set(`${id} in ${blockHash}`, chain);
  counters.letGo += payments.length;
  return payments.length;
}

function forgetLetGo({ oracle }: Story, chain: ChainId): void {
  for (const [key, on] of oracle.letGo) if (on === chain) oracle.letGo.delete(key);
}

export async function releaseAll(story: Story): Promise<void> {
  const { world, counters, oracle } = story;
  counters.holds += (await heldReceipts(story)).length;
  world.braked.clear();
  oracle.letGo.clear();
}

/** Nothing is held once every brake is released and every chain was looked at. */
export async function checkHolds(story: Story): Promise<string[]> {
  return (await heldReceipts(story)).map(({ id }) => `receipt ${id} is held for ever`);
}

function heldReceipts({ world, shop }: Story): Promise<{ readonly id: bigint }[]> {
  return world.db.query(sql`
    select id from receipt where held_at is not null and merchant_id = ${shop.merchantId}`);
}
