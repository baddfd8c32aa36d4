// Chains whose brake is on for a while: what is large is held on them.
import { pick } from '#base/random.ts';
import { sql } from '#db/db.ts';
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
  world.braked.delete(chain);
  const held = await world.db.query(
    sql`select id from receipt where chain = ${chain} and held_at is not null`,
  );
  counters.holds += held.length;
  return `${shortName(chain)} released, ${held.length} held`;
}

/** Nothing is held once every brake is released and every chain was looked at. */
export async function checkHolds({ world, shop }: Story): Promise<string[]> {
  const held = await world.db.query<{ id: bigint }>(sql`
    select id from receipt where held_at is not null and merchant_id = ${shop.merchantId}`);
  return held.map(({ id }) => `receipt ${id} is held for ever`);
}
