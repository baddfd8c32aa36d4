// Several things in a row that chance alone would seldom bring together: too little and then the
// rest, much and late, and a chain that takes back what was credited long ago.
import { randomBigint, randomInteger } from '#base/random.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Commitment } from '#checkout/checkout.ts';
import { sql } from '#db/db.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { reorgChain, replaceTransaction } from '#networks/sandbox/reorg-chain.ts';
import { pick } from '#test/support/seeded-random.ts';
import { sparedMode } from './chain-steps.ts';
import { commit, create } from './customer-steps.ts';
import { payAddress, settleDeposits } from './deposit-steps.ts';
import { lookAround } from './known.ts';
import { lookInside } from './look-inside.ts';
import { send } from './merchant-steps.ts';
import { dropOrphans } from './own-chain.ts';
import { refund } from './refund-steps.ts';
import { settleLeft } from './sending-steps.ts';
import { suspense as book, settle } from './serve-steps.ts';
import { chance, outside, type Story } from './story.ts';
import { decideOnSuspense, hasSuspended } from './suspense-steps.ts';
import { watchOnce } from './watch-steps.ts';
import { BLOCK_CHAINS, shortName } from './world.ts';
import { amountsOf, assetOf } from './worth.ts';

/** More than any payment has to be buried. */
const DEEP = 8;
/** Farther back than that nobody goes. */
const UNDONE_MOST = 24;

/** Buries what waits on a chain, and books it. */
export async function dig(story: Story, chain: ChainId, blocks = DEEP): Promise<string> {
  if (BLOCK_CHAINS.includes(chain)) await mineBlocks(story.world, chain, blocks);
  const observed = await watchOnce(story, chain);
  await lookInside(story);
  const settled = `${await settle(story)}, ${await settleDeposits(story)}, ${await settleLeft(story)}`;
  await lookInside(story);
  return `${observed}, ${settled}`;
}

export async function pay(story: Story, lock: Commitment, units: bigint): Promise<string> {
  const { world, sent, counters } = story;
  const chain = chainOf('test', lock.network);
  const said = await outside(async () => {
    const outputs = [{ destination: lock.instruction.destination, assetId: lock.assetId, units }];
    for (const { transaction } of await paySandbox(world, { chain, outputs })) {
      sent.push({ chain, transaction });
    }
    counters.payments += 1;
    return 'paid';
  });
  return `${units} ${said}`;
}

/** Pays a part, which is booked, and often the rest. */
export async function payInTwo(story: Story): Promise<string> {
  const { random, checkouts } = story;
  const before = checkouts.length;
  const created = await create(story);
  const checkout = checkouts[before];
  if (checkout === undefined) return created;
  const committed = await commit(story, checkout);
  const lock = checkout.commitments[0];
  if (lock === undefined || lock.arrivingUnits < 3n) return `${created}; ${committed}`;
  const chain = chainOf('test', lock.network);
  const first = 1n + randomBigint(random, lock.arrivingUnits - 2n);
  const paid = await pay(story, lock, first);
  const dug = await dig(story, chain);
  const told = `${created}; ${committed}; ${paid}; ${dug}`;
  // An invoice is paid once.
  if (lock.network === 'LIGHTNING' || chance(random, 60)) return told;
  const rest = await pay(story, lock, lock.arrivingUnits - first);
  const whole = `${told}; ${rest}; ${await dig(story, chain)}`;
  return chance(random, 50) ? whole : `${whole}; ${await undo(story)}`;
}

/** A price that it takes is nowhere to be had while the money comes, and for a while after. */
export async function payWithoutPrice(story: Story): Promise<string> {
  const { random, world, checkouts } = story;
  const locks = checkouts.flatMap(({ commitments }) => commitments);
  const converted = locks.filter((lock) => lock.settlementAssetId !== lock.assetId);
  const lock = pick(random, converted.length > 0 ? converted : locks);
  const { code } = assetOf(lock.assetId);
  await world.market.move(new Map([[code, 'gone']]));
  const paid = await pay(story, lock, lock.arrivingUnits + 1n + randomBigint(random, 1_000_000n));
  const chain = chainOf('test', lock.network);
  return `${shortName(chain)} without ${code}: ${paid}; ${await dig(story, chain)}`;
}

/** What went back does not pay: the payer pays once more. */
export async function refundAndPayAgain(story: Story): Promise<string> {
  const { random, known, checkouts } = story;
  const underpaid = checkouts.filter(
    ({ id, commitments }) => known.states.get(id) === 'UNDERPAID' && commitments.length > 0,
  );
  if (underpaid.length === 0) return refund(story);
  const checkout = pick(random, underpaid);
  const refunded = await refund(story, checkout, 'full');
  await lookInside(story);
  const lock = pick(random, checkout.commitments);
  const chain = chainOf('test', lock.network);
  const paid = await pay(
    story,
    lock,
    pick(random, [lock.arrivingUnits, lock.arrivingUnits / 2n + 1n]),
  );
  return `${refunded}; ${paid}; ${await dig(story, chain)}`;
}

/** A payment that is on its way back to the payer, or soon, is taken back by the chain. */
export async function refundAndUndo(story: Story): Promise<string> {
  return `${await refund(story)}; ${await undo(story)}`;
}

/** After the lock: exactly, too little, or too much. */
export async function payLate(story: Story): Promise<string> {
  const { random, world } = story;
  const locks = story.checkouts.flatMap(({ commitments }) => commitments);
  const lock = pick(random, locks);
  const over = lock.expiresAt.since(world.clock.now()).total('milliseconds');
  if (over >= 0) await world.clock.advance(over + 1_000 * (1 + randomInteger(random, 7_200)));
  const { arrivingUnits: units } = lock;
  const much = pick(random, [units, units + 1n + randomBigint(random, units), (units + 1n) / 2n]);
  const paid = await pay(story, lock, much);
  const chain = chainOf('test', lock.network);
  return `${shortName(chain)} at ${world.clock.now()}: ${paid}; ${await dig(story, chain)}`;
}

/** What nobody asked for: in another asset, or with another memo. A person decides on it. */
export async function payNobody(story: Story): Promise<string> {
  const { random, world, sent, counters, shop } = story;
  const ways = story.checkouts.flatMap((checkout) =>
    checkout.commitments.map((lock) => ({ checkout, lock })),
  );
  const others = ways.filter(({ lock }) => getNetwork(lock.network).assets.length > 1);
  if (others.length === 0) return 'nothing here carries two assets';
  const { checkout, lock } = pick(random, others);
  const chain = chainOf('test', lock.network);
  const isNamed = lock.network !== 'STELLAR' || chance(random, 50);
  const assetId = isNamed
    ? pick(
        random,
        getNetwork(lock.network).assets.filter((id) => id !== lock.assetId),
      )
    : lock.assetId;
  const terms = { ...checkout, settlementAsset: 'ORIGIN', feeParts: shop.feePartsPerMillion };
  const due = amountsOf(world.market, terms, assetId, world.clock.now())?.arrivingUnits ?? 1n;
  const units = chance(random, 60) ? due : 1n + randomBigint(random, 2n * due);
  const destination = `${lock.instruction.destination}${isNamed ? '' : '9'}`;
  const said = await outside(async () => {
    const outputs = [{ destination, assetId, units }];
    for (const { transaction } of await paySandbox(world, { chain, outputs })) {
      sent.push({ chain, transaction });
    }
    counters.payments += 1;
    return 'paid';
  });
  const told = `${units} ${assetId} ${said}; ${await dig(story, chain)}, ${await book(story, chain)}`;
  story.known = await lookAround(story);
  if (!hasSuspended(story)) return told;
  const decided = `${told}; ${await decideOnSuspense(story)}`;
  await lookInside(story);
  return chance(random, 70) ? decided : `${decided}; ${await undo(story)}`;
}

/** Money at a lasting address is booked, and at times lost again. */
export async function payAddressAndDig(story: Story): Promise<string> {
  const { random, addresses } = story;
  const address = pick(random, addresses);
  const paid = await payAddress(story, address);
  const told = `${paid}; ${await dig(story, chainOf('test', address.network))}`;
  return chance(random, 65) ? told : `${told}; ${await undo(story)}`;
}

/** What was credited a while ago is no longer in the chain, and the chain grows without it. */
export async function undo(story: Story): Promise<string> {
  const { random, world, shop, oracle, counters } = story;
  const credited = await world.db.query<{ chain: ChainId; depth: number }>(sql`
    select r.chain, (select max(height) from sandbox_block b where b.chain = r.chain)::int
      - r.block_height::int + 1 as depth
    from receipt r where r.merchant_id = ${shop.merchantId} and r.block_height is not null
      and r.credited_generation = r.generation
      and r.reversed_generation is distinct from r.generation and r.chain <> 'test:LIGHTNING'
    order by r.id`);
  const near = credited.filter(({ depth }) => depth >= 1 && depth <= UNDONE_MOST);
  if (near.length === 0) return 'nothing was credited of late';
  const { chain, depth } = pick(random, near);
  const mode = pick(random, ['drop', 'double-spend', 'double-spend'] as const);
  const transactions = await sparedMode(world, { chain, depth, mode });
  await reorgChain(world, { chain, depth, transactions });
  await dropOrphans(world, chain);
  oracle.reorganised.add(chain);
  counters.reorganisations += 1;
  const seen = await dig(story, chain, 1);
  return `${shortName(chain)} ${depth} ${transactions}: ${seen}; ${await dig(story, chain, 2 * DEEP)}`;
}

const ASKED_AGAIN_SECONDS = 31;

/** Somebody else spends what an outgoing transaction spends: it can never land. */
export async function killTransfer(story: Story): Promise<string> {
  const { random, world, shop } = story;
  const begun = await send(story, 'well');
  const waiting = await world.db.query<{ chain: ChainId; transaction: string }>(sql`
    select distinct s.chain, s.transaction from transfer t
    join sandbox_transfer s on s.transaction = t.transaction and s.state = 'MEMPOOL'
    where t.merchant_id = ${shop.merchantId} and t.state = 'SUBMITTED' order by s.transaction`);
  if (waiting.length === 0) return `${begun}; nothing of ours is on its way`;
  const { chain, transaction } = pick(random, waiting);
  const said = await outside(async () => {
    await replaceTransaction(world, { chain, transaction });
    await dropOrphans(world, chain);
    return 'replaced';
  });
  await world.clock.advance(ASKED_AGAIN_SECONDS * 1_000);
  const told = `${begun}; ${shortName(chain)} ${transaction.slice(0, 8)}: ${said}`;
  return `${told}; ${await send(story, 'well')}`;
}
