// What was signed for an order is cancelled by what pays us in its place; that lands, and its money
// goes back. At times a reorganisation undoes it, and then either of the two may land.
import { networkOf } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { decideSending } from '#sending/carry-out-acts.ts';
import { pick } from '#test/support/seeded-random.ts';
import { frozenChains } from './frozen.ts';
import { lookAround } from './known.ts';
import { lookInside } from './look-inside.ts';
import { payByWallet } from './operator-steps.ts';
import { dropOrphans } from './own-chain.ts';
import { hasCoins, hashOf } from './own-transaction.ts';
import { dig } from './scenes.ts';
import { askOn, chainOfOrder, draftFor, returnSigned, settleLeft } from './sending-steps.ts';
import { act, chance, type Story, type ToSend } from './story.ts';
import { watchOnce } from './watch-steps.ts';

const SAID = { actor: 'operator', reason: 'the receiver is wrong' };

/** Of an account nothing proves it before any story ends. */
const canCancel = (story: Story) => (order: ToSend) =>
  order.transaction !== null &&
  hasCoins(chainOfOrder(order)) &&
  story.world.wallet.senders.get(chainOfOrder(order)) !== 'program';
export const hasSigned = (story: Story) => story.known.toSend.some(canCancel(story));

export async function cancelAndUndo(story: Story): Promise<string> {
  const { random, known } = story;
  const order = pick(random, known.toSend.filter(canCancel(story)));
  const said = [await cancelSigned(story, order)];
  if (chance(random, 50)) said.push(await tryMeanwhile(story, order));
  said.push(await dig(story, chainOfOrder(order)));
  if (chance(random, 70)) said.push(await undoCancellation(story, order));
  return `${order.id}: ${said.join('; ')}`;
}

const DEEP = 12;

/** The cancellation is final, and nobody has given the money back yet: somebody wants to pay it. */
async function tryMeanwhile(story: Story, order: ToSend): Promise<string> {
  const chain = chainOfOrder(order);
  if ((await frozenChains(story)).has(chain)) return 'the node does not answer';
  await mineBlocks(story.world, chain, DEEP);
  const said = [await watchOnce(story, chain), (await draftFor(story, [order.id])).said];
  story.known = await lookAround(story);
  await lookInside(story);
  const same = story.known.toSend.find(({ id }) => id === order.id);
  const isByHand = story.world.wallet.senders.get(chain) === 'hand';
  if (same !== undefined && isByHand) said.push(await payByWallet(story, same));
  // Its money goes back before anybody sees what was paid.
  if (chance(story.random, 60)) said.push(await settleLeft(story));
  story.counters.triedWhileCancelled += 1;
  return `meanwhile: ${said.join('; ')}`;
}

async function cancelSigned(story: Story, order: ToSend): Promise<string> {
  const { world } = story;
  const chain = chainOfOrder(order);
  const [paid] = await listAttempts(world.db, order);
  if (paid === undefined) return 'nothing was signed';
  const ids = paid.transferIds;
  const decided = await act(story, async (service) => {
    const cancelled = { act: 'CANCEL', feeRate: undefined, isSentAgain: false } as const;
    await decideSending(service, ids, { ...SAID, ...cancelled });
    return 'cancelled';
  });
  if (world.wallet.senders.get(chain) === 'signer') return `${decided}; ${await askOn(story)}`;
  const { text, said } = await draftFor(story, ids, 'CANCEL');
  if (text === undefined) return `${decided}; ${said}`;
  world.wallet.orders.set(hashOf(text), []);
  return `${decided}; ${await returnSigned(story, order.id, text)}`;
}

type Attempt = { readonly transaction: string; readonly transferIds: readonly string[] };

/** What was signed to pay it, or in the place of that; newest first. */
function listAttempts(
  reader: Reader,
  { id }: ToSend,
  kind: 'PAY' | 'CANCEL' = 'PAY',
): Promise<Attempt[]> {
  return reader.query<Attempt>(sql`
    select transaction, transfer_ids as "transferIds" from attempt
    where ${id} = any(transfer_ids) and kind = ${kind} and transaction is not null
    order by id desc`);
}

/** As deep as it is; then it lands again, or a miner has what it took the place of. */
async function undoCancellation(story: Story, order: ToSend): Promise<string> {
  const { random, world, oracle, counters } = story;
  const chain = chainOfOrder(order);
  const [cancellation] = await listAttempts(world.db, order, 'CANCEL');
  const [row] = await world.db.query<{ depth: number }>(sql`
    select (select max(height) from sandbox_block b where b.chain = ${chain})::int
      - block_height::int + 1 as depth
    from sandbox_transfer where chain = ${chain} and state = 'MINED'
      and transaction = ${cancellation?.transaction ?? ''} limit 1`);
  if (cancellation === undefined || row === undefined) return 'it did not land';
  if ((await frozenChains(story)).has(chain)) return 'the node does not answer';
  const isKept =
    (await isRestedOn(world.db, cancellation)) || (await isPaidAnew(story, order, cancellation));
  const isOther = chance(random, 50) && !isKept;
  await reorgChain(world, { chain, depth: row.depth, transactions: 'return' });
  if (isOther) await giveWay(story, order, cancellation);
  await dropOrphans(world, chain);
  oracle.reorganised.add(chain);
  counters.reorganisations += 1;
  const seen = await watchOnce(story, chain);
  story.known = await lookAround(story);
  await lookInside(story);
  const told = `${networkOf(chain)} ${row.depth}${isOther ? ', the first one lands' : ''}: ${seen}`;
  return chance(random, 75) ? `${told}; ${await dig(story, chain)}` : told;
}

/** Something spends what it paid us: that would be gone with it, and nobody would know. */
async function isRestedOn(reader: Reader, { transaction }: Attempt): Promise<boolean> {
  const rest = `${transaction}:%`;
  const found = await reader.query(sql`
    select 1 from sandbox_transfer, unnest(spends) spent where spent like ${rest}
    union all
    select 1 from attempt, unnest(spends) spent where spent like ${rest} limit 1`);
  return found.length > 0;
}

/**
 * The decision was lost, so the order was open again once the cancellation was final, and was paid:
 * no house is safe from a chain that then brings back what was final elsewhere.
 */
async function isPaidAnew(
  { world }: Story,
  { id }: ToSend,
  cancellation: Attempt,
): Promise<boolean> {
  const own = [...world.wallet.orders].filter(([, ids]) => ids.includes(id));
  const found = await world.db.query(sql`
    select 1 from sandbox_transfer where state in ('MINED', 'MEMPOOL')
      and transaction = any(${own.map(([transaction]) => transaction)}::text[])
      and not spends && (select spends from sandbox_transfer
        where transaction = ${cancellation.transaction} limit 1) limit 1`);
  return found.length > 0;
}

/** No node has the cancellation any more, and a miner has kept what paid the order. */
async function giveWay({ world }: Story, order: ToSend, { transaction }: Attempt): Promise<void> {
  const chain = chainOfOrder(order);
  const [paid] = await listAttempts(world.db, order);
  await world.db.single((tx) =>
    tx.query(sql`
      update sandbox_transfer set
        state = case transaction when ${transaction} then 'REPLACED' else 'MEMPOOL' end
      where chain = ${chain} and ((transaction = ${transaction} and state = 'MEMPOOL')
        or (transaction = ${paid?.transaction ?? ''} and state = 'REPLACED'))`),
  );
}
