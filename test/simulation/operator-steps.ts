// What the operator does with a wallet of his own: he pays orders with it, moves money away and
// together, raises fees, gives up what is not mined, and says what each of it was.
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { abandonDeparture, explainDeparture, settlePart } from '#custody/explain-departure.ts';
import { sql } from '#db/db.ts';
import { pick } from '#test/support/seeded-random.ts';
import { cancelSending, confirmSentOutside, showSending } from '#transfer/send-by-hand.ts';
import { frozenChains } from './frozen.ts';
import { ACCOUNTS } from './merchant-steps.ts';
import { putTogether } from './outgoing-network.ts';
import { dropOrphans, listMoved, submitOwn } from './own-chain.ts';
import {
  changeTo,
  hasCoins,
  hashOf,
  isChange,
  type OwnTransaction,
  writeOwn,
} from './own-transaction.ts';
import { chainOfOrder, isUnderWay, pickByHand } from './sending-steps.ts';
import { act, chance, explain, type Story, type ToSend, type Unexplained } from './story.ts';
import { shortName } from './world.ts';

const PERSON = { actor: 'operator', reason: 'as the wallet says' };
const OTHER_NAME = 'elsewhere-by-another-name';
const COLD = 'elsewhere-cold';

/** A wallet puts the transaction together itself; at times the chain names the receiver otherwise. */
export async function payByWallet(story: Story, order = pickByHand(story)): Promise<string> {
  const { random } = story;
  if (order.transaction !== null || (await isUnderWay(story, order))) return 'it is on its way';
  let isShown = false;
  const shown = await act(story, async (service) => {
    await showSending(service, order.id);
    isShown = true;
    return 'shown';
  });
  if (!isShown) return `${order.id}: ${shown}`;
  const chain = chainOfOrder(order);
  const isOtherName = chance(random, 25);
  const fails = !hasCoins(chain) && chance(random, 15);
  const named = receiverOn(story, order.network);
  const { assetId, units } = order;
  const output = { destination: isOtherName ? OTHER_NAME : (named ?? ''), assetId, units };
  const said = await sendOwn(story, chain, output, { ids: [order.id], fails });
  const how = fails ? ', which fails' : isOtherName ? ' under another name' : '';
  return `${order.id} ${units} ${assetId}${how}: ${said}`;
}

function receiverOn({ service }: Story, network: string): string | undefined {
  const payee = service.networks.get(chainOf('test', network));
  return payee?.destinationOf?.(ACCOUNTS[network] ?? {}, '');
}

type Output = { readonly destination: string; readonly assetId: string; readonly units: bigint };

/** With any coin that is in a block, booked or not. `fails`: it costs its fee, and nobody is paid. */
async function sendOwn(
  story: Story,
  chain: ChainId,
  output: Output,
  { ids, fails = false }: { readonly ids: readonly string[]; readonly fails?: boolean },
): Promise<string> {
  const { world } = story;
  return explain(
    async () => {
      const coins = (await listOurs(story, chain)).map(({ creditKey }) => creditKey);
      const wish = { outputs: [output], coins, taken: new Set<string>(), replaced: undefined };
      const own = await putTogether(world, chain, wish);
      const text = writeOwn(fails ? { ...own, outputs: [] } : own);
      world.wallet.orders.set(hashOf(text), fails ? [] : ids);
      return (await submitOwn(world, text)).slice(0, 8);
    },
    await frozenChains(story),
  );
}

/** Whatever paid us in this story and is in a block. */
async function listOurs({ world, service }: Story, chain: ChainId) {
  const network = service.networks.get(chain);
  const payee = network?.destinationOf?.(ACCOUNTS[shortName(chain)] ?? {}, '');
  const moved = await listMoved(world.db, chain, world.wallet.since);
  return moved
    .filter(
      ({ state, destination }) =>
        state === 'MINED' && destination !== payee && !destination.startsWith('elsewhere-'),
    )
    .map((one) => ({ ...one, creditKey: `${one.transaction}:${one.position}` }));
}

export const handChains = ({ world, chains }: Story): ChainId[] =>
  chains.filter((chain) => (world.wallet.senders.get(chain) ?? 'program') !== 'program');

/** To cold storage, or to ourselves. */
export async function moveOwn(story: Story): Promise<string> {
  const { random, world } = story;
  const chain = pick(random, handChains(story));
  const ours = await listOurs(story, chain);
  if (ours.length === 0) return `nothing of ours is on ${shortName(chain)}`;
  const { assetId, units } = pick(random, ours);
  const isTogether = hasCoins(chain) && chance(random, 30);
  const destination = isTogether ? changeTo(`${world.wallet.sent.size}`) : COLD;
  const part = chance(random, 50) ? units / 2n + 1n : units - units / 10n;
  const said = await sendOwn(story, chain, { destination, assetId, units: part }, { ids: [] });
  return `${part} ${assetId} to ${destination}: ${said}`;
}

export const hasSent = ({ world }: Story) => world.wallet.sent.size > 0;

/** The wallet makes another one of what is not mined, which pays the same and a higher fee. */
export async function raiseFee(story: Story): Promise<string> {
  const { world, random, counters } = story;
  const waiting = await listWaiting(story);
  if (waiting.length === 0) return 'nothing of ours waits to be mined';
  const [transaction, own] = pick(random, waiting);
  const more = own.feeUnits / 2n + 1n;
  const change = own.outputs.find(({ destination }) => isChange(destination));
  if (hasCoins(own.chain) && (change === undefined || change.units <= more)) return 'no change';
  const outputs = own.outputs.map((output) =>
    output === change ? { ...output, units: output.units - more } : output,
  );
  const text = writeOwn({ ...own, outputs, feeUnits: own.feeUnits + more });
  const said = await explain(
    async () => {
      const raised = await submitOwn(world, text);
      world.wallet.orders.set(raised, world.wallet.orders.get(transaction) ?? []);
      counters.feesRaised += 1;
      return raised.slice(0, 8);
    },
    await frozenChains(story),
  );
  return `${transaction.slice(0, 8)}: ${said}`;
}

async function listWaiting(story: Story): Promise<[string, OwnTransaction][]> {
  const { world } = story;
  const waiting = new Set<string>();
  for (const chain of handChains(story)) {
    for (const { transaction, state } of await listMoved(world.db, chain, world.wallet.since)) {
      if (state === 'MEMPOOL') waiting.add(transaction);
    }
  }
  return [...world.wallet.sent].filter(([transaction]) => waiting.has(transaction));
}

/** No node has it any more; at times a person gives it up, and it is never sent again. */
export async function forget(story: Story): Promise<string> {
  const { world, random } = story;
  const waiting = await listWaiting(story);
  if (waiting.length === 0) return 'nothing of ours waits to be mined';
  const [transaction, { chain }] = pick(random, waiting);
  const said = chance(random, 50) ? `, ${await abandon(story, transaction)}` : '';
  const [gone] = await world.db.query(sql`
    select 1 from departure where chain = ${chain} and transaction = ${transaction}
      and status = 'GONE'`);
  // What somebody has given up is never sent again.
  const state = gone === undefined ? 'DROPPED' : 'REPLACED';
  await world.db.single((tx) =>
    tx.query(sql`
      update sandbox_transfer set state = ${state}
      where chain = ${chain} and transaction = ${transaction} and state = 'MEMPOOL'`),
  );
  await dropOrphans(world, chain);
  return `${transaction.slice(0, 8)} is forgotten${said}`;
}

export function abandon(story: Story, transaction: string): Promise<string> {
  return act(story, async (service) => {
    await abandonDeparture(service, transaction, PERSON);
    story.counters.departuresAbandoned += 1;
    return 'abandoned';
  });
}

export const hasUnexplained = ({ known }: Story) => known.unexplained.length > 0;

/** What left and nobody ordered; of what paid an order after all, which. */
export async function explainLeft(
  story: Story,
  part: Unexplained = pick(story.random, story.known.unexplained),
): Promise<string> {
  const { random, known, counters } = story;
  const { departureId, number, destination, assetId, units, network } = part;
  const fitting = known.toSend.find(
    (order) => order.network === network && order.assetId === assetId && order.units === units,
  );
  const about = { departureId, number, ...PERSON };
  // Or what it paid was undone, and this took the place of that.
  const isReceiver = destination === OTHER_NAME || destination === receiverOn(story, network);
  if (isReceiver && fitting !== undefined) {
    const said = await act(story, async (service) => {
      await settlePart(service, { ...about, transferId: fitting.id });
      counters.partsTied += 1;
      return 'tied';
    });
    return `${departureId}:${number} pays ${fitting.id}: ${said}`;
  }
  if (part.isExchanged) {
    const said = await act(story, async (service) => {
      await explainDeparture(service, { ...about, purpose: 'CONVERTED' });
      counters.conversionsUnordered += 1;
      return 'converted';
    });
    return `${departureId}:${number} of ${units} ${assetId}: ${said}`;
  }
  const purpose = destination === COLD || chance(random, 50) ? 'OUTSIDE' : 'LOST';
  const said = await act(story, async (service) => {
    await explainDeparture(service, { ...about, purpose });
    counters.partsExplained += 1;
    return purpose;
  });
  return `${departureId}:${number} of ${units} ${assetId} to ${destination.slice(0, 20)}: ${said}`;
}

/** Paid with money that is held elsewhere, or not at all: only of what nobody sent. */
export async function endByHand(story: Story): Promise<string> {
  const { random } = story;
  const order = pickByHand(story);
  return chance(random, 40) ? confirm(story, order) : cancel(story, order);
}

async function confirm(story: Story, { id, ...order }: ToSend): Promise<string> {
  const { counters } = story;
  if (await isUnderWay(story, { id, ...order })) return `${id} is on its way`;
  const said = await act(story, async (service) => {
    await confirmSentOutside(service, id, { ...PERSON, transaction: `outside of ${id}` });
    counters.paidOutside += 1;
    return 'paid outside';
  });
  return `${id}: ${said}`;
}

export async function cancel(story: Story, order: ToSend): Promise<string> {
  const { counters } = story;
  if (await isUnderWay(story, order)) return `${order.id} is on its way`;
  const said = await act(story, async (service) => {
    await cancelSending(service, order.id, { ...PERSON, isNotSent: true });
    counters.sendingsCancelled += 1;
    return 'cancelled';
  });
  return `${order.id}: ${said}`;
}

/** What was drafted and lies in a drawer is not wanted any more. */
export async function cancelDrafted(story: Story): Promise<string> {
  const { ids } = pick(story.random, story.world.wallet.drawer);
  const order = story.known.toSend.find(({ id }) => ids.includes(id));
  return order === undefined ? 'its order is gone' : cancel(story, order);
}

export const hasHandChain = (story: Story) => handChains(story).length > 0;
