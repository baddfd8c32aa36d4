// The service looks at the chains: once, twice, late, and two at a time.
import { randomInteger } from '#base/random.ts';
import type { ChainId } from '#catalog/chain.ts';
import { readPosition } from '#chain/chain-status.ts';
import { recordObservation } from '#chain/record-observation.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { pick } from '#test/support/seeded-random.ts';
import { blockChains, reorganise } from './chain-steps.ts';
import { checkFinality, listSeen } from './check-finality.ts';
import { interleavedDatabase } from './failing-database.ts';
import { frozenChains } from './frozen.ts';
import { allOf, settle } from './serve-steps.ts';
import { act, chance, explain, type Story } from './story.ts';
import { BLOCK_CHAINS, processOver, type ServiceProcess, shortName } from './world.ts';

export async function mineObserveSettle(story: Story): Promise<string> {
  const chain = pick(story.random, story.chains);
  const isMade = BLOCK_CHAINS.includes(chain);
  const count = 1 + randomInteger(story.random, 4);
  if (isMade) await mineBlocks(story.world, chain, count);
  const observed = await watchOnce(story, chain);
  const settled = await settle(story);
  return `${shortName(chain)} ${isMade ? count : ''} ${observed}, ${settled}`;
}

export async function watchOnce(story: Story, chain: ChainId): Promise<string> {
  const frozen = await frozenChains(story);
  return act(
    story,
    async (service) => {
      await getWatch(service, chain).step();
      return 'observed';
    },
    frozen,
  );
}

export function getWatch(service: ServiceProcess, chain: ChainId) {
  const watch = service.watches.get(chain);
  if (watch === undefined) throw new Error(`nobody watches ${chain}`);
  return watch;
}

export async function observe(story: Story): Promise<string> {
  const chain = pick(story.random, story.chains);
  return `${shortName(chain)}: ${await watchOnce(story, chain)}`;
}

/** The same facts told twice: the second time they change nothing or come too late. */
export async function observeTwice(story: Story): Promise<string> {
  const chain = pick(story.random, story.chains);
  story.counters.duplicates += 1;
  const frozen = await frozenChains(story);
  const said = await act(
    story,
    async (service) => {
      const network = getNetworkOf(service, chain);
      const position = await readPosition(service.db, chain);
      const observation = await network.observe(position);
      const first = await recordObservation(service, chain, observation, position);
      const again = await recordObservation(service, chain, observation, position);
      if (first.kind === 'recorded' && again.kind === 'recorded' && again.changedReceipts > 0) {
        throw new Error(`R8: the same observation changed ${again.changedReceipts} receipts again`);
      }
      return `${first.kind}, ${again.kind}`;
    },
    frozen,
  );
  return `${shortName(chain)}: ${said}`;
}

/** It looks, sleeps while others look, and writes what it saw long ago. */
export async function slowWatcher(story: Story): Promise<string> {
  const { random, world } = story;
  const chain = pick(random, story.chains);
  const isMined = BLOCK_CHAINS.includes(chain) && chance(random, 50);
  story.counters.races += 1;
  const frozen = await frozenChains(story);
  const said = await act(
    story,
    async (service) => {
      const position = await readPosition(service.db, chain);
      const observation = await getNetworkOf(service, chain).observe(position);
      if (isMined) await mineBlocks(world, chain, 1);
      await getWatch(service, chain).step();
      const outcome = await recordObservation(service, chain, observation, position);
      return `${isMined ? 'after a block ' : ''}${outcome.kind}`;
    },
    frozen,
  );
  return `${shortName(chain)}: ${said}`;
}

function getNetworkOf(service: ServiceProcess, chain: ChainId) {
  const network = service.networks.get(chain);
  if (network === undefined) throw new Error(`no network ${chain}`);
  return network;
}

export async function twoWatchers(story: Story): Promise<string> {
  const chain = pick(story.random, story.chains);
  story.counters.races += 1;
  const frozen = await frozenChains(story);
  const said = await act(
    story,
    async (service) => {
      const watch = getWatch(service, chain);
      await allOf([watch.step(), getWatch(story.service, chain).step()]);
      return 'observed';
    },
    frozen,
  );
  return `${shortName(chain)}: ${said}`;
}

export async function observeAndSettle(story: Story): Promise<string> {
  const chain = pick(story.random, story.chains);
  story.counters.races += 1;
  const frozen = await frozenChains(story);
  const said = await act(
    story,
    async (service) => {
      await allOf([getWatch(service, chain).step(), settleDueCheckouts(story.service)]);
      return 'done';
    },
    frozen,
  );
  return `${shortName(chain)}: ${said}`;
}

/** What is read before a settlement and written after it must still be right. */
export async function settleInsideObserve(story: Story): Promise<string> {
  return settleInside(story, pick(story.random, story.chains));
}

/** Final, and before it is credited the chain thinks again. */
export async function undoWhileCredited(story: Story): Promise<string> {
  const chain = pick(story.random, blockChains(story));
  await mineBlocks(story.world, chain, 3);
  const observed = await watchOnce(story, chain);
  checkFinality(story, await listSeen(story.world.db, story));
  const undone = await reorganise(story, chain);
  return `${observed}; ${undone}; ${await settleInside(story, chain)}`;
}

async function settleInside(story: Story, chain: ChainId): Promise<string> {
  const { world, service } = story;
  story.counters.races += 1;
  const frozen = await frozenChains(story);
  const db = interleavedDatabase(world.serviceDb, () => settleDueCheckouts(service));
  const slow = processOver(world, db, service.rates);
  const said = await explain(async () => {
    await getWatch(slow, chain).step();
    return 'observed';
  }, frozen);
  return `${shortName(chain)}: ${said}`;
}
