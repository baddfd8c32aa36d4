// Everything that can happen in a story, each with how often it does. A step does one thing, or two
// at once where they may meet, and says what it did.
import { pick, randomInteger } from '#base/random.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { cancelCheckout } from '#checkout/cancel-checkout.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { expireCheckout } from '#checkout/expire-checkout.ts';
import { settleDueCheckouts } from '#checkout/settle-due-checkouts.ts';
import { readPosition } from '#deposit/read-position.ts';
import { recordObservation } from '#deposit/record-observation.ts';
import { settleSuspense } from '#deposit/settle-suspense.ts';
import { deliverEvents } from '#event/deliver-events.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { parseDecimal } from '#money/decimal.ts';
import { makeSandboxBlocks } from '#networks/sandbox/make-blocks.ts';
import { mineBlocks } from '#networks/sandbox/mine-blocks.ts';
import { type ReorgMode, reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { replaceTransfer } from '#networks/sandbox/replace-transfer.ts';
import { checkFinality } from './check-finality.ts';
import { interleavedDatabase } from './failing-database.ts';
import { freeze, frozenChains, thaw } from './frozen.ts';
import { payStep } from './pay-step.ts';
import { MOODS } from './receiver.ts';
import { act, chance, explain, outside, type Story, type StoryCheckout } from './story.ts';
import { BLOCK_CHAINS, CHAINS, processOver, type ServiceProcess, shortName } from './world.ts';

type Step = {
  readonly name: string;
  readonly weight: number;
  /** Nothing to do it with: another step is drawn. */
  readonly isPossible?: (story: Story) => boolean;
  readonly run: (story: Story) => Promise<string>;
};

const MOST_CHECKOUTS = 4;
const SETTLEMENT_ASSETS = ['ORIGIN', 'ORIGIN', 'EUR:FIAT', 'USD:FIAT', 'LTC:NATIVE'];
const CURRENCIES = ['EUR', 'USD', 'JPY', 'BTC'];

const hasCheckout = (story: Story) => story.checkouts.length > 0;
const hasLock = (story: Story) => story.checkouts.some((one) => one.commitments.length > 0);
const hasBlocks = (story: Story) => blockChains(story).length > 0;

export const STEPS: readonly Step[] = [
  {
    name: 'create',
    weight: 6,
    isPossible: ({ checkouts }) => checkouts.length < MOST_CHECKOUTS,
    run: create,
  },
  {
    name: 'buy',
    weight: 9,
    isPossible: ({ checkouts }) => checkouts.length < MOST_CHECKOUTS,
    run: buy,
  },
  { name: 'commit', weight: 9, isPossible: hasCheckout, run: commit },
  { name: 'pay', weight: 14, isPossible: hasLock, run: payStep },
  { name: 'mine', weight: 6, isPossible: hasBlocks, run: mine },
  { name: 'mine, observe, settle', weight: 9, isPossible: hasLock, run: mineObserveSettle },
  { name: 'make due blocks', weight: 2, isPossible: hasBlocks, run: makeDueBlocks },
  { name: 'replace', weight: 4, isPossible: ({ sent }) => sent.length > 0, run: replace },
  { name: 'reorganise', weight: 7, isPossible: hasBlocks, run: (story) => reorganise(story) },
  { name: 'freeze', weight: 1, isPossible: hasBlocks, run: freeze },
  { name: 'thaw', weight: 1, isPossible: hasBlocks, run: thaw },
  { name: 'advance', weight: 6, run: advance },
  { name: 'observe', weight: 9, isPossible: hasLock, run: observe },
  { name: 'observe twice the same', weight: 3, isPossible: hasLock, run: observeTwice },
  { name: 'a slow watcher', weight: 3, isPossible: hasLock, run: slowWatcher },
  { name: 'two watchers', weight: 3, isPossible: hasLock, run: twoWatchers },
  { name: 'settle', weight: 8, isPossible: hasCheckout, run: settle },
  { name: 'settle twice at once', weight: 2, isPossible: hasCheckout, run: settleTwice },
  { name: 'observe and settle at once', weight: 4, isPossible: hasLock, run: observeAndSettle },
  { name: 'settle inside observe', weight: 2, isPossible: hasLock, run: settleInsideObserve },
  { name: 'undone while it is credited', weight: 3, isPossible: hasBlocks, run: undoWhileCredited },
  { name: 'deliver', weight: 3, isPossible: hasCheckout, run: deliver },
  { name: 'two senders', weight: 1, isPossible: hasCheckout, run: deliverTwice },
  { name: 'cancel', weight: 1, isPossible: hasCheckout, run: cancel },
  { name: 'expire by hand', weight: 1, isPossible: hasLock, run: expire },
  { name: 'suspense', weight: 1, run: suspense },
  { name: 'seal', weight: 1, run: seal },
];

export function blockChains(story: Story): ChainId[] {
  return story.chains.filter((chain) => BLOCK_CHAINS.includes(chain));
}

export function drawStep(story: Story): Step {
  const possible = STEPS.filter(({ isPossible }) => isPossible === undefined || isPossible(story));
  const sum = possible.reduce((weights, { weight }) => weights + weight, 0);
  let drawn = randomInteger(story.random, sum);
  for (const step of possible) {
    drawn -= step.weight;
    if (drawn < 0) return step;
  }
  throw new Error('no step is possible');
}

async function create(story: Story): Promise<string> {
  const { random, checkouts, shop, receiver, counters } = story;
  const currency = pick(random, CURRENCIES);
  const cents = 1 + randomInteger(random, chance(random, 10) ? 9_000_000 : 30_000);
  const total = currency === 'JPY' ? `${cents}` : `0.${`${cents}`.padStart(8, '0')}`;
  const amount = currency === 'EUR' || currency === 'USD' ? `${cents / 100}` : total;
  const settlementAsset = pick(random, SETTLEMENT_ASSETS);
  const name = `#${checkouts.length + 1}`;
  const said = await act(story, async (service) => {
    const { id, offers } = await createCheckout(
      service,
      shop,
      {
        charge: {
          customerId: undefined,
          billingCurrency: currency,
          lineItems: [
            {
              description: 'Book',
              netAmount: parseDecimal(amount),
              quantity: parseDecimal('1'),
              productId: undefined,
            },
          ],
          discountItems: [],
          shippingCostItems: [],
          taxItems: [],
        },
        settlementAsset,
        checkoutLanguage: 'en',
        webhook: chance(random, 90) ? `${receiver.origin}/${shop.merchantId}` : undefined,
        anchors: undefined,
        pageSettings: {
          returnUrl: undefined,
          cancelUrl: undefined,
          shopName: undefined,
          displayBuyerInfo: undefined,
          displaySellerInfo: undefined,
        },
        metaText: undefined,
        payloadText: '{"charge":{},"settlementAsset":"ORIGIN"}',
      },
      { type: 'HOSTED', origin: 'API' },
    );
    checkouts.push({ id, name, offers, commitments: [] });
    counters.checkouts += 1;
    return `${name} is ${id}`;
  });
  return `${amount} ${currency} to ${settlementAsset}: ${said}`;
}

/** What mostly happens: a customer comes, chooses and pays, one way or the other. */
async function buy(story: Story): Promise<string> {
  const created = await create(story);
  if (!hasCheckout(story)) return created;
  const committed = await commit(story);
  return hasLock(story) ? `${created}; ${committed}; ${await payStep(story)}` : committed;
}

/** Once, or by two tabs of one customer at the same time: the answers must be the same. */
async function commit(story: Story): Promise<string> {
  const { random, shop } = story;
  const checkout = pick(random, story.checkouts);
  const onOurChains = checkout.offers.filter(({ network }) =>
    story.chains.includes(chainOf('test', network)),
  );
  const offers = onOurChains.length > 0 ? onOurChains : checkout.offers;
  const { network, assetId: asset } = pick(random, offers);
  const tabs = chance(random, 20) ? 2 : 1;
  if (tabs > 1) story.counters.races += 1;
  const request = { checkoutId: checkout.id, owner: shop, network, asset };
  const said = await act(story, async (service) => {
    const answers = await Promise.all(
      Array.from({ length: tabs }, () => commitCheckout(service, request)),
    );
    for (const commitment of answers) remember(story, checkout, commitment);
    return `${answers[0]?.paymentUnits} to ${answers[0]?.instruction.destination}`;
  });
  return `${checkout.name} on ${network} ${asset}${tabs > 1 ? ' twice at once' : ''}: ${said}`;
}

function remember(
  story: Story,
  checkout: StoryCheckout,
  commitment: StoryCheckout['commitments'][number],
): void {
  const { network, assetId } = commitment;
  const made = checkout.commitments.find(
    (one) => one.network === network && one.assetId === assetId,
  );
  if (made === undefined) {
    checkout.commitments.push(commitment);
    story.counters.commits += 1;
    return;
  }
  const isSame =
    made.instruction.destination === commitment.instruction.destination &&
    made.paymentUnits === commitment.paymentUnits &&
    (made.expiresAt.equals(commitment.expiresAt) ||
      story.world.expiredByHand.includes(checkout.id));
  if (!isSame) throw new Error(`S7: a second commit of ${checkout.name} answers otherwise`);
}

async function mine(story: Story): Promise<string> {
  const chain = pick(story.random, blockChains(story));
  const count = 1 + randomInteger(story.random, 4);
  const tip = await mineBlocks(story.world, chain, count);
  return `${shortName(chain)} ${count}, to ${tip.height}`;
}

async function mineObserveSettle(story: Story): Promise<string> {
  const chain = pick(story.random, story.chains);
  const isMade = BLOCK_CHAINS.includes(chain);
  const count = 1 + randomInteger(story.random, 4);
  if (isMade) await mineBlocks(story.world, chain, count);
  const observed = await watchOnce(story, chain);
  const settled = await settle(story);
  return `${shortName(chain)} ${isMade ? count : ''} ${observed}, ${settled}`;
}

async function makeDueBlocks(story: Story): Promise<string> {
  return `${await makeSandboxBlocks(story.world, blockChains(story))}`;
}

async function replace(story: Story): Promise<string> {
  const { random, world, sent, counters } = story;
  const { chain, transaction } = pick(random, sent);
  const units = chance(random, 50) ? 1n + BigInt(randomInteger(random, 1_000_000)) : undefined;
  const what = `${shortName(chain)} ${transaction.slice(0, 8)} by ${units ?? 'nothing for us'}`;
  const said = await outside(async () => {
    const replacement = await replaceTransfer(world, { chain, transaction, units });
    sent.push({ chain, transaction: replacement.transaction });
    counters.replacements += 1;
    return replacement.transaction.slice(0, 8);
  });
  return `${what}: ${said}`;
}

async function reorganise(
  story: Story,
  chain = pick(story.random, blockChains(story)),
): Promise<string> {
  const { random, world, counters } = story;
  const depth = 1 + randomInteger(random, 6);
  const modes: readonly ReorgMode[] = ['remine', 'return', 'drop', 'double-spend', 'double-spend'];
  const transactions = pick(random, modes);
  const tip = await reorgChain(world, { chain, depth, transactions });
  counters.reorganisations += 1;
  return `${shortName(chain)} ${depth} ${transactions}, to ${tip.height}`;
}

async function advance(story: Story): Promise<string> {
  const { random, world } = story;
  const most = pick(random, [30, 600, 3_700, 10_800]);
  const seconds = 1 + randomInteger(random, most);
  await world.clock.advance(seconds * 1000);
  return `${seconds} s, to ${world.clock.now()}`;
}

async function watchOnce(story: Story, chain: ChainId): Promise<string> {
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

async function observe(story: Story): Promise<string> {
  const chain = pick(story.random, story.chains);
  return `${shortName(chain)}: ${await watchOnce(story, chain)}`;
}

/** The same facts told twice: the second time they change nothing or come too late. */
async function observeTwice(story: Story): Promise<string> {
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
async function slowWatcher(story: Story): Promise<string> {
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

async function twoWatchers(story: Story): Promise<string> {
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

/** Waits for all before it fails: nothing of the step is left running. */
async function allOf(acts: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(acts);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function settle(story: Story): Promise<string> {
  return act(story, async (service) => `settled, ${await settleDueCheckouts(service)}`);
}

async function settleTwice(story: Story): Promise<string> {
  story.counters.races += 1;
  return act(story, async (service) => {
    await allOf([settleDueCheckouts(service), settleDueCheckouts(story.service)]);
    return 'settled';
  });
}

async function observeAndSettle(story: Story): Promise<string> {
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
async function settleInsideObserve(story: Story): Promise<string> {
  return settleInside(story, pick(story.random, story.chains));
}

/** Final, and before it is credited the chain thinks again. */
async function undoWhileCredited(story: Story): Promise<string> {
  const chain = pick(story.random, blockChains(story));
  await mineBlocks(story.world, chain, 3);
  const observed = await watchOnce(story, chain);
  await checkFinality(story);
  const undone = await reorganise(story, chain);
  return `${observed}; ${undone}; ${await settleInside(story, chain)}`;
}

async function settleInside(story: Story, chain: ChainId): Promise<string> {
  const { world, service } = story;
  story.counters.races += 1;
  const frozen = await frozenChains(story);
  const db = interleavedDatabase(world.db, () => settleDueCheckouts(service));
  const slow = processOver(world, db, service.rates);
  const said = await explain(async () => {
    await getWatch(slow, chain).step();
    return 'observed';
  }, frozen);
  return `${shortName(chain)}: ${said}`;
}

async function deliver(story: Story): Promise<string> {
  story.receiver.mood = pick(story.random, MOODS);
  const said = await act(story, async (service) => {
    const { attempted } = await deliverEvents(service, { most: 50 });
    story.counters.attempts += attempted;
    return `${attempted} attempts`;
  });
  return `${story.receiver.mood}: ${said}`;
}

async function deliverTwice(story: Story): Promise<string> {
  story.receiver.mood = 'well';
  story.counters.races += 1;
  return act(story, async (service) => {
    await allOf([deliverEvents(service, { most: 50 }), deliverEvents(story.service, { most: 50 })]);
    return 'delivered';
  });
}

async function cancel(story: Story): Promise<string> {
  const { id: checkoutId, name } = pick(story.random, story.checkouts);
  const said = await act(story, async (service) => {
    await cancelCheckout(service, { checkoutId, owner: story.shop });
    return 'cancelled';
  });
  return `${name}: ${said}`;
}

async function expire(story: Story): Promise<string> {
  const { id: checkoutId, name } = pick(story.random, story.checkouts);
  story.world.expiredByHand.push(checkoutId);
  const { merchantId } = story.shop;
  const said = await act(story, async (service) => {
    await expireCheckout(service, { checkoutId, merchantId });
    return 'expired';
  });
  return `${name}: ${said}`;
}

async function suspense(story: Story): Promise<string> {
  const chain = pick(story.random, CHAINS);
  const said = await act(
    story,
    async (service) => `${await settleSuspense(service, chain)} booked`,
  );
  return `${shortName(chain)}: ${said}`;
}

function seal(story: Story): Promise<string> {
  return act(story, async (service) => {
    const { sealed } = await sealEntries(service, { limit: 1_000 });
    return `${sealed} sealed`;
  });
}
