// A departure that was booked and is in no block any more: a reorganisation undid it. Its entries
// are reversed, the transfers that it carried are on their way again, by the same transaction, and
// what it had proven to be over can land again. Transfers that failed by that proof (cancelled, and
// the replacement that pays us back had landed) are reserved once more, until the network shows
// which of both lands. It is booked anew, with whatever fee it then costs, when it or what takes
// its place is deep enough. All of it in one transaction, once.
// Not undone: what came back after it had arrived, where a bank takes both out of a statement.
import { assert } from '#base/assert.ts';
import type { Log } from '#base/log.ts';
import { lockDeparture, markUnbooked, type RecordedDeparture } from '#chain/departure.ts';
import type { Tx } from '#db/db.ts';
import { type Entry, reverseEntries } from '#ledger/ledger-entry.ts';
import { postEntries } from '#ledger/post-entry.ts';
import { listOverBy, reviveAttempts } from '#sending/attempt.ts';
import { cancelAgain } from '#sending/carry-out-acts.ts';
import { listAlive } from '#sending/release-attempts.ts';
import { requireAccounts, transactWithAccounts } from '#settle/settle.ts';
import { type ConcludeTransferApp, reopenTransfer } from '#transfer/conclude-transfer.ts';
import { listTransfersByIds } from '#transfer/transfer.ts';
import { undoConversions } from './book-conversions.ts';
import { departureEntries } from './custody-entries.ts';
import { carriedBy, restOfFee } from './decide-parts.ts';

export type UndoBookingApp = ConcludeTransferApp & { readonly log: Log };

/**
 * How many transfers are open again. Nothing is done of one that is in a block, or of which nothing
 * is booked and by which nothing failed.
 */
export async function undoBooking(app: UndoBookingApp, seen: RecordedDeparture): Promise<number> {
  const isBooked = seen.bookedAt !== undefined || carriedBy(seen).length > 0;
  if (!isBooked && (await listOverBy(app.db, seen)).length === 0) return 0;
  const undone = await transactWithAccounts(app.db, async (tx) => {
    const departure = await lockDeparture(tx, seen.id);
    if (departure === undefined || departure.status === 'INCLUDED') return [];
    const now = app.clock.now();
    const landed = await reopenLanded(app, tx, departure, now);
    const failed = await reopenFailed(app, tx, departure, now);
    const reopened = [...landed.transfers, ...failed.transfers];
    const booked = [...landed.booked, ...failed.booked];
    if (booked.length === 0 && !landed.isUndone) return [];
    reviveAttempts(tx, departure);
    const { chain, transaction } = departure;
    const evidence = JSON.stringify({ transaction });
    const reversal = { cause: 'reorganisation', kind: 'sending-reversal', evidence };
    const entries = reverseEntries(booked, { ...reversal, occurredAt: now });
    requireAccounts(app.db, entries);
    postEntries(tx, entries);
    const told = { chain, transaction, transfers: reopened };
    app.log.warn('what had left was undone by a reorganisation', told);
    return reopened;
  });
  return undone.length;
}

type Reopened = { readonly transfers: readonly string[]; readonly booked: readonly Entry[] };

/** What it carried, and what of itself was booked. */
async function reopenLanded(
  app: UndoBookingApp,
  tx: Tx,
  departure: RecordedDeparture,
  now: Temporal.Instant,
): Promise<Reopened & { readonly isUndone: boolean }> {
  const { transaction } = departure;
  const carried = await listTransfersByIds(tx, carriedBy(departure));
  const landed = carried.filter(({ state }) => state === 'COMPLETED');
  const isBooked = departure.bookedAt !== undefined;
  const isUndone = isBooked ? landed.length === carried.length : landed.length > 0;
  if (!isUndone) return { isUndone, transfers: [], booked: [] };
  const booked: Entry[] = [];
  for (const transfer of landed) {
    const entry = await reopenTransfer(app, tx, transfer, { transaction, undoneAt: now });
    assert(entry !== undefined, `transfer ${transfer.id} was COMPLETED a moment ago`);
    // It had been paid before the cancellation could land, which may land now.
    await cancelAgain(tx, { transferId: transfer.id }, now);
    booked.push(entry);
  }
  // Its transfers are completed one by one before the rest of it is booked.
  if (isBooked) {
    await undoConversions(tx, departure, now);
    const restUnits = restOfFee(departure, carried);
    booked.push(...departureEntries(departure, restUnits, now));
    markUnbooked(tx, departure, restUnits, now);
  }
  return { isUndone, transfers: landed.map(({ id }) => id), booked };
}

/** What had failed because this was final, and may be paid now by what was signed for it. */
async function reopenFailed(
  app: UndoBookingApp,
  tx: Tx,
  departure: RecordedDeparture,
  now: Temporal.Instant,
): Promise<Reopened> {
  const { transaction } = departure;
  const transfers: string[] = [];
  const booked: Entry[] = [];
  for (const [id, attempt] of await listAlive(tx, departure)) {
    const [failed] = await listTransfersByIds(tx, [id]);
    if (failed?.state !== 'FAILED') continue;
    const undone = { transaction, signed: attempt.transaction, undoneAt: now };
    const entry = await reopenTransfer(app, tx, failed, undone);
    if (entry === undefined) {
      const told = { transferId: id, transaction: attempt.transaction };
      app.log.error('what was cancelled may land, and its money was used otherwise', told);
      continue;
    }
    const { failure } = failed;
    await cancelAgain(tx, { transferId: id, failed: { attemptId: attempt.id, failure } }, now);
    transfers.push(id);
    booked.push(entry);
  }
  return { transfers, booked };
}
