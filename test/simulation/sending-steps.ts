// Money leaves by hand: somebody drafts, signs and sends, or pays with a wallet of his own, and says
// what became of it. Nobody here pays an order twice: whatever is paid twice, the service did.
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import { carryOutActs } from '#sending/carry-out-acts.ts';
import { draftSending } from '#sending/draft-sending.ts';
import { sendBySigner } from '#sending/send-by-signer.ts';
import { sendSigned } from '#sending/send-signed.ts';
import { pick } from '#test/support/seeded-random.ts';
import { AWAY_REASONS } from './fake-signer.ts';
import { frozenChains } from './frozen.ts';
import { listMoved, submitOwn } from './own-chain.ts';
import { hashOf, isChange, signText } from './own-transaction.ts';
import { allOf } from './serve-steps.ts';
import { act, chance, explain, type Story, type ToSend } from './story.ts';
import { shortName } from './world.ts';

export const chainOfOrder = ({ network }: Pick<ToSend, 'network'>) => chainOf('test', network);
const sentBy = ({ world }: Story, one: Pick<ToSend, 'network'>) =>
  world.wallet.senders.get(chainOfOrder(one));

export const hasToSend = (story: Story) =>
  story.known.toSend.some((one) => sentBy(story, one) === 'hand');
export const isForSigner = (story: Story) =>
  story.known.toSend.some((one) => sentBy(story, one) === 'signer');

export async function settleLeft(story: Story): Promise<string> {
  return act(story, async (service) => {
    const ended = await settleDepartures(service);
    return `${ended + (await carryOutActs(service))} ended`;
  });
}

/** The service asks the signer for whatever waits for it. */
export async function askSigner(story: Story): Promise<string> {
  const { world, random } = story;
  world.signer = pick(random, ['well', 'well', 'well', 'refusing', 'away']);
  return `${world.signer}: ${await askOn(story)}`;
}

export async function askOn(story: Story): Promise<string> {
  const said: string[] = [];
  for (const [chain, sender] of story.world.wallet.senders) {
    if (sender !== 'signer') continue;
    const frozen = new Set([...(await frozenChains(story)), ...SIGNER_AWAY]);
    const asked = await act(
      story,
      async (service) => `${await sendBySigner(service, chain)}`,
      frozen,
    );
    said.push(`${shortName(chain)} ${asked}`);
  }
  return said.join(', ');
}

/** What the service says of it. */
const SIGNER_AWAY = AWAY_REASONS.map((reason) => `the signer: ${reason}` as ChainId);

/** Whether somebody has signed for it, or for another that looks the same, what may still land. */
export async function isUnderWay(story: Story, order: ToSend): Promise<boolean> {
  const { world, shop } = story;
  const payments = await listPayments(story, order);
  const live = payments.filter(({ state }) => state !== 'REPLACED');
  const [row] = await world.db.query<{ orders: number }>(sql`
    select count(*)::int as orders from transfer where merchant_id = ${shop.merchantId}
      and network = ${order.network} and asset_id = ${order.assetId}
      and target_units = ${order.units} and not paid_outside
      and state in ('TO_SEND', 'SUBMITTED', 'COMPLETED')`);
  return live.length >= (row?.orders ?? 0);
}

/** For whoever looks for what went wrong. */
export async function listPaymentsText(story: Story, order: ToSend): Promise<string> {
  const payments = await listPayments(story, order);
  return payments.map(({ transaction, state }) => `${transaction.slice(0, 8)} ${state}`).join(', ');
}

/** What transactions of this story pay of such an order. */
async function listPayments({ world }: Story, order: ToSend) {
  const chain = chainOfOrder(order);
  const moved = await listMoved(world.db, chain, world.wallet.since);
  return moved.filter(
    ({ transaction, destination, assetId, units }) =>
      world.wallet.sent.has(transaction) &&
      !isChange(destination) &&
      assetId === order.assetId &&
      units === order.units,
  );
}

/** Drafted here, signed by a wallet, and back. */
export async function sendByHand(story: Story, order = pickByHand(story)): Promise<string> {
  const { random, known } = story;
  const isFree = order.transaction !== null || !(await isUnderWay(story, order));
  if (!isFree) return `${order.id} is on its way`;
  const others = known.toSend.filter(
    ({ id, network, transaction }) =>
      id !== order.id && network === order.network && transaction === null,
  );
  const isTwo = others.length > 0 && order.transaction === null && chance(random, 50);
  const other = isTwo ? pick(random, others) : undefined;
  const isBoth = other !== undefined && !(await isUnderWay(story, other));
  const ids = isBoth ? [order.id, other.id] : [order.id];
  const drafted = await draftFor(story, ids);
  if (drafted.text === undefined) return `${ids.join(' and ')}: ${drafted.said}`;
  const manners = ['back', 'back', 'back', 'back', 'twice', 'by itself', 'held', 'later'] as const;
  const manner = pick(random, manners);
  if (manner === 'later') {
    story.world.wallet.drawer.push({ ids, text: drafted.text });
    return `${ids.join(' and ')}: drafted, and left in a drawer`;
  }
  const said = await signAndSend(story, order, drafted.text, ids, manner);
  return `${ids.join(' and ')} ${manner}: ${said}`;
}

type Drafted = { readonly text: string | undefined; readonly said: string };

export async function draftFor(
  story: Story,
  ids: readonly string[],
  kind: 'PAY' | 'CANCEL' = 'PAY',
): Promise<Drafted> {
  let text: string | undefined;
  const wish = { actor: 'operator', feeRate: undefined, from: undefined, kind };
  const said = await act(
    story,
    async (service) => {
      ({ text } = (await draftSending(service, ids, wish)).drafted);
      return 'drafted';
    },
    await frozenChains(story),
  );
  return { text, said };
}

export async function signAndSend(
  story: Story,
  order: ToSend,
  text: string,
  ids: readonly string[],
  manner: 'back' | 'twice' | 'by itself' | 'held',
): Promise<string> {
  const { world } = story;
  const frozen = await frozenChains(story);
  world.wallet.orders.set(hashOf(text), ids);
  const returned = Buffer.from(signText(text));
  switch (manner) {
    case 'back':
    case 'twice': {
      const isTwice = manner === 'twice';
      return act(
        story,
        async (service) => {
          const first = sendSigned(service, order.id, returned);
          await allOf(isTwice ? [first, sendSigned(story.service, order.id, returned)] : [first]);
          return 'sent';
        },
        frozen,
      );
    }
    case 'by itself':
    case 'held': {
      const heldUntil = manner === 'held' ? world.clock.now().add({ hours: 24 * 365 }) : undefined;
      return explain(async () => (await submitOwn(world, text, heldUntil)).slice(0, 8), frozen);
    }
  }
}

/** Signed by a wallet, and back. */
export async function returnSigned(story: Story, id: string, text: string): Promise<string> {
  return act(
    story,
    async (service) => {
      await sendSigned(service, id, Buffer.from(signText(text)));
      return 'sent';
    },
    await frozenChains(story),
  );
}

export function pickByHand(story: Story): ToSend {
  const { random, known } = story;
  return pick(
    random,
    known.toSend.filter((one) => sentBy(story, one) === 'hand'),
  );
}

/** What was signed before is handed to the node once more. */
export async function sendStored(story: Story, order = pickByHand(story)): Promise<string> {
  const said = await act(
    story,
    async (service) => {
      await sendSigned(service, order.id, undefined);
      return 'sent again';
    },
    await frozenChains(story),
  );
  return `${order.id}: ${said}`;
}

export const hasDrawer = ({ world }: Story) => world.wallet.drawer.length > 0;

/** What was drafted long ago comes back signed: its orders may have ended, or be paid otherwise. */
export async function sendLate(story: Story): Promise<string> {
  const { world, random, counters } = story;
  const { ids, text } = pick(random, world.wallet.drawer);
  world.wallet.drawer.splice(0);
  const orders = await listNamed(story, ids);
  for (const order of orders) {
    // A person who has paid it does not pay it again.
    const isPaid = order.state !== 'FAILED' && (await isUnderWay(story, order));
    if (isPaid && order.transaction === null) return `${order.id} is on its way`;
  }
  const [first] = orders;
  if (first === undefined) return 'its order is gone';
  counters.draftsBackLate += 1;
  const said = await signAndSend(story, first, text, ids, 'back');
  if (said === 'sent' && orders.some(({ state }) => state === 'FAILED')) {
    world.wallet.broken.push(`T5: ${ids.join(' and ')} had ended, and what came back is sent`);
  }
  return `${ids.join(' and ')}, ${orders.map(({ state }) => state).join(' and ')}: ${said}`;
}

function listNamed({ world }: Story, ids: readonly string[]) {
  return world.db.query<ToSend & { readonly state: string }>(sql`
    select id, network, asset_id as "assetId", target_units as units, kind, transaction, state
    from transfer where id = any(${[...ids]}::text[]) order by id`);
}
