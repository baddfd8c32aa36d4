// An order of the house that closes a part of what conversions left open, its parts that were
// carried out, and the SQL of both tables.
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import {
  defineTable,
  flag,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';
import { listTradesAt, type ProviderTrade } from './provider-trade.ts';

export const HEDGE_ORDER = defineTable('hedge_order', {
  id: text(),
  environment: text<Environment>(),
  provider: text(),
  giveAssetId: text(),
  giveUnits: units,
  getAssetId: text(),
  /** Of what was promised in the bought asset. */
  closesUnits: units,
  state: text<'RESERVED' | 'ORDERED' | 'COMPLETED' | 'CANCELLED'>(),
  /** Of the entry that converted, where a policy hedges at once. */
  causeKey: optional(text()),
  /** Stored before the order is sent, so that a provider never gets it twice. */
  clientOrderId: optional(text()),
  /** Whether a person gives it to the provider; else the trader does. */
  isByHand: flag,
  /** Sent by the trader, and not known yet what became of it: its part of the position counts. */
  isAtExchange: selectOnly(flag),
  filledUnits: selectOnly(units),
  closedUnits: selectOnly(units),
  actor: text(),
  reason: text(),
  reservedAt: moment,
  orderedBy: optional(text()),
  orderedAt: optional(moment),
  cancelledBy: selectOnly(optional(text())),
  cancelReason: selectOnly(optional(text())),
  endedAt: selectOnly(optional(moment)),
});
export type HedgeOrder = Row<typeof HEDGE_ORDER>;

export const HEDGE_FILL = defineTable('hedge_fill', {
  orderId: text(),
  fillId: text(),
  soldUnits: units,
  gotUnits: units,
  closedUnits: units,
  feeAssetId: optional(text()),
  feeUnits: optional(units),
  actor: text(),
  bookedAt: moment,
  undoneBy: selectOnly(optional(text())),
  undoneReason: selectOnly(optional(text())),
  undoneAt: selectOnly(optional(moment)),
});
export type HedgeFill = Row<typeof HEDGE_FILL>;

/** The market of Stellar itself, where we trade with what lies at our own account. */
export const STELLAR_DEX = 'stellar-dex';

/** Of a provider that is a market of a network: nothing has to be brought there, or home. */
export function networkOfMarket(provider: string): 'STELLAR' | undefined {
  return provider === STELLAR_DEX ? 'STELLAR' : undefined;
}

/** Given to that market, what of it is not filled yet sells exactly so much, the oldest first. */
export async function findMarketOrder(
  reader: Reader,
  wanted: Pick<HedgeOrder, 'environment' | 'provider' | 'giveAssetId' | 'getAssetId'> & {
    readonly giveUnits: bigint;
  },
): Promise<HedgeOrder | undefined> {
  const { environment, provider, giveAssetId, getAssetId, giveUnits } = wanted;
  return HEDGE_ORDER.find(
    reader,
    sql`where environment = ${environment} and provider = ${provider}
      and give_asset_id = ${giveAssetId} and get_asset_id = ${getAssetId}
      and give_units - filled_units = ${giveUnits}
      and (state = 'ORDERED' or is_at_exchange) order by is_at_exchange desc, ordered_at, id limit 1`,
  );
}

export function lockOrder(tx: Tx, id: string): Promise<HedgeOrder | undefined> {
  return HEDGE_ORDER.find(tx, sql`where id = ${id} for no key update`);
}

export function findOrder(reader: Reader, id: string): Promise<HedgeOrder | undefined> {
  return HEDGE_ORDER.find(reader, sql`where id = ${id}`);
}

/** Whose rest no other order may close: what was given up may be filled where it was sent. */
export const IS_COUNTED = sql`(state in ('RESERVED', 'ORDERED') or is_at_exchange)`;

/** Newest first; of those that are under way all that there are, where `isOpen`. */
export function listOrders(
  reader: Reader,
  environment: Environment,
  { isOpen, most }: { readonly isOpen: boolean; readonly most: number },
): Promise<HedgeOrder[]> {
  return HEDGE_ORDER.select(
    reader,
    sql`where environment = ${environment}
      and (not ${isOpen} or ${IS_COUNTED})
      order by reserved_at desc, id limit ${most}`,
  );
}

/** Live ones for the trader that a program is to give to these providers, oldest first. */
export function listTradable(
  reader: Reader,
  providers: readonly string[],
  most: number,
): Promise<HedgeOrder[]> {
  return HEDGE_ORDER.select(
    reader,
    sql`where environment = 'live' and provider = any(${providers})
      and (state = 'RESERVED' or (state = 'ORDERED' and not is_by_hand))
      order by reserved_at, id limit ${most}`,
  );
}

export function findFill(
  reader: Reader,
  { orderId, fillId }: Pick<HedgeFill, 'orderId' | 'fillId'>,
): Promise<HedgeFill | undefined> {
  return HEDGE_FILL.find(reader, sql`where order_id = ${orderId} and fill_id = ${fillId}`);
}

export function listFills(reader: Reader, orderId: string): Promise<HedgeFill[]> {
  return HEDGE_FILL.select(reader, sql`where order_id = ${orderId} order by booked_at, fill_id`);
}

/**
 * All that were ever given to this provider, their parts that were not taken back, and what was
 * traded there without one.
 */
export async function listOrdersAt(
  reader: Reader,
  environment: Environment,
  provider: string,
): Promise<{
  readonly orders: readonly HedgeOrder[];
  readonly fills: readonly HedgeFill[];
  readonly trades: readonly ProviderTrade[];
}> {
  const [orders, fills, trades] = await Promise.all([
    HEDGE_ORDER.select(
      reader,
      sql`where environment = ${environment} and provider = ${provider}
        and state <> 'RESERVED' order by reserved_at, id`,
    ),
    HEDGE_FILL.select(
      reader,
      sql`where undone_at is null and order_id in (select id from hedge_order
        where environment = ${environment} and provider = ${provider}) order by order_id, fill_id`,
    ),
    listTradesAt(reader, environment, provider),
  ]);
  return { orders, fills, trades };
}

/** Writes what acts change of an order. */
export function updateOrder(tx: Tx, order: HedgeOrder): void {
  const { id, state, provider, isByHand, isAtExchange, filledUnits, closedUnits } = order;
  const { clientOrderId = null, orderedBy = null, orderedAt = null } = order;
  const { cancelledBy = null, cancelReason = null, endedAt = null } = order;
  tx.send(sql`
    update hedge_order set state = ${state}, provider = ${provider}, is_by_hand = ${isByHand},
      is_at_exchange = ${isAtExchange},
      client_order_id = ${clientOrderId}, ordered_by = ${orderedBy}, ordered_at = ${orderedAt},
      cancelled_by = ${cancelledBy}, cancel_reason = ${cancelReason}, ended_at = ${endedAt},
      filled_units = ${filledUnits}, closed_units = ${closedUnits}
    where id = ${id}`);
}

export function markUndone(
  tx: Tx,
  { orderId, fillId }: HedgeFill,
  { actor, reason }: { readonly actor: string; readonly reason: string },
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update hedge_fill set undone_by = ${actor}, undone_reason = ${reason}, undone_at = ${now}
    where order_id = ${orderId} and fill_id = ${fillId}`);
}

/** Written in the transaction that lets it be sent, or that knows what became of it. */
export function markAtExchange(tx: Tx, id: string, isAtExchange: boolean): void {
  tx.send(sql`update hedge_order set is_at_exchange = ${isAtExchange} where id = ${id}`);
}

/** What orders under way still have to sell and to close, by asset. */
export function listReservedUnits(
  reader: Reader,
  environment: Environment,
): Promise<
  { readonly side: 'give' | 'close'; readonly assetId: string; readonly units: bigint }[]
> {
  return reader.query(sql`
    select 'give' as side, give_asset_id as "assetId", sum(give_units - filled_units) as units
    from hedge_order where environment = ${environment} and ${IS_COUNTED}
    group by give_asset_id
    union all
    select 'close', get_asset_id, sum(closes_units - closed_units)
    from hedge_order where environment = ${environment} and ${IS_COUNTED}
    group by get_asset_id`);
}
