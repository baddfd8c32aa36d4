// Chains whose node does not answer for a while.
import { randomInteger } from '#base/random.ts';
import type { ChainId } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { freezeChain, thawChain } from '#networks/sandbox/make-blocks.ts';
import { pick } from '#test/support/seeded-random.ts';
import type { Story } from './story.ts';
import { shortName } from './world.ts';

export async function freeze(story: Story): Promise<string> {
  const { random, world, counters, chains } = story;
  const chain = pick(random, chains);
  const seconds = 60 + randomInteger(random, 7_200);
  await freezeChain(world, chain, world.clock.now().add({ seconds }));
  counters.freezes += 1;
  return `${shortName(chain)} for ${seconds} s`;
}

export async function thaw(story: Story): Promise<string> {
  const chain = pick(story.random, story.chains);
  await thawChain(story.world, chain);
  return shortName(chain);
}

/** As of now; a step does not move time. */
export async function frozenChains({ world }: Story): Promise<ReadonlySet<ChainId>> {
  const rows = await world.db.query<{ chain: ChainId }>(
    sql`select chain from sandbox_chain where frozen_until > ${world.clock.now()}`,
  );
  return new Set(rows.map(({ chain }) => chain));
}
