// Money is moved to a provider of conversions or back, on the word of a person: it left, it
// arrived. Guarantees: the same transaction is booked once, and arrives once. The other side is the
// account of what is held elsewhere (`outside:<NETWORK>`): what leaves our own addresses for a
// provider is seen by the watcher and explained as OUTSIDE (`npx quittance custody explain`).
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { accountsOf } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { arrivedEntry, sentEntry, tradeEntry } from './hedge-entries.ts';
import {
  findMove,
  lockMove,
  markArrived,
  PROVIDER_MOVE,
  type ProviderMove,
} from './provider-move.ts';
import { PROVIDER_TRADE, type ProviderTrade } from './provider-trade.ts';

export type { ProviderTrade };

type MoveApp = { readonly db: Db; readonly clock: Clock; readonly random: Random };

type SentRequest = Pick<
  ProviderMove,
  | 'environment'
  | 'provider'
  | 'direction'
  | 'network'
  | 'assetId'
  | 'units'
  | 'reference'
  | 'actor'
  | 'reason'
>;

/** Repeating it answers the same. @throws Refusal conflict `move_differs` of a known reference. */
export async function noteMove(app: MoveApp, request: SentRequest): Promise<ProviderMove> {
  const draft = { ...request, id: newId(app.random), sentAt: app.clock.now() };
  const drafted: ProviderMove = {
    ...draft,
    ...{ arrivedUnits: undefined, arrivedBy: undefined, arrivedAt: undefined },
  };
  const entry = sentEntry(drafted);
  await ensureAccounts(app.db, accountsOf([entry, arrivedEntry(drafted, 1n, draft.sentAt)]));
  return app.db.transact(async (tx) => {
    const inserted = await tx.query(
      PROVIDER_MOVE.insert(
        [draft],
        sql`on conflict (environment, provider, reference) do nothing returning id`,
      ),
    );
    if (inserted.length > 0) {
      postEntries(tx, [entry]);
      return drafted;
    }
    const known = await findMove(tx, request);
    assert(known !== undefined, 'what is in conflict is there');
    const isSame =
      known.direction === request.direction &&
      known.network === request.network &&
      known.assetId === request.assetId &&
      known.units === request.units;
    if (isSame) return known;
    throw new Refusal('conflict', 'move_differs', [
      `${request.reference} is known as ${known.id} with another amount, asset, network or direction`,
    ]);
  });
}

/**
 * `amount`: in whole coins; undefined when all of it arrived. Repeating it answers the same.
 * @throws Refusal missing `move_missing`; invalid `amount_invalid`; conflict `move_differs`.
 */
export async function noteArrival(
  app: Omit<MoveApp, 'random'>,
  id: string,
  arrival: { readonly amount: string | undefined; readonly actor: string },
): Promise<ProviderMove> {
  return app.db.transact(async (tx) => {
    const move = await lockMove(tx, id);
    if (move === undefined) {
      throw new Refusal('missing', 'move_missing', [`${id}: no such move of money`]);
    }
    const arrivedUnits = decideArrived(move, arrival.amount);
    if (move.arrivedAt !== undefined) {
      if (move.arrivedUnits === arrivedUnits) return move;
      throw new Refusal('conflict', 'move_differs', [`${id} arrived already, with another amount`]);
    }
    const now = app.clock.now();
    const arrived = { ...move, arrivedUnits, arrivedBy: arrival.actor, arrivedAt: now };
    markArrived(tx, arrived);
    postEntries(tx, [arrivedEntry(move, arrivedUnits, now)]);
    return arrived;
  });
}

function decideArrived(move: ProviderMove, amount: string | undefined): bigint {
  if (amount === undefined) return move.arrivedUnits ?? move.units;
  const units = amountFromText(amount, getAsset(move.assetId).decimals);
  if (units !== undefined && units <= move.units) return units;
  throw new Refusal('invalid', 'amount_invalid', [
    `${amount}: must be an amount of ${move.assetId}, and no more than was sent`,
  ]);
}

/**
 * What was traded there without an order, on the word of a person. `within`: in its transaction,
 * once it is known to be new. @throws Refusal conflict `trade_explained`
 */
export async function noteTrade(
  app: MoveApp,
  request: Omit<ProviderTrade, 'id' | 'bookedAt'>,
  within: (tx: Tx) => Promise<void>,
): Promise<ProviderTrade> {
  const trade: ProviderTrade = { ...request, id: newId(app.random), bookedAt: app.clock.now() };
  const entry = tradeEntry(trade);
  await ensureAccounts(app.db, accountsOf([entry]));
  return app.db.transact(async (tx) => {
    const inserted = await tx.query(
      PROVIDER_TRADE.insert(
        [trade],
        sql`on conflict (environment, provider, symbol, trade_id) do nothing returning id`,
      ),
    );
    if (inserted.length === 0) {
      const { tradeId, symbol } = trade;
      throw new Refusal('conflict', 'trade_explained', [
        `${tradeId} in ${symbol} is booked already`,
      ]);
    }
    await within(tx);
    postEntries(tx, [entry]);
    return trade;
  });
}
