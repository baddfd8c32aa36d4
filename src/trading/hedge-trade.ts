// What the trader was asked about an order, and the SQL of the table.
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, text } from '#db/table.ts';

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
export function addTrades(tx: Tx, orderIds: readonly string[]): void {
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
export function listDueTrades(
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
export function claimTrade(
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

export function noteTrade(
  tx: Tx,
  orderId: string,
  { state, told }: Pick<HedgeTrade, 'state' | 'told'>,
): void {
  tx.send(sql`
    update hedge_trade set state = ${state}, told = ${told ?? null} where order_id = ${orderId}`);
}
