// What happens on the chains, and time.
import { randomInteger } from '#base/random.ts';
import type { ChainId } from '#catalog/chain.ts';
import { makeSandboxBlocks, mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { type ReorgMode, reorgChain, replaceTransaction } from '#networks/sandbox/reorg-chain.ts';
import { pick } from '#test/support/seeded-random.ts';
import { DEX_CHAIN } from './dex.ts';
import { dropOrphans, isSpentByUs } from './own-chain.ts';
import { chance, outside, type Story } from './story.ts';
import { BLOCK_CHAINS, shortName, type World } from './world.ts';

export function blockChains(story: Story): ChainId[] {
  return story.chains.filter((chain) => BLOCK_CHAINS.includes(chain));
}

export async function mine(story: Story): Promise<string> {
  const chain = pick(story.random, blockChains(story));
  const count = 1 + randomInteger(story.random, 4);
  const tip = await mineBlocks(story.world, chain, count);
  return `${shortName(chain)} ${count}, to ${tip.height}`;
}

export async function makeDueBlocks(story: Story): Promise<string> {
  return `${await makeSandboxBlocks(story.world, blockChains(story))}`;
}

export async function replace(story: Story): Promise<string> {
  const { random, world, sent, counters } = story;
  const { chain, transaction } = pick(random, sent);
  const units = chance(random, 50) ? 1n + BigInt(randomInteger(random, 1_000_000)) : undefined;
  const what = `${shortName(chain)} ${transaction.slice(0, 8)} by ${units ?? 'nothing for us'}`;
  if (await isSpentByUs(world, chain, { transaction })) return `${what}: we have spent it`;
  const said = await outside(async () => {
    const replacement = await replaceTransaction(world, { chain, transaction, units });
    sent.push({ chain, transaction: replacement.transaction });
    await dropOrphans(world, chain);
    counters.replacements += 1;
    return replacement.transaction.slice(0, 8);
  });
  return `${what}: ${said}`;
}

export async function reorganise(
  story: Story,
  chain = pick(story.random, blockChains(story)),
): Promise<string> {
  const { random, world, counters } = story;
  const depth = 1 + randomInteger(random, 6);
  const modes: readonly ReorgMode[] = ['remine', 'return', 'drop', 'double-spend', 'double-spend'];
  const transactions = await sparedMode(world, { chain, depth, mode: pick(random, modes) });
  const tip = await reorgChain(world, { chain, depth, transactions });
  await dropOrphans(world, chain);
  counters.reorganisations += 1;
  story.oracle.reorganised.add(chain);
  return `${shortName(chain)} ${depth} ${transactions}, to ${tip.height}`;
}

/**
 * How what we have spent comes back after a reorganisation: what rests on it could else neither land
 * nor end. The market of Stellar has it again at once: what waited there could end by its time, and
 * no ledger takes it then.
 */
export async function sparedMode(
  world: Pick<World, 'db' | 'wallet'>,
  {
    chain,
    depth,
    mode,
  }: { readonly chain: ChainId; readonly depth: number; readonly mode: ReorgMode },
): Promise<ReorgMode> {
  if (!(await isSpentByUs(world, chain, { depth }))) return mode;
  return chain === DEX_CHAIN ? 'remine' : 'return';
}

export async function advance(story: Story): Promise<string> {
  const { random, world } = story;
  const most = pick(random, [30, 600, 3_700, 10_800]);
  const seconds = 1 + randomInteger(random, most);
  await world.clock.advance(seconds * 1000);
  return `${seconds} s, to ${world.clock.now()}`;
}
