// What is done with an order of the house: reserved, given to a provider, filled in parts, given
// up. Guarantees: two orders never close the same part of the position; the same part of an order
// (a fill) is booked once, whoever enters it how often; entry, part and state are one transaction;
// the name by which the provider knows an order is stored before anybody can send it.
//
// Every provider is dealt with by these acts: a person calls them (`npx quittance treasury`), and
// the program that talks to exchanges does (src/trading). Lock order: the position, then the order,
// then ledger accounts.
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db, Tx } from '#db/db.ts';
import { accountsOf, type Entry, reverseEntries } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { closedByFill, shareOfPromise } from './decide-fill.ts';
import { fillEntry } from './hedge-entries.ts';
import {
  findFill,
  findOrder,
  HEDGE_FILL,
  HEDGE_ORDER,
  type HedgeFill,
  type HedgeOrder,
  lockOrder,
  markUndone,
  networkOfMarket,
  updateOrder,
} from './hedge-order.ts';
import { lockPosition, type OpenUnits, readUnreserved } from './open-position.ts';

type OrderApp = { readonly db: Db; readonly clock: Clock; readonly random: Random };

/** Who, and why. */
type Said = { readonly actor: string; readonly reason: string };

type OrderRequest = Said & {
  readonly environment: Environment;
  readonly provider: string;
  readonly giveAssetId: string;
  readonly giveUnits: bigint;
  readonly getAssetId: string;
  /** Undefined: its share of what was promised. */
  readonly closesUnits: bigint | undefined;
  /** Else the trader gives it to the provider. */
  readonly isByHand: boolean;
};

/**
 * Reserves a part of the position and names the order, so that it may be sent.
 * @throws Refusal conflict `position_too_small`, `share_unclear`.
 */
export async function orderHedge(app: OrderApp, request: OrderRequest): Promise<HedgeOrder> {
  const { closesUnits: wanted, ...rest } = request;
  return app.db.transact(async (tx) => {
    await lockPosition(tx);
    const closesUnits = decideCloses(await readUnreserved(tx, request.environment), request);
    const now = app.clock.now();
    const id = newId(app.random);
    const order: HedgeOrder = {
      ...rest,
      ...{ id, closesUnits, state: 'ORDERED', causeKey: undefined, reservedAt: now },
      ...{ clientOrderId: clientOrderId(id), orderedBy: request.actor, orderedAt: now },
      ...{ cancelledBy: undefined, cancelReason: undefined, endedAt: undefined },
      ...{ filledUnits: 0n, closedUnits: 0n, isAtExchange: false },
    };
    tx.send(HEDGE_ORDER.insert([order]));
    return order;
  });
}

/** Short enough for the field of every exchange we know of. */
function clientOrderId(id: string): string {
  return `qt${id}`;
}

function decideCloses(open: OpenUnits, request: OrderRequest): bigint {
  const { giveAssetId, giveUnits, getAssetId, closesUnits } = request;
  const taken = open.taken.get(giveAssetId) ?? 0n;
  const promised = open.promised.get(getAssetId) ?? 0n;
  if (giveUnits > taken) throw tooSmall(giveAssetId, 'open to be sold');
  if (promised <= 0n) throw tooSmall(getAssetId, 'promised and open');
  if (closesUnits === undefined && (open.taken.size > 1 || open.promised.size > 1)) {
    throw new Refusal('conflict', 'share_unclear', [
      'several assets are open on one side, so the share of this order is not known: say with ' +
        '--closes how much of what was promised it closes',
    ]);
  }
  const closes = closesUnits ?? shareOfPromise(giveUnits, taken, promised);
  if (closes > promised) throw tooSmall(getAssetId, 'promised and open');
  if (closes > 0n) return closes;
  throw new Refusal('conflict', 'position_too_small', ['the order would close nothing']);
}

function tooSmall(assetId: string, what: string): Refusal {
  return new Refusal('conflict', 'position_too_small', [
    `so much of ${assetId} is not ${what}: npx quittance treasury position shows what is, and ` +
      'what other orders close already',
  ]);
}

/**
 * Gives an order of a policy to its provider, or to another one. Repeating it answers the same.
 * @throws Refusal missing `order_missing`; conflict `order_ended`, `order_differs`.
 */
export function placeOrder(
  { db, clock }: Omit<OrderApp, 'random'>,
  id: string,
  {
    provider,
    actor,
    isByHand,
  }: {
    readonly provider: string | undefined;
    readonly actor: string;
    readonly isByHand: boolean;
  },
): Promise<HedgeOrder> {
  return db.transact(async (tx) => {
    const order = await requireOrder(tx, id);
    if (order.state === 'ORDERED') {
      if (provider === undefined || provider === order.provider) return order;
      throw new Refusal('conflict', 'order_differs', [`${id} was given to ${order.provider}`]);
    }
    if (order.state !== 'RESERVED') throw ended(order);
    const placed: HedgeOrder = {
      ...order,
      provider: provider ?? order.provider,
      isByHand,
      state: 'ORDERED',
      clientOrderId: clientOrderId(id),
      orderedBy: actor,
      orderedAt: clock.now(),
    };
    updateOrder(tx, placed);
    return placed;
  });
}

/**
 * Gives up what is not filled. Of one that is at the exchange its part of the position stays
 * counted until the exchange has said what it filled, or a person has looked (`isLooked`). What
 * was carried out before and is heard of afterwards can still be entered. Repeating it answers the
 * same.
 * @throws Refusal missing `order_missing`; conflict `order_ended`.
 */
export function cancelOrder(
  { db, clock }: Omit<OrderApp, 'random'>,
  id: string,
  { actor, reason, isLooked = false }: Said & { readonly isLooked?: boolean },
): Promise<HedgeOrder> {
  return db.transact(async (tx) => {
    const order = await requireOrder(tx, id);
    if (order.state === 'COMPLETED') throw ended(order);
    const isAtExchange = order.isAtExchange && !isLooked;
    const isKnown = order.state === 'CANCELLED';
    if (isKnown && isAtExchange === order.isAtExchange) return order;
    const said = { cancelledBy: actor, cancelReason: reason, endedAt: clock.now() };
    const cancelled: HedgeOrder = {
      ...{ ...order, ...(isKnown ? {} : said) },
      ...{ state: 'CANCELLED', isAtExchange },
    };
    updateOrder(tx, cancelled);
    return cancelled;
  });
}

type FillRequest = Pick<
  HedgeFill,
  'orderId' | 'fillId' | 'soldUnits' | 'gotUnits' | 'feeAssetId' | 'feeUnits' | 'actor'
>;

/**
 * On the word of a person or of the trader. Repeating it answers the same.
 * @throws Refusal missing `order_missing`; conflict `order_not_placed`, `fill_differs`,
 * `fill_undone`, `fill_too_large`, `position_too_small`, `fill_seen` of a market of a network.
 */
export async function noteFill(
  app: Omit<OrderApp, 'random'>,
  request: FillRequest,
): Promise<{ readonly order: HedgeOrder; readonly fill: HedgeFill }> {
  const known = await findOrder(app.db, request.orderId);
  if (known === undefined) throw missing(request.orderId);
  if (networkOfMarket(known.provider) !== undefined) {
    throw new Refusal('conflict', 'fill_seen', [
      `what ${known.provider} carries out is seen on the network, and booked by itself`,
    ]);
  }
  const largest = { ...blankFill(request, app.clock.now()), closedUnits: 1n };
  // Whether anything is gained is known under the lock: all accounts are made beforehand.
  const accounts = accountsOf([fillEntry(known, { ...largest, gotUnits: 2n }, largest.bookedAt)]);
  await ensureAccounts(app.db, accounts);
  return app.db.transact(async (tx) => {
    const { order, fill, entries } = await fillWithin(tx, request, app.clock.now());
    postEntries(tx, entries);
    return { order, fill };
  });
}

/**
 * The same in a transaction that does more; whoever calls posts the entries, of which there are
 * none of a part that is booked already. @throws Refusal before anything is written, as `noteFill`.
 */
export async function fillWithin(
  tx: Tx,
  request: FillRequest,
  now: Temporal.Instant,
): Promise<{
  readonly order: HedgeOrder;
  readonly fill: HedgeFill;
  readonly entries: readonly Entry[];
}> {
  await lockPosition(tx);
  const order = await requireOrder(tx, request.orderId);
  const before = await findFill(tx, request);
  if (before !== undefined) return { order, fill: requireSame(before, request), entries: [] };
  await requireRoom(tx, order, request.soldUnits);
  const closedUnits = closedByFill(order, request.soldUnits);
  const fill: HedgeFill = { ...blankFill(request, now), closedUnits };
  const filled = afterFill(order, fill, now);
  tx.send(HEDGE_FILL.insert([fill]));
  updateOrder(tx, filled);
  return { order: filled, fill, entries: [fillEntry(order, fill, now)] };
}

function blankFill(request: FillRequest, bookedAt: Temporal.Instant): HedgeFill {
  const undone = { undoneBy: undefined, undoneReason: undefined, undoneAt: undefined };
  return { ...request, closedUnits: 0n, bookedAt, ...undone };
}

function afterFill(order: HedgeOrder, fill: HedgeFill, now: Temporal.Instant): HedgeOrder {
  const filledUnits = order.filledUnits + fill.soldUnits;
  const closedUnits = order.closedUnits + fill.closedUnits;
  const isComplete = filledUnits === order.giveUnits;
  const end = isComplete ? { state: 'COMPLETED' as const, endedAt: order.endedAt ?? now } : {};
  return { ...order, filledUnits, closedUnits, ...end };
}

function requireSame(before: HedgeFill, request: FillRequest): HedgeFill {
  const isSame =
    before.soldUnits === request.soldUnits &&
    before.gotUnits === request.gotUnits &&
    before.feeAssetId === request.feeAssetId &&
    before.feeUnits === request.feeUnits;
  const { fillId } = request;
  if (before.undoneAt !== undefined) {
    throw new Refusal('conflict', 'fill_undone', [
      `${fillId} was taken back: enter it under another name`,
    ]);
  }
  if (isSame) return before;
  throw new Refusal('conflict', 'fill_differs', [
    `${fillId} is booked already with other amounts: take it back first (treasury unfill)`,
  ]);
}

/** The part of a cancelled order may be reserved by another one since. */
async function requireRoom(tx: Tx, order: HedgeOrder, soldUnits: bigint): Promise<void> {
  if (order.state === 'RESERVED') {
    throw new Refusal('conflict', 'order_not_placed', [
      `${order.id} was not given to a provider: npx quittance treasury place ${order.id}`,
    ]);
  }
  if (soldUnits > order.giveUnits - order.filledUnits) {
    throw new Refusal('conflict', 'fill_too_large', [
      `${order.id} has less left to sell than this part sold`,
    ]);
  }
  if (order.state !== 'CANCELLED' || order.isAtExchange) return;
  const open = await readUnreserved(tx, order.environment);
  const closes = closedByFill(order, soldUnits);
  if (soldUnits > (open.taken.get(order.giveAssetId) ?? 0n)) {
    throw tooSmall(order.giveAssetId, 'open to be sold');
  }
  if (closes > (open.promised.get(order.getAssetId) ?? 0n)) {
    throw tooSmall(order.getAssetId, 'promised and open');
  }
}

/**
 * A part was entered wrongly: its entry is reversed, and what it had closed is open again.
 * Repeating it answers the same.
 * @throws Refusal missing `order_missing`, `fill_missing`.
 */
export function undoFill(
  { db, clock }: Omit<OrderApp, 'random'>,
  name: Pick<HedgeFill, 'orderId' | 'fillId'>,
  said: Said,
): Promise<HedgeOrder> {
  return db.transact((tx) => undoFillWithin(tx, name, said, clock.now()));
}

/** The same in a transaction that does more. */
export async function undoFillWithin(
  tx: Tx,
  name: Pick<HedgeFill, 'orderId' | 'fillId'>,
  said: Said,
  now: Temporal.Instant,
): Promise<HedgeOrder> {
  const order = await requireOrder(tx, name.orderId);
  const fill = await findFill(tx, name);
  if (fill === undefined) {
    throw new Refusal('missing', 'fill_missing', [`${name.fillId}: ${order.id} has no such part`]);
  }
  if (fill.undoneAt !== undefined) return order;
  const undone: HedgeOrder = {
    ...order,
    filledUnits: order.filledUnits - fill.soldUnits,
    closedUnits: order.closedUnits - fill.closedUnits,
    ...(order.state === 'COMPLETED' ? { state: 'ORDERED' as const, endedAt: undefined } : {}),
  };
  markUndone(tx, fill, said, now);
  updateOrder(tx, undone);
  const evidence = JSON.stringify({ by: said.actor, reason: said.reason });
  const reversal = { kind: 'hedge-fill-undone', cause: 'reverse', occurredAt: now, evidence };
  const [entry] = reverseEntries([fillEntry(order, fill, now)], reversal);
  if (entry !== undefined) {
    postEntries(tx, [{ ...entry, causeKey: `reverse:${entry.correctsCauseKey}` }]);
  }
  return undone;
}

async function requireOrder(tx: Tx, id: string): Promise<HedgeOrder> {
  const order = await lockOrder(tx, id);
  if (order === undefined) throw missing(id);
  return order;
}

function missing(id: string): Refusal {
  return new Refusal('missing', 'order_missing', [
    `${id}: no such order of npx quittance treasury list`,
  ]);
}

function ended({ id, state }: HedgeOrder): Refusal {
  return new Refusal('conflict', 'order_ended', [`${id} is ${state}`]);
}
