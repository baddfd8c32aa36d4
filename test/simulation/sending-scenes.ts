// Money is earned, ordered away and sent, all in a row: chance alone would seldom get so far.
import { type ChainId, chainOf, networkOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { pick } from '#test/support/seeded-random.ts';
import { cancelAndUndo, hasSigned } from './cancel-scenes.ts';
import { convert, convertUnread, watchMarket } from './convert-steps.ts';
import { commit, create } from './customer-steps.ts';
import { DEX_CHAIN } from './dex.ts';
import { fill, hasSwapped, hedge } from './hedge-steps.ts';
import { lookAround } from './known.ts';
import { lookInside } from './look-inside.ts';
import { hasBalance, send, swap, transfer } from './merchant-steps.ts';
import {
  cancelDrafted,
  endByHand,
  explainLeft,
  handChains,
  payByWallet,
  raiseFee,
} from './operator-steps.ts';
import { dropOrphans } from './own-chain.ts';
import { refund } from './refund-steps.ts';
import { comeBack, hasLanded } from './return-steps.ts';
import { dig, pay } from './scenes.ts';
import {
  askSigner,
  hasDrawer,
  hasToSend,
  isForSigner,
  sendByHand,
  sendLate,
  settleLeft,
} from './sending-steps.ts';
import { chance, type Story, type StoryCheckout } from './story.ts';
import { watchOnce } from './watch-steps.ts';

/** What landed there may come back. */
const BACK = chainOf('test', 'STELLAR');

const sendingChains = (story: Story): ChainId[] => [
  ...handChains(story),
  ...story.chains.filter((chain) => chain === BACK),
];
export const hasSendingChain = (story: Story) => sendingChains(story).length > 0;

export async function earnAndSend(story: Story): Promise<string> {
  const { random } = story;
  const chain = pick(random, sendingChains(story));
  const { checkout, said } = await earn(story, chain);
  if (checkout === undefined) return said.join('; ');
  if (chance(random, 15)) said.push(await hedgeSome(story));
  said.push(await orderSome(story, checkout, chain));
  said.push(await send(story, 'well'), await sendWhatWaits(story));
  await lookAgain(story);
  if (hasSigned(story) && chance(random, 40)) said.push(await cancelAndUndo(story));
  else if (chance(random, 75)) said.push(await dig(story, chain));
  if (chain === BACK) said.push(await sendBack(story));
  return said.join('; ');
}

/** Signed by the signer or by a person, who then decides that it is not to be paid. */
export async function earnSignAndCancel(story: Story): Promise<string> {
  const chain = pick(story.random, handChains(story));
  const { checkout, said } = await earn(story, chain);
  if (checkout === undefined) return said.join('; ');
  said.push(await orderSome(story, checkout, chain), await send(story, 'well'));
  await lookAgain(story);
  if (isForSigner(story)) said.push(await askSigner(story));
  else if (hasToSend(story)) said.push(await sendByHand(story));
  await lookAgain(story);
  if (hasSigned(story)) said.push(await cancelAndUndo(story));
  return said.join('; ');
}

async function lookAgain(story: Story): Promise<void> {
  await lookInside(story);
  story.known = await lookAround(story);
}

type Earned = { readonly checkout: StoryCheckout | undefined; readonly said: string[] };

async function earn(story: Story, chain: ChainId): Promise<Earned> {
  const { random, checkouts } = story;
  const before = checkouts.length;
  const said = [await create(story, 'ORIGIN')];
  const checkout = checkouts[before];
  if (checkout === undefined) return { checkout, said };
  said.push(await commit(story, checkout, [chain]));
  const [lock] = checkout.commitments;
  if (lock === undefined || lock.network !== networkOf(chain)) return { checkout: undefined, said };
  const isPart = chance(random, 20);
  said.push(await pay(story, lock, isPart ? lock.arrivingUnits / 2n + 1n : lock.arrivingUnits));
  said.push(await dig(story, chain));
  return { checkout, said };
}

async function orderSome(story: Story, checkout: StoryCheckout, chain: ChainId): Promise<string> {
  const said: string[] = [];
  // What the signer is asked for together is seldom else.
  const isSigner = story.world.wallet.senders.get(chain) === 'signer';
  const orders = chance(story.random, isSigner ? 75 : 40) ? 2 : 1;
  for (let order = 0; order < orders; order += 1) {
    story.known = await lookAround(story);
    const isTransfer = hasBalance(story) && chance(story.random, 80);
    said.push(
      await (isTransfer ? transfer(story, [networkOf(chain)]) : refund(story, checkout, 'amount')),
    );
  }
  return said.join('; ');
}

async function hedgeSome(story: Story): Promise<string> {
  story.known = await lookAround(story);
  if (!hasBalance(story)) return 'nothing to be converted';
  const swapped = await swap(story);
  if (!hasSwapped(story)) return swapped;
  if (chance(story.random, 50)) return `${swapped}; ${await convertSome(story)}`;
  const ordered = `${swapped}; ${await hedge(story)}`;
  return story.hedges.length === 0 ? ordered : `${ordered}; ${await fill(story)}`;
}

/** Chance alone would seldom have a swap and time for what closes it. */
export async function swapAndConvert(story: Story): Promise<string> {
  const swapped = await swap(story);
  return hasSwapped(story) ? `${swapped}; ${await convertSome(story)}` : swapped;
}

/** Mostly to its end. */
async function convertSome(story: Story): Promise<string> {
  if (chance(story.random, 30)) return convertUnread(story);
  const converted = await convert(story, story.swapped.slice(-1));
  if (chance(story.random, 30)) return converted;
  return `${converted}; ${await watchMarket(story)}; ${await watchMarket(story)}`;
}

/** As deep as anything is booked: below that nobody remembers enough blocks. */
const UNDONE_MOST = 24;

/** What was booked as sent is in no block any more, and waits to be mined again. */
export async function undoLeft(story: Story): Promise<string> {
  const { random, world, oracle, counters } = story;
  const booked = await world.db.query<{ chain: ChainId; depth: number }>(sql`
    select d.chain, (select max(height) from sandbox_block b where b.chain = d.chain)::int
      - d.block_height::int + 1 as depth
    from departure d where d.seen_at >= ${world.wallet.since} and d.booked_at is not null
      and d.status = 'INCLUDED' and d.chain <> ${DEX_CHAIN} order by d.id`);
  const near = booked.filter(({ depth }) => depth >= 1 && depth <= UNDONE_MOST);
  if (near.length === 0) return 'nothing of ours was booked of late';
  const { chain, depth } = pick(random, near);
  await reorgChain(world, { chain, depth });
  await dropOrphans(world, chain);
  oracle.reorganised.add(chain);
  counters.reorganisations += 1;
  const seen = await watchOnce(story, chain);
  const settled = chance(random, 80) ? await settleLeft(story) : 'nobody looks';
  return `${networkOf(chain)} ${depth}: ${seen}; ${settled}`;
}

async function sendWhatWaits(story: Story): Promise<string> {
  story.known = await lookAround(story);
  await lookInside(story);
  if (isForSigner(story)) return askSigner(story);
  if (!hasToSend(story)) return 'a program sends it';
  const ways = [sendByHand, sendByHand, sendByHand, payByWallet, payByWallet, endByHand];
  const said = await pick(story.random, ways)(story);
  if (chance(story.random, 25)) return `${said}; ${await explainReplaced(story)}`;
  if (hasDrawer(story) && chance(story.random, 50)) {
    return `${said}; ${await cancelDrafted(story)}; ${await sendLate(story)}`;
  }
  return chance(story.random, 75) ? said : `${said}; ${await raiseFee(story)}`;
}

/**
 * What pays an order is on its way, as the service knows; another one takes its place, and a person
 * says of that what it was before anybody has looked.
 */
async function explainReplaced(story: Story): Promise<string> {
  const look = async () => {
    const said: string[] = [];
    for (const chain of handChains(story)) said.push(await watchOnce(story, chain));
    return said.join(', ');
  };
  const said = [await look(), await settleLeft(story), await raiseFee(story), await look()];
  story.known = await lookAround(story);
  await lookInside(story);
  for (const part of story.known.unexplained) {
    story.counters.saidOfReplaced += 1;
    said.push(await explainLeft(story, part));
  }
  return said.join('; ');
}

const ASKED_AGAIN_MS = 31_000;

async function sendBack(story: Story): Promise<string> {
  await story.world.clock.advance(ASKED_AGAIN_MS);
  const landed = await send(story, 'well');
  story.known = await lookAround(story);
  await lookInside(story);
  return hasLanded(story) ? comeBack(story) : landed;
}
