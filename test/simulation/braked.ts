// Chains whose brake is on for a while: what is large is held on them.

import { sql } from '#db/db.ts';
import { pick } from '#test/support/seeded-random.ts';
import type { Story } from './story.ts';
import { shortName } from './world.ts';

/** Put on, or released when it was on. */
export async function brake(story: Story): Promise<string> {
  const { random, world, counters, chains } = story;
  const chain = pick(random, chains);
  if (!world.braked.has(chain)) {
    world.braked.add(chain);
    counters.brakes += 1;
    return `${shortName(chain)} on`;
  }
  const held = (await heldReceipts(story)).length;
  counters.holds += held;
  world.braked.delete(chain);
  return `${shortName(chain)} released, ${held} held on all chains`;
}

export async function releaseAll(story: Story): Promise<void> {
  story.counters.holds += (await heldReceipts(story)).length;
  story.world.braked.clear();
}

/** Nothing is held once every brake is released and every chain was looked at. */
export async function checkHolds(story: Story): Promise<string[]> {
  return (await heldReceipts(story)).map(({ id }) => `receipt ${id} is held for ever`);
}

function heldReceipts({ world, shop }: Story): Promise<{ readonly id: bigint }[]> {
  return world.db.query(sql`
    select id from receipt where held_at is not null and merchant_id = ${shop.merchantId}`);
}
