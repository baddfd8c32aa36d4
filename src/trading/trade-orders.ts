// Orders of the house are given to the trader, and what it says is booked. Guarantees: that an
// order is sent is stored before the trader hears of it, and it is asked to place it once: from
// then on it is only asked what became of it; a part is booked once; an order ends when the
// exchange has no more to say of it, and only then what it did not fill is open again, also where a
// person gave the order up meanwhile.

import { doNoted } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, text } from '#db/table.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { RateBook } from '#rates/rate-book.ts';
import type { TraderClient } from '#trader/client.ts';
import type { OrderAnswer, OrderName } from '#trader/protocol.ts';
import { cancelOrder, noteFill, placeOrder } from '#treasury/act-on-order.ts';
import {
  findOrder,
  type HedgeOrder,
  listFills,
  listTradable,
  lockOrder,
  markAtExchange,
} from '#treasury/hedge-order.ts';
import { decideTraded, limitPrice } from './decide-traded.ts';

export type TradeApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly rates: RateBook;
};

export type Trading = {
  readonly client: TraderClient;
  readonly providers: readonly string[];
  readonly slippagePartsPerMillion: number;
};

const ACTOR = 'trader';
const ASK_AGAIN = { seconds: 30 };
/** The trader does not send it any more after so long. */
const HEARD_WITHIN = { seconds: 60 };
/** Of one that the trader never heard of: nothing of it is on its way any more. */
const LOST_AFTER = { minutes: 10 };
const MOST = 20;

/** One round over all that is due. Gives how many were asked about. */
export async function tradeOrders(app: TradeApp, trading: Trading): Promise<number> {
  await takeUp(app, trading);
  const since = app.clock.now().subtract(ASK_AGAIN);
  const due = await listDueTrades(app.db, since, MOST);
  for (const trade of due) await follow(app, trading, trade);
  return due.length;
}

/** Orders that policies reserved are placed; all that are placed are to be sent. */
async function takeUp(app: TradeApp, { providers }: Trading): Promise<void> {
  const orders = await listTradable(app.db, providers, MOST);
  for (const { id, state } of orders) {
    if (state !== 'RESERVED') continue;
    const act = { environment: 'live', actor: 'service', verb: 'treasury-place' } as const;
    const placed = { provider: undefined, actor: ACTOR, isByHand: false };
    await doNoted(app, { ...act, subject: `order:${id}` }, (within) =>
      placeOrder(within, id, placed),
    );
  }
  await app.db.transact(async (tx) =>
    addTrades(
      tx,
      orders.map(({ id }) => id),
    ),
  );
}

async function follow(app: TradeApp, trading: Trading, trade: HedgeTrade): Promise<void> {
  const order = await findOrder(app.db, trade.orderId);
  if (order === undefined) return;
  if (trade.state === 'WAITING') return send(app, trading, order, trade);
  const askedAt = app.clock.now();
  if (!(await claimTrade(app.db, trade, { ...trade, askedAt }))) return;
  const { client } = trading;
  const isGivenUp = order.state === 'CANCELLED';
  const answer = await (isGivenUp ? client.cancel(nameOf(order)) : client.look(nameOf(order)));
  if (answer.answer === 'order') return conclude(app, order, trade, answer);
  await tell(app, trade.orderId, 'SENT', answer.reason);
}

async function send(
  app: TradeApp,
  { client, slippagePartsPerMillion }: Trading,
  order: HedgeOrder,
  trade: HedgeTrade,
): Promise<void> {
  if (!isForTrader(order)) return tell(app, order.id, 'ENDED', undefined);
  const now = app.clock.now();
  const limit = limitPrice(app.rates, order, slippagePartsPerMillion, now);
  if (limit === undefined) return tell(app, order.id, 'WAITING', 'a current rate is missing');
  const sent = { ...trade, state: 'SENT' as const, limitPrice: limit, sentAt: now, askedAt: now };
  // A person may have given it up, filled a part of it or taken it over since it was read.
  const hold = async (tx: Tx) => {
    const locked = await lockOrder(tx, order.id);
    return locked !== undefined && isForTrader(locked) && locked.filledUnits === order.filledUnits;
  };
  const taken = (tx: Tx) => markAtExchange(tx, order.id, true);
  if (!(await claimTrade(app.db, trade, sent, { hold, taken }))) return;
  const { decimals } = getAsset(order.giveAssetId);
  const answer = await client.place({
    ...nameOf(order),
    giveAmount: amountToText(order.giveUnits - order.filledUnits, decimals),
    limit,
    notAfter: now.add(HEARD_WITHIN).toString(),
  });
  if (answer.answer === 'order') return conclude(app, order, sent, answer);
  const isUnsent = answer.answer === 'refused' || !answer.isHeard;
  await tell(app, order.id, isUnsent ? 'WAITING' : 'SENT', answer.reason);
}

function isForTrader({ state, isByHand }: HedgeOrder): boolean {
  return state === 'ORDERED' && !isByHand;
}

function nameOf({ provider, clientOrderId = '', giveAssetId, getAssetId }: HedgeOrder): OrderName {
  return { provider, clientOrderId, giveAssetId, getAssetId };
}

async function conclude(
  app: TradeApp,
  order: HedgeOrder,
  { sentAt }: HedgeTrade,
  { state, reason, fills, mayStillCome }: OrderAnswer,
): Promise<void> {
  const { parts, notes } = decideTraded(order, await listFills(app.db, order.id), fills);
  try {
    for (const part of parts) await noteFill(app, { ...part, orderId: order.id, actor: ACTOR });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    app.log.warn('a part of an order could not be booked', { order: order.id, error });
    return tell(app, order.id, 'SENT', error.message);
  }
  const told = [reason, ...notes].filter((one) => one !== undefined).join('; ') || undefined;
  const isLost =
    state === 'NOT_FOUND' &&
    !mayStillCome &&
    isBefore(sentAt, app.clock.now().subtract(LOST_AFTER));
  if (state === 'OPEN' || (state === 'NOT_FOUND' && !isLost)) {
    return tell(app, order.id, 'SENT', told ?? waitingText(state));
  }
  await giveUpRest(app, order.id, reason ?? 'the exchange filled no more of it within the limit');
  await tell(app, order.id, 'ENDED', told);
}

function waitingText(state: OrderAnswer['state']): string {
  return state === 'OPEN'
    ? 'the exchange may fill more of it'
    : 'the exchange does not know it; look there before you do anything';
}

async function giveUpRest(app: TradeApp, id: string, reason: string): Promise<void> {
  const order = await findOrder(app.db, id);
  if (order?.state === 'ORDERED') await cancelOrder(app, id, { actor: ACTOR, reason });
}

function isBefore(one: Temporal.Instant | undefined, other: Temporal.Instant): boolean {
  return one !== undefined && Temporal.Instant.compare(one, other) < 0;
}

function tell(
  app: TradeApp,
  orderId: string,
  state: HedgeTrade['state'],
  told: string | undefined,
): Promise<void> {
  return app.db.transact(async (tx) => {
    // The order first, as whoever gives it up does.
    if (state !== 'SENT') markAtExchange(tx, orderId, false);
    noteTrade(tx, orderId, { state, told });
  });
}

// What the trader was asked about an order, and the SQL of the table.
export const HEDGE_TRADE = defineTable('hedge_trade', {
  orderId: text(),
  state: text<'WAITING' | 'SENT' | 'ENDED'>(),
  /** Of what is bought for one of what is sold. */
  limitPrice: optional(text()),
  sentAt: optional(moment),
  askedAt: optional(moment),
  told: optional(text()),
});
export type HedgeTrade = Row<typeof HEDGE_TRADE>;

/** Those that are new. */
function addTrades(tx: Tx, orderIds: readonly string[]): void {
  if (orderIds.length === 0) return;
  const rows = orderIds.map((orderId) => ({
    ...{ orderId, state: 'WAITING' as const, limitPrice: undefined },
    ...{ sentAt: undefined, askedAt: undefined, told: undefined },
  }));
  tx.send(HEDGE_TRADE.insert(rows, sql`on conflict (order_id) do nothing`));
}

export function findTrade(reader: Reader, orderId: string): Promise<HedgeTrade | undefined> {
  return HEDGE_TRADE.find(reader, sql`where order_id = ${orderId}`);
}

/** Those under way that nobody asked about since then. */
function listDueTrades(
  reader: Reader,
  since: Temporal.Instant,
  most: number,
): Promise<HedgeTrade[]> {
  return HEDGE_TRADE.select(
    reader,
    sql`where state <> 'ENDED' and (asked_at is null or asked_at <= ${since})
      order by asked_at nulls first, order_id limit ${most}`,
  );
}

/** In the transaction that claims a trade: whether it may, and what else is written then. */
type Claiming = { hold(tx: Tx): Promise<boolean>; taken(tx: Tx): void };

/** False when another process asks about it, or `hold` is. */
function claimTrade(
  db: Db,
  before: HedgeTrade,
  after: HedgeTrade,
  claiming?: Claiming,
): Promise<boolean> {
  return db.transact(async (tx) => {
    if (claiming !== undefined && !(await claiming.hold(tx))) return false;
    const { state, limitPrice = null, sentAt = null, askedAt = null } = after;
    const rows = await tx.query(sql`
      update hedge_trade set state = ${state}, limit_price = ${limitPrice}, sent_at = ${sentAt},
        asked_at = ${askedAt}
      where order_id = ${before.orderId} and state = ${before.state}
        and asked_at is not distinct from ${before.askedAt ?? null}
      returning order_id`);
    if (rows.length !== 1) return false;
    claiming?.taken(tx);
    return true;
  });
}

function noteTrade(
  tx: Tx,
  orderId: string,
  { state, told }: Pick<HedgeTrade, 'state' | 'told'>,
): void {
  tx.send(sql`
    update hedge_trade set state = ${state}, told = ${told ?? null} where order_id = ${orderId}`);
}
