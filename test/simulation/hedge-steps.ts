// The house closes at a dealer what swaps left open: orders that are carried out in parts, which are
// entered, entered again, taken back and given up. What the dealer says is kept apart from what the
// service knows, and no draw rests on what other stories left open.
import { randomBigint, randomInteger } from '#base/random.ts';
import { pick } from '#test/support/seeded-random.ts';
import { cancelOrder, noteFill, orderHedge, undoFill } from '#treasury/act-on-order.ts';
import { allOf } from './serve-steps.ts';
import { act, chance, type Hedge, type HedgePart, type Story } from './story.ts';

const SAID = { actor: 'treasurer', reason: 'the position' };
/** A share of a fee in a hundred thousand. */
const FEE_SCALE = 100_000n;

export const dealerOf = ({ seed }: Pick<Story, 'seed'>) => `dealer-${seed}`;
export const hasSwapped = ({ swapped }: Story) => swapped.length > 0;
export const hasHedge = ({ hedges }: Story) => hedges.length > 0;

export async function hedge(story: Story): Promise<string> {
  const { random, swapped, hedges } = story;
  const { from, to, taken, promised } = pick(random, swapped);
  const giveUnits = chance(random, 50) ? taken : 1n + randomBigint(random, taken);
  const closesUnits = (promised * giveUnits) / taken;
  if (closesUnits === 0n) return 'it would close nothing';
  const assets = { giveAssetId: from, giveUnits, getAssetId: to, closesUnits };
  const made: Hedge = { ...assets, id: undefined, parts: [] };
  hedges.push(made);
  const said = await act(story, async (service) => {
    const provider = dealerOf(story);
    const request = { ...SAID, ...assets, environment: 'test', provider, isByHand: true } as const;
    made.id = (await orderHedge(service, request)).id;
    return `ordered as ${made.id}`;
  });
  return `${giveUnits} ${from} for ${closesUnits} ${to}: ${said}`;
}

/** The dealer carries out a part, and says so: at times twice at once, or again later. */
export async function fill(story: Story): Promise<string> {
  const { random, hedges } = story;
  const order = pick(random, hedges);
  const left = order.giveUnits - sumOf(order.parts.filter(({ isUndone }) => !isUndone));
  const isOld = order.parts.length > 0 && (left === 0n || chance(random, 30));
  const part = isOld ? pick(random, order.parts) : drawPart(story, order, left);
  const isTwice = chance(random, 25);
  const said = await enter(story, order, part, isTwice);
  return `${part.fillId} of ${order.id ?? 'no order'}, ${part.soldUnits}: ${said}`;
}

function drawPart({ random }: Story, order: Hedge, left: bigint): HedgePart {
  const soldUnits = chance(random, 40) ? left : 1n + randomBigint(random, left);
  const fair = (order.closesUnits * soldUnits) / order.giveUnits;
  const gotUnits = (fair * BigInt(95 + randomInteger(random, 11))) / 100n + 1n;
  const fee = (gotUnits * BigInt(randomInteger(random, 300))) / FEE_SCALE;
  const feeUnits = fee > 0n && chance(random, 70) ? fee : undefined;
  const fillId = `part-${order.parts.length + 1}`;
  const part: HedgePart = { fillId, soldUnits, gotUnits, feeUnits, isUndone: false };
  order.parts.push(part);
  return part;
}

export async function enter(
  story: Story,
  { id: orderId, getAssetId }: Hedge,
  { isUndone: _, feeUnits, ...part }: HedgePart,
  isTwice = false,
): Promise<string> {
  if (orderId === undefined) return 'there is none';
  const fee = { feeUnits, feeAssetId: feeUnits === undefined ? undefined : getAssetId };
  const request = { ...part, ...fee, orderId, actor: SAID.actor };
  return act(story, async (service) => {
    const first = noteFill(service, request);
    await allOf(isTwice ? [first, noteFill(story.service, request)] : [first]);
    return 'entered';
  });
}

/** It was entered wrongly: it is another part then. */
export async function unfill(story: Story): Promise<string> {
  const { random, hedges, counters } = story;
  const order = pick(random, hedges);
  const [part] = order.parts.filter(({ isUndone }) => !isUndone);
  if (part === undefined || order.id === undefined) return 'nothing was carried out';
  const { id: orderId } = order;
  part.isUndone = true;
  const said = await act(story, async (service) => {
    await undoFill(service, { orderId, fillId: part.fillId }, SAID);
    counters.fillsTakenBack += 1;
    return 'taken back';
  });
  return `${part.fillId} of ${orderId}: ${said}`;
}

export async function giveUpHedge(story: Story): Promise<string> {
  const { id } = pick(story.random, story.hedges);
  if (id === undefined) return 'there is none';
  const said = await act(story, async (service) => {
    await cancelOrder(service, id, SAID);
    story.counters.hedgesCancelled += 1;
    return 'cancelled';
  });
  return `${id}: ${said}`;
}

/** Whatever the dealer says is entered in the end, or taken back. */
export async function finishHedges(story: Story): Promise<void> {
  for (const order of story.hedges) {
    const { id: orderId } = order;
    if (orderId === undefined) continue;
    for (const part of order.parts) {
      if (!part.isUndone) await enter(story, order, part);
      else
        await act(story, async (service) => {
          await undoFill(service, { orderId, fillId: part.fillId }, SAID);
          return 'taken back';
        });
    }
  }
}

function sumOf(parts: readonly HedgePart[]): bigint {
  return parts.reduce((sum, { soldUnits }) => sum + soldUnits, 0n);
}
