// One seed: a few dozen steps, the invariants after each, and then an end at which everything that
// was begun must have come to rest.
import { randomInteger } from '#base/random.ts';
import type { ChainId } from '#catalog/chain.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { sql } from '#db/db.ts';
import { settleDueDepositAddresses } from '#deposit-address/settle-deposit-address.ts';
import { digestEvents } from '#event/prove-events.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { mineBlocks, thawChain } from '#networks/sandbox/make-blocks.ts';
import { settleSuspense } from '#settle/settle-suspense.ts';
import { settleCameBack } from '#suspense/settle-came-back.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { checkHolds, releaseAll } from './braked.ts';
import { checkEnd } from './check-completions.ts';
import { checkCustody } from './check-custody.ts';
import { checkGivenBack } from './check-orders.ts';
import { checkReports } from './check-reports.ts';
import { finishConversions } from './convert-steps.ts';
import { countRare } from './count-rare.ts';
import { finishSending } from './finish-sending.ts';
import { finishHedges } from './hedge-steps.ts';
import { lookAround, NOTHING_KNOWN } from './known.ts';
import { askOracle } from './look-inside.ts';
import { restorePrices } from './market-steps.ts';
import { openOracle } from './oracle.ts';
import type { ShopReceiver } from './receiver.ts';
import { drawStep } from './steps.ts';
import { type Counters, chance, type Story } from './story.ts';
import { tellOut } from './tell-out.ts';
import { openWallet } from './wallet.ts';
import { getWatch } from './watch-steps.ts';
import { BLOCK_CHAINS, CHAINS, HAND_CHAINS, openShop, startProcess, type World } from './world.ts';

export class SeedFailure extends Error {
  readonly seed: number;
  readonly trace: readonly string[];

  constructor(seed: number, trace: readonly string[], what: string, options?: ErrorOptions) {
    const steps = trace.map((line) => `  ${line}`).join('\n');
    super(`seed ${seed}: ${what}\n${steps}`, options);
    this.name = 'SeedFailure';
    this.seed = seed;
    this.trace = trace;
  }
}

export type SeedRun = {
  readonly seed: number;
  readonly world: World;
  readonly receiver: ShopReceiver;
  readonly counters: Counters;
  /** Told of each step as it was done. */
  readonly onStep?: (line: string) => void;
};

/** A program as in the sandbox, a person, or the signer. */
const SENDERS = ['program', 'program', 'hand', 'hand', 'signer'] as const;
const STEPS_LEAST = 25;
const STEPS_SPREAD = 16;
const DECIDE_AGAIN_PERCENT = 15;

/** @throws SeedFailure with every step so far. */
export async function runSeed(run: SeedRun): Promise<void> {
  const story = await beginStory(run);
  const trace: string[] = [];
  const steps = STEPS_LEAST + randomInteger(story.random, STEPS_SPREAD);
  const note = (line: string) => {
    trace.push(line);
    run.onStep?.(line);
  };
  try {
    for (let number = 1; number <= steps; number += 1) {
      const { name, run: take } = drawStep(story);
      trace.push(`step ${number} ${name} ...`);
      const said = await take(story);
      trace.pop();
      note(`step ${number} ${name}: ${said}`);
      story.counters.steps += 1;
      await look(story, chance(story.random, DECIDE_AGAIN_PERCENT));
    }
    note('the end: all is mined, observed, settled and delivered');
    await endStory(story);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    trace.push(...(await tellOut(story).catch((fault: unknown) => [String(fault)])));
    throw new SeedFailure(run.seed, trace, what, { cause: error });
  }
  story.counters.seeds += 1;
}

async function beginStory({ seed, world, receiver, counters }: SeedRun): Promise<Story> {
  const random = seededRandom(seed);
  await restorePrices({ world });
  await world.clock.advance(1_000);
  const senders = HAND_CHAINS.map((chain) => [chain, pick(random, SENDERS)] as const);
  world.wallet = openWallet(seed, world.clock.now(), new Map(senders));
  const service = await startProcess(world);
  const shop = await openShop(service, {
    feePartsPerMillion: [0, 10_000, 29_000][randomInteger(random, 3)] ?? 0,
    underpaidTolerancePartsPerMillion: [0, 0, 10_000][randomInteger(random, 3)] ?? 0,
  });
  const first = randomInteger(random, CHAINS.length);
  const second = randomInteger(random, CHAINS.length);
  const chains = CHAINS.filter((_, index) => index === first || index === second);
  return {
    seed,
    random,
    world,
    shop,
    receiver,
    chains,
    checkouts: [],
    addresses: [],
    swapped: [],
    hedges: [],
    conversions: [],
    beneficiaries: new Set(),
    oracle: openOracle(),
    known: NOTHING_KNOWN,
    sent: [],
    seenFinal: new Set(),
    counters,
    service,
  };
}

async function look(story: Story, decideAgain: boolean, settled = false): Promise<void> {
  const { world, shop, receiver } = story;
  const broken = await checkInvariants(world.db, {
    now: world.clock.now(),
    merchantId: shop.merchantId,
    expiredByHand: world.expiredByHand,
    settled,
    settleApp: decideAgain ? story.service : undefined,
    waitsForPrice: world.market.wasMissing(),
    pricesMovedAt: world.market.movedAt(),
  });
  broken.push(...(await askOracle(story)));
  broken.push(...receiver.contradictions.splice(0), ...world.logged.splice(0));
  if (broken.length > 0) throw new Error(broken.join('\n  '));
  story.known = await lookAround(story);
}

const BLOCKS_AT_END = 16;
const HOURS_TO_EXPIRY = 26;
const DELIVERY_ROUNDS_MOST = 100;

async function endStory(story: Story): Promise<void> {
  const { world, receiver } = story;
  receiver.mood = 'well';
  world.signer = 'well';
  for (const chain of CHAINS) await thawChain(world, chain);
  await releaseAll(story);
  await restorePrices(story);
  await mineEverything(story);
  await comeToRest(story);
  await world.clock.advance(Temporal.Duration.from({ hours: HOURS_TO_EXPIRY }));
  await comeToRest(story);
  await look(story, true, true);
  await deliverEverything(story);
  await digestEvents(story.service, { limit: 10_000 });
  await sealEntries(story.service, { limit: 10_000 });
  await look(story, true, true);
  await giveBackUnclaimed(story);
  const broken = [
    ...(await checkHolds(story)),
    ...(await checkEnd(story)),
    ...(await checkCustody(story)),
    ...(await checkGivenBack(story)),
    ...(await checkReports(story)),
  ];
  await countRare(story);
  story.counters.events += receiver.accepted.size;
  receiver.accepted.clear();
  if (broken.length > 0) throw new Error(broken.join('\n  '));
}

const CLAIMABLE_DAYS = 90;

/** Refunds that nobody came for are the merchant's again. */
async function giveBackUnclaimed(story: Story): Promise<void> {
  if (story.known.claimable.length === 0) return;
  story.counters.refundsUnclaimed += story.known.claimable.length;
  await story.world.clock.advance(Temporal.Duration.from({ hours: 24 * CLAIMABLE_DAYS }));
  await comeToRest(story);
  await deliverEverything(story);
  await look(story, true, true);
  if (story.known.claimable.length > 0) throw new Error('T5: a refund waits for ever');
}

/** Whatever still waits in a mempool, held back or not. */
async function mineEverything({ world, sent, chains }: Story): Promise<void> {
  for (const chain of chains) {
    const waiting = sent.filter((one) => one.chain === chain).map(({ transaction }) => transaction);
    if (BLOCK_CHAINS.includes(chain)) await mineBlocks(world, chain, BLOCKS_AT_END, waiting);
  }
}

const ROUNDS_MOST = 20;

async function comeToRest(story: Story): Promise<void> {
  const { service, world, chains } = story;
  // Somebody may have chosen a chain on which nothing happened, and may not have heard the answer.
  const used = await world.db.query<{ chain: ChainId }>(sql`
    select distinct chain from deposit_instruction where merchant_id = ${story.shop.merchantId}`);
  for (const chain of new Set([...chains, ...used.map(({ chain }) => chain)])) {
    for (let round = 0; await getWatch(service, chain).step(); round += 1) {
      if (round > ROUNDS_MOST) throw new Error(`${chain} is never read to its tip`);
    }
    while ((await settleSuspense(service, chain)) > 0);
    await settleCameBack(service);
  }
  await sendEverything(story);
  await finishConversions(story);
  await finishSending(story);
  await finishHedges(story);
  for (let round = 0; ; round += 1) {
    await settleDueCheckouts(service);
    await settleDueDepositAddresses(service);
    const [due] = await world.db.query<{ count: bigint }>(sql`
      select count(*) as count from checkout
      where settle_at <= ${world.clock.now()} and merchant_id = ${story.shop.merchantId}`);
    if (due === undefined || due.count === 0n) return;
    if (round > ROUNDS_MOST) throw new Error('S5: settling never comes to rest');
  }
}

const SENDING_SECONDS = 31;

/** Until what is under way has landed, or failed for good. */
async function sendEverything(story: Story): Promise<void> {
  const { service, world, shop } = story;
  for (let round = 0; ; round += 1) {
    // What a refund or a return gives back is decided before anything is sent.
    await settleDueCheckouts(service);
    await settleDueDepositAddresses(service);
    await runTransfers(service);
    const [open] = await world.db.query<{ chain: ChainId }>(sql`
      select 'test:' || network as chain from transfer where merchant_id = ${shop.merchantId}
        and not by_hand and state in ('RESERVED', 'SUBMITTED') and account is not null limit 1`);
    if (open === undefined) return;
    if (round > ROUNDS_MOST) throw new Error('T5: sending never comes to rest');
    if (BLOCK_CHAINS.includes(open.chain)) await mineBlocks(world, open.chain, BLOCKS_AT_END);
    await world.clock.advance(SENDING_SECONDS * 1_000);
  }
}

async function deliverEverything(story: Story): Promise<void> {
  const { service, world, shop, receiver, counters } = story;
  for (let round = 0; ; round += 1) {
    counters.attempts += (await deliverEvents(service, { most: 50 })).attempted;
    const [pending] = await world.db.query<{ count: bigint }>(sql`
      select count(*) as count from webhook_delivery
      where state = 'PENDING' and merchant_id = ${shop.merchantId}`);
    if (pending === undefined || pending.count === 0n) break;
    if (round > DELIVERY_ROUNDS_MOST) throw new Error('W1: events are never delivered');
    await world.clock.advance(Temporal.Duration.from({ minutes: 20 }));
  }
  const events = await world.db.query<{ id: string; body: string; state: string | null }>(sql`
    select e.id, d.state, replace(e.body, '"answers":{"":"' || e.subject_id || '"}',
      '"answers":' || coalesce((select answers from checkout where id = e.subject_id), '{}')) as body
    from event e left join webhook_delivery d on d.event_id = e.id
    where e.merchant_id = ${shop.merchantId}`);
  for (const { id, body, state } of events) {
    if (state === null) continue;
    if (state !== 'DELIVERED') throw new Error(`W1: event ${id} ends ${state}`);
    if (receiver.accepted.get(id) !== body) throw new Error(`W1: event ${id} did not arrive`);
  }
}
