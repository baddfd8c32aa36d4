// What was converted at the market of a network, from our account to our account, and carries out
// an order of the house: filled with what really left and really came, as the network shows it. The
// network's fee is booked with the rest of the departure. What fits no order stays unexplained.
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { environmentOf, networkOf } from '#catalog/chain.ts';
import { decidePart, type RecordedDeparture, type RecordedPart } from '#chain/departure.ts';
import type { Tx } from '#db/db.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import { endDraft } from '#market/market-draft.ts';
import { fillWithin, undoFillWithin } from '#treasury/act-on-order.ts';
import { findMarketOrder, markAtExchange, STELLAR_DEX } from '#treasury/hedge-order.ts';

const ACTOR = 'watcher';

type Booked = {
  readonly parts: readonly RecordedPart[];
  readonly entries: readonly Entry[];
};

/** Its parts as they are then, and what is to be posted. */
export async function bookConversions(
  log: Log,
  tx: Tx,
  departure: RecordedDeparture,
  now: Temporal.Instant,
): Promise<Booked> {
  const parts: RecordedPart[] = [];
  const entries: Entry[] = [];
  for (const part of departure.parts) {
    const booked = await bookOne(log, tx, { departure, part, now });
    parts.push(booked?.part ?? part);
    entries.push(...(booked?.entries ?? []));
  }
  return { parts, entries };
}

type Facts = {
  readonly departure: RecordedDeparture;
  readonly part: RecordedPart;
  readonly now: Temporal.Instant;
};

async function bookOne(log: Log, tx: Tx, { departure, part, now }: Facts) {
  const { assetId, units, gotAssetId, gotUnits } = part;
  if (part.purpose !== undefined || gotAssetId === undefined || gotUnits === undefined) {
    return undefined;
  }
  const { chain } = departure;
  if (networkOf(chain) !== 'STELLAR') return undefined;
  const found = await findMarketOrder(tx, {
    ...{ environment: environmentOf(chain), provider: STELLAR_DEX },
    ...{ giveAssetId: assetId, giveUnits: units, getAssetId: gotAssetId },
  });
  if (found === undefined) return undefined;
  try {
    const { entries } = await fillWithin(
      tx,
      {
        ...{ orderId: found.id, fillId: fillName(departure, part), actor: ACTOR },
        ...{ soldUnits: units, gotUnits, feeAssetId: undefined, feeUnits: undefined },
      },
      now,
    );
    decidePart(tx, part, { purpose: 'CONVERSION', orderId: found.id }, now);
    await endDraft(tx, found.id, 'LANDED', now);
    markAtExchange(tx, found.id, false);
    return {
      part: { ...part, purpose: 'CONVERSION' as const, orderId: found.id },
      entries,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log.warn('what was converted could not be booked as its order', { order: found.id, error });
    return undefined;
  }
}

/** The operation; with a number where it was booked before and a reorganisation undid that. */
function fillName({ undoneCount }: RecordedDeparture, { creditKey }: RecordedPart): string {
  const [operation = ''] = creditKey.split('/');
  return undoneCount === 0 ? operation : `${operation}-${undoneCount + 1}`;
}

/** A reorganisation undid it: what it had closed is open again. */
export async function undoConversions(
  tx: Tx,
  departure: RecordedDeparture,
  now: Temporal.Instant,
): Promise<void> {
  for (const part of departure.parts) {
    if (part.purpose !== 'CONVERSION' || part.orderId === undefined) continue;
    const name = { orderId: part.orderId, fillId: fillName(departure, part) };
    const reason = `a reorganisation undid ${departure.transaction}`;
    await undoFillWithin(tx, name, { actor: ACTOR, reason }, now);
    markAtExchange(tx, part.orderId, true);
    decidePart(tx, part, { purpose: undefined }, now);
  }
}
