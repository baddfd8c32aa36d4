// An order of the house becomes a transaction at the market of its network, for the signer, or for
// a person to sign and send: from our account to our account, so much is sold, and at least so much
// is bought or nothing happens. Guarantees: it is stored before anybody has it, and so is that the
// order may be filled by it; nothing else has its sequence number, for the market or for a
// transfer, that may land too.
// Not guaranteed: that it lands. What left and came is seen by the watcher and booked as it was
// (custody/settle-departures.ts).
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf, environmentOf, networkOf } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { DraftedPayment } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { parseWideDecimal } from '#money/decimal.ts';
import type { RateBook } from '#rates/rate-book.ts';
import { listEnded, reserveTurn } from '#sending/release-attempts.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { limitPrice } from '#trading/decide-traded.ts';
import {
  findOrder,
  type HedgeOrder,
  lockOrder,
  markAtExchange,
  networkOfMarket,
} from '#treasury/hedge-order.ts';
import { leastUnits } from './decide-least.ts';
import { findOpenDraft, freeingText, MARKET_DRAFT } from './market-draft.ts';

type DraftApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateBook;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'draft' | 'sender'>>;
};

type Wish = {
  readonly orderId: string;
  readonly actor: string;
  /** Below our own price at most. */
  readonly slippagePartsPerMillion: number;
  /** Whether the signer is asked, and nobody is given anything. */
  readonly isBySigner?: boolean;
};

type DraftedConversion = {
  readonly order: HedgeOrder;
  readonly leastUnits: bigint;
  readonly drafted: DraftedPayment;
};

/**
 * @throws Refusal missing `order_missing`; conflict `order_elsewhere`, `order_ended`, `draft_open`,
 * `draft_refused` with what stands against it; unavailable `rate_missing`, `network_missing`.
 * @throws Outage
 */
export async function draftConversion(app: DraftApp, wish: Wish): Promise<DraftedConversion> {
  const order = requireDraftable(await findOrder(app.db, wish.orderId), wish.orderId);
  const chain = chainOf(order.environment, networkOfMarket(order.provider) ?? '');
  await requireNoDraft(app, chain);
  const { giveAssetId, getAssetId } = order;
  const units = order.giveUnits - order.filledUnits;
  const now = app.clock.now();
  const price = limitPrice(app.rates, order, wish.slippagePartsPerMillion, now);
  if (price === undefined) {
    throw new Refusal('unavailable', 'rate_missing', 'a current rate of the two is missing');
  }
  const least = leastUnits(giveAssetId, units, getAssetId, parseWideDecimal(price));
  const drafted = await draftAt(app, chain, {
    ...{ transferId: order.id, account: {}, assetId: giveAssetId, units },
    exchange: { assetId: getAssetId, leastUnits: least },
  });
  const { terms, spends, until = '' } = drafted;
  const ended = await listEnded(app, chain, spends);
  const draft = {
    ...{ orderId: order.id, chain, units, leastUnits: least, terms, actor: wish.actor },
    ...{ draftedAt: now, landsUntil: Temporal.Instant.from(until) },
  };
  await app.db.transact(async (tx) => {
    const locked = requireDraftable(await lockOrder(tx, order.id), order.id);
    if (locked.filledUnits !== order.filledUnits) throw openDraft('it was filled meanwhile');
    const another = await findOpenDraft(tx, chain);
    if (another !== undefined) throw openDraft(`${another.orderId} was drafted a moment ago`);
    const asks =
      wish.isBySigner === true ? askFor(order, chain, { drafted, units, least }) : undefined;
    const reserving = { chain, kind: 'CONVERSION', ended, asks } as const;
    const attemptId = await reserveTurn(tx, reserving, drafted, now);
    markAtExchange(tx, order.id, true);
    tx.send(MARKET_DRAFT.insert([{ ...draft, attemptId }]));
    noteAct(tx, {
      ...{ environment: order.environment, actor: wish.actor, actedAt: now },
      ...{ verb: 'treasury-draft', subject: `order:${order.id}` },
      details: { sells: `${units}`, least: `${least}`, until },
    });
  });
  return { order: { ...order, isAtExchange: true }, leastUnits: least, drafted };
}

type Made = {
  readonly drafted: DraftedPayment;
  readonly units: bigint;
  readonly least: bigint;
};

/**
 * Another order for the signer at each draft: one that ended may be drafted again for less, at
 * another price. What each of them gives counts in its caps.
 */
function askFor(
  { id, giveAssetId, getAssetId }: HedgeOrder,
  chain: ChainId,
  { drafted, units, least }: Made,
): SignOrder {
  const { from: source, sequence, feeUnits, text: unsigned, until = '' } = drafted;
  const ends = Temporal.Instant.from(until).epochMilliseconds / 1_000;
  return {
    id: `${id}.${Math.floor(ends)}`,
    ...{ environment: environmentOf(chain), network: networkOf(chain), kind: 'CONVERT' },
    payments: [{ assetId: giveAssetId, units, account: { account: source } }],
    buys: { assetId: getAssetId, leastUnits: least },
    ...{ feeUnits, facts: { source, sequence }, unsigned },
  };
}

function requireDraftable(order: HedgeOrder | undefined, id: string): HedgeOrder {
  if (order === undefined) {
    throw new Refusal('missing', 'order_missing', [
      `${id}: no such order of npx quittance treasury list`,
    ]);
  }
  if (networkOfMarket(order.provider) === undefined) {
    throw new Refusal('conflict', 'order_elsewhere', [
      `${id} is at ${order.provider}, which is no market of a network: enter it there`,
    ]);
  }
  if (order.state === 'ORDERED') return order;
  const hint = order.state === 'RESERVED' ? `: npx quittance treasury place ${id}` : '';
  throw new Refusal('conflict', 'order_ended', [`${id} is ${order.state}${hint}`]);
}

async function requireNoDraft({ db }: DraftApp, chain: ChainId): Promise<void> {
  const open = await findOpenDraft(db, chain);
  if (open === undefined) return;
  const { orderId, landsUntil, heldUp } = open;
  const held = heldUp === undefined ? '' : ` (${heldUp}: ${freeingText(open)})`;
  throw openDraft(`what was drafted for ${orderId} can land until ${landsUntil}${held}`);
}

function openDraft(sentence: string): Refusal {
  return new Refusal('conflict', 'draft_open', [`${sentence}: draft it again when that is over`]);
}

async function draftAt(
  { networks }: DraftApp,
  chain: ChainId,
  payment: Parameters<NonNullable<Watcher['draft']>>[0]['payments'][number],
): Promise<DraftedPayment> {
  const network = networks.get(chain);
  if (network?.draft === undefined) {
    throw new Refusal('unavailable', 'network_missing', `${chain} is not connected here`);
  }
  const none = { unspent: [], taken: new Set<string>(), feeRate: undefined, from: undefined };
  const drafted = await network.draft({ ...none, payments: [payment], replaces: undefined });
  if (drafted.format === 'transaction' && drafted.until !== undefined) return drafted;
  throw new Refusal('conflict', 'draft_refused', `nothing is converted on ${chain}`);
}
