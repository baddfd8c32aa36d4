// The end of what leaves: what waits is sent, or given back where it can not be; what left and nobody
// ordered is explained; what no node has is given up.
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { carryOutActs } from '#sending/carry-out-acts.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { lookAround } from './known.ts';
import { abandon, cancel, explainLeft } from './operator-steps.ts';
import { listNonces, submitOwn } from './own-chain.ts';
import { hasCoins, nonceKey, nonceOf, writeOwn } from './own-transaction.ts';
import {
  askOn,
  chainOfOrder,
  draftFor,
  isUnderWay,
  listPaymentsText,
  sendStored,
  signAndSend,
} from './sending-steps.ts';
import { explain, type Story, type ToSend } from './story.ts';
import { getWatch } from './watch-steps.ts';
import type { World } from './world.ts';

const ROUNDS_MOST = 12;
const BLOCKS = 16;
const ASKED_AGAIN_SECONDS = 31;

export async function finishSending(story: Story): Promise<void> {
  let said: string[] = [];
  for (let round = 0; ; round += 1) {
    const { toSend, unexplained } = await bookWhatLeft(story);
    for (const part of unexplained) await explainLeft(story, part);
    const isBusy = toSend.length > 0 || unexplained.length > 0 || (await isOnItsWay(story));
    if (!isBusy) return;
    if (round > ROUNDS_MOST) {
      throw new Error(
        `T5: sending never comes to rest: ${await describe(story)}\n  ${said.join('\n  ')}`,
      );
    }
    for (const order of toSend) await fillGap(story, order);
    await askOn(story);
    said = [];
    for (const order of toSend) said.push(`${order.id}: ${await sendOrGiveUp(story, order)}`);
    await giveUpGone(story);
    await story.world.clock.advance(ASKED_AGAIN_SECONDS * 1_000);
  }
}

async function describe({ world, shop }: Story): Promise<string> {
  const rows = await world.db.query<object>(sql`
    select id, state, network, transaction, held_up as "heldUp" from transfer
    where merchant_id = ${shop.merchantId} and by_hand and state in ('TO_SEND', 'SUBMITTED')`);
  return rows.map((row) => JSON.stringify(row)).join(', ');
}

/** What a refund gives back is decided before anything is sent. */
async function bookWhatLeft(story: Story) {
  const { world } = story;
  // Somebody may have paid on a chain that the story has not chosen.
  for (const [chain, sender] of world.wallet.senders) {
    if (sender === 'program') continue;
    const waiting = [...world.wallet.sent]
      .filter(([, own]) => own.chain === chain)
      .map(([transaction]) => transaction);
    await mineBlocks(world, chain, BLOCKS, waiting);
    while (await getWatch(story.service, chain).step());
  }
  await settleDueCheckouts(story.service);
  await runTransfers(story.service);
  await settleDepartures(story.service);
  await carryOutActs(story.service);
  story.known = await lookAround(story);
  return story.known;
}

async function isOnItsWay({ world, shop }: Story): Promise<boolean> {
  const open = await world.db.query(sql`
    select 1 from transfer where merchant_id = ${shop.merchantId} and by_hand
      and state in ('TO_SEND', 'SUBMITTED') limit 1`);
  return open.length > 0;
}

async function sendOrGiveUp(story: Story, order: ToSend): Promise<string> {
  if (story.world.wallet.senders.get(chainOfOrder(order)) === 'signer') {
    if (order.transaction !== null || (await isUnderWay(story, order))) return 'signed';
    return giveUpVoid(story, order);
  }
  if (order.transaction !== null) return sendStored(story, order);
  if (await isUnderWay(story, order)) return `on its way: ${await listPaymentsText(story, order)}`;
  const { text, said } = await draftFor(story, [order.id]);
  if (text === undefined) return `${said}; ${await cancel(story, order)}`;
  return `${said}; ${await signAndSend(story, order, text, [order.id], 'back')}`;
}

/** The signer was asked for it, and it may not be sent or cannot be paid. */
async function giveUpVoid(story: Story, order: ToSend): Promise<string> {
  const [row] = await story.world.db.query<{ heldUp: string | null }>(sql`
    select held_up as "heldUp" from transfer where id = ${order.id} and state = 'TO_SEND'`);
  return row?.heldUp == null ? 'the signer will be asked' : cancel(story, order);
}

/** A nonce before that of what was signed is free again: the wallet uses it for nothing. */
async function fillGap({ world }: Story, order: ToSend): Promise<void> {
  const chain = chainOfOrder(order);
  if (order.transaction === null || hasCoins(chain)) return;
  const [signed] = await world.db.query<{ spent: string }>(sql`
    select spends[1] as spent from attempt
    where chain = ${chain} and transaction = ${order.transaction}`);
  const used = new Set(await listNonces(world.db, chain));
  for (let nonce = 0n; signed !== undefined && nonce < nonceOf(signed.spent); nonce += 1n) {
    if (used.has(nonce)) continue;
    const blank = { chain, spends: [nonceKey(nonce)], outputs: [], feeUnits: 1n };
    await explain(() => submitOwn(world, writeOwn(blank)), new Set());
  }
}

/** The wallet sends once more what no node has; what none takes any more is given up. */
async function giveUpGone(story: Story): Promise<void> {
  const { db, wallet } = story.world;
  for (const [transaction, own] of wallet.sent) {
    const [dropped] = await db.query(sql`
      select 1 from sandbox_transfer where chain = ${own.chain}
        and transaction = ${transaction} and state = 'DROPPED'`);
    if (dropped === undefined) continue;
    const said = await explain(() => submitOwn(story.world, writeOwn(own)), new Set());
    if (said.startsWith('refused')) await giveUp(story.world, transaction);
  }
  const gone = await db.query<{ transaction: string }>(sql`
    select d.transaction from departure d where d.seen_at >= ${wallet.since}
      and d.status = 'SEEN' and d.booked_at is null
      and not exists (select 1 from sandbox_transfer s where s.chain = d.chain
        and s.transaction = d.transaction and s.state in ('MEMPOOL', 'MINED'))`);
  for (const { transaction } of gone) await abandon(story, transaction);
}

async function giveUp({ db }: World, transaction: string): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update sandbox_transfer set state = 'REPLACED' where transaction = ${transaction}
        and state = 'DROPPED'`),
  );
}
