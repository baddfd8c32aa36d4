// The house closes at the market of the simulated Stellar what swaps left open: drafted for the
// signer or for a person, who sends it at once, long after, or never; given up, and drafted again.

import { randomBigint } from '#base/random.ts';
import type { ChainId } from '#catalog/chain.ts';
import { settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import { draftConversion } from '#market/draft-conversion.ts';
import { freeDrafts } from '#market/free-drafts.ts';
import { listOpenDrafts } from '#market/market-draft.ts';
import { signConversions } from '#market/sign-conversions.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { pick } from '#test/support/seeded-random.ts';
import { cancelOrder, orderHedge } from '#treasury/act-on-order.ts';
import { STELLAR_DEX } from '#treasury/hedge-order.ts';
import { DEX_CHAIN, draftExchange, readExchange, submitExchange } from './dex.ts';
import { AWAY_REASONS } from './fake-signer.ts';
import { frozenChains } from './frozen.ts';
import { lookAround } from './known.ts';
import { explainLeft } from './operator-steps.ts';
import { hashOf } from './own-transaction.ts';
import { act, type Conversion, chance, explain, type Story } from './story.ts';
import { getWatch, watchOnce } from './watch-steps.ts';

/** Below the price of the house at most. */
export const SLIPPAGE_PARTS = 5_000;

export const converterOf = ({ seed }: Pick<Story, 'seed'>) => `converter-${seed}`;

/**
 * A part of what a swap left, or an order that was made before, as a transaction. What earlier
 * stories left open decides whether it is ordered, and nothing is drawn by that.
 */
export async function convert(
  story: Story,
  swaps: Story['swapped'] = story.swapped,
): Promise<string> {
  const { random, conversions } = story;
  const isOld = conversions.length > 0 && chance(random, 40);
  return isOld ? draftIt(story, pick(random, conversions)) : convertNew(story, swaps);
}

async function convertNew(story: Story, swaps: Story['swapped']): Promise<string> {
  const { random, conversions } = story;
  const { from, to, taken, promised } = pick(random, swaps);
  const giveUnits = chance(random, 50) ? taken : 1n + randomBigint(random, taken);
  const closesUnits = (promised * giveUnits) / taken;
  if (closesUnits === 0n) return 'it would close nothing';
  const assets = { giveAssetId: from, giveUnits, getAssetId: to, closesUnits };
  const made: Conversion = { id: undefined };
  conversions.push(made);
  const said = await act(story, async (service) => {
    const by = { actor: converterOf(story), reason: 'the position' };
    const request = { ...by, ...assets, environment: 'test', provider: STELLAR_DEX } as const;
    made.id = (await orderHedge(service, { ...request, isByHand: true })).id;
    return `ordered as ${made.id}`;
  });
  return `${giveUnits} ${from} for ${closesUnits} ${to}: ${said}; ${await draftIt(story, made)}`;
}

/** Also those whose name nobody heard. */
async function listOpenOrders({ world, seed }: Story): Promise<readonly string[]> {
  const rows = await world.db.query<{ id: string }>(sql`
    select id from hedge_order where ordered_by = ${converterOf({ seed })}
      and state = 'ORDERED' order by reserved_at, id`);
  return rows.map(({ id }) => id);
}

async function draftIt(story: Story, { id: orderId }: Conversion): Promise<string> {
  const { random, world, counters } = story;
  const isBySigner = chance(random, 60);
  const manner = pick(random, ['sent', 'sent', 'twice', 'later', 'never'] as const);
  // Prices move before the signer is asked.
  const isAsked = chance(random, 65);
  let made: string | undefined;
  const said = await act(
    story,
    async (service) => {
      if (orderId === undefined) return 'there is none';
      const wish = { orderId, actor: converterOf(story), isBySigner };
      const slippage = { slippagePartsPerMillion: SLIPPAGE_PARTS };
      const { drafted, leastUnits } = await draftConversion(service, { ...wish, ...slippage });
      made = drafted.text;
      world.wallet.draftedFor.set(hashOf(made), orderId);
      if (readExchange(made).get.units !== leastUnits) {
        world.wallet.broken.push(`T13: ${orderId} is to bring ${leastUnits}: ${made}`);
      }
      return isBySigner ? 'drafted for the signer' : 'drafted for a person';
    },
    await frozenChains(story),
  );
  if (made !== undefined) counters.conversionsDrafted += 1;
  if (isBySigner && isAsked) return `${orderId}: ${said}; ${await askForConversions(story)}`;
  if (made === undefined) return `${orderId}: ${said}`;
  if (isBySigner) return `${orderId}: ${said}`;
  if (manner === 'later') world.wallet.kept.push(made);
  if (manner === 'later' || manner === 'never') return `${orderId}: ${said}, ${manner}`;
  const sent = [await sendExchange(story, made)];
  if (manner === 'twice') sent.push(await sendExchange(story, made));
  return `${orderId}: ${said}, ${sent.join(' and ')}`;
}

async function sendExchange(story: Story, text: string): Promise<string> {
  const frozen = await frozenChains(story);
  return explain(async () => (await submitExchange(story.world, text)).slice(0, 8), frozen);
}

/**
 * What was drafted lands, and nobody reads the chain until its time is over: it is not to be drafted
 * again beside that.
 */
export async function convertUnread(story: Story): Promise<string> {
  const { world, conversions, swapped } = story;
  const before = conversions.length;
  const converted = await convertNew(story, swapped.slice(-1));
  const made = conversions[before];
  if (made === undefined) return converted;
  await world.clock.advance(31 * 60_000);
  const freed = await free(story);
  return `${converted}; ${freed}; ${await draftIt(story, made)}`;
}

async function free(story: Story): Promise<string> {
  const frozen = await frozenChains(story);
  return act(story, async (service) => `${await freeDrafts(service)} free`, frozen);
}

/** Somebody sells for the house with a wallet, and no order says so. */
export async function convertAlone(story: Story): Promise<string> {
  const { random, swapped, world } = story;
  const { from, to, taken } = pick(random, swapped);
  const units = 1n + randomBigint(random, taken);
  const payment = { transferId: '', account: {}, assetId: from, units };
  const { text } = await draftExchange(world, {
    payments: [{ ...payment, exchange: { assetId: to, leastUnits: 1_000n } }],
    ...{ unspent: [], taken: new Set(), feeRate: undefined, from: undefined, replaces: undefined },
  });
  return `${units} ${from} for ${to}: ${await sendExchange(story, text)}`;
}

export const hasKept = ({ world }: Story) => world.wallet.kept.length > 0;

/** A person finds what was drafted long ago, and sends it: the network decides. */
export async function sendKept(story: Story): Promise<string> {
  const [text = ''] = story.world.wallet.kept.splice(0);
  return sendExchange(story, text);
}

const SIGNER_AWAY = AWAY_REASONS.map((reason) => `the signer: ${reason}` as ChainId);

export async function askForConversions(story: Story): Promise<string> {
  const { world, random } = story;
  world.signer = pick(random, ['well', 'well', 'well', 'refusing', 'away']);
  const frozen = new Set([...(await frozenChains(story)), ...SIGNER_AWAY]);
  const said = await act(
    story,
    async (service) => {
      await signConversions(service, DEX_CHAIN);
      return 'asked';
    },
    frozen,
  );
  return `${world.signer}: ${said}`;
}

/** Ledgers close, what was converted is seen and booked, and what can land no more is free. */
export async function watchMarket(story: Story): Promise<string> {
  const { random, world } = story;
  if (chance(random, 30)) await world.clock.advance(31 * 60_000);
  await mineBlocks(world, DEX_CHAIN, 1);
  const seen = chance(random, 80) ? await watchOnce(story, DEX_CHAIN) : 'nobody looks';
  const said = await act(
    story,
    async (service) => {
      await settleDepartures(service);
      return `${await freeDrafts(service)} free`;
    },
    await frozenChains(story),
  );
  return `${seen}, ${said}`;
}

export const hasConversion = ({ conversions }: Story) => conversions.length > 0;

export async function giveUpConversion(story: Story): Promise<string> {
  const { id } = pick(story.random, story.conversions);
  const by = { actor: converterOf(story), reason: 'not wanted' };
  const said = await act(story, async (service) => {
    if (id === undefined) return 'there is none';
    await cancelOrder(service, id, by);
    return 'cancelled';
  });
  return `${id}: ${said}`;
}

const ROUNDS_MOST = 8;
const BURIED_BLOCKS = 30;

/** What was drafted lands or is over, what is left of it is given up, and what fits none is explained. */
export async function finishConversions(story: Story): Promise<void> {
  const { world, service } = story;
  for (let round = 0; ; round += 1) {
    await explain(async () => {
      await signConversions(service, DEX_CHAIN);
      return '';
    }, new Set(SIGNER_AWAY));
    await mineBlocks(world, DEX_CHAIN, 1);
    while (await getWatch(service, DEX_CHAIN).step());
    await settleDepartures(service);
    await freeDrafts(service);
    if ((await listOpenDrafts(world.db)).length === 0) break;
    if (round > ROUNDS_MOST) throw new Error('T13: a conversion never comes to rest');
    await world.clock.advance(16 * 60_000);
  }
  const by = { actor: converterOf(story), reason: 'the end' };
  for (const id of await listOpenOrders(story)) await cancelOrder(service, id, by);
  // Deeper than any story after this one reaches back.
  await mineBlocks(world, DEX_CHAIN, BURIED_BLOCKS);
  while (await getWatch(service, DEX_CHAIN).step());
  story.known = await lookAround(story);
  for (const part of story.known.unexplained) if (part.isExchanged) await explainLeft(story, part);
}
