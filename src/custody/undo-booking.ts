// A departure that was booked and is in no block any more: a reorganisation undid it. Its entries
// are reversed, the transfers that it carried are on their way again, by the same transaction, and
// what it had proven to be over can land again. It is booked anew, with whatever fee it then costs,
// when it or what takes its place is deep enough. All of it in one transaction, once.
// Not undone: what came back after it had arrived, where a bank takes both out of a statement.
import { assert } from '#base/assert.ts';
import type { Log } from '#base/log.ts';
import { lockDeparture, markUnbooked, type RecordedDeparture } from '#chain/departure.ts';
import { type Entry, reverseEntries } from '#ledger/ledger-entry.ts';
import { postEntries } from '#ledger/post-entry.ts';
import { reviveAttempts } from '#sending/attempt.ts';
import { requireAccounts, transactWithAccounts } from '#settle/settle.ts';
import { type ConcludeTransferApp, reopenTransfer } from '#transfer/conclude-transfer.ts';
import { listTransfersByIds } from '#transfer/transfer.ts';
import { departureEntries } from './custody-entries.ts';
import { carriedBy, restOfFee } from './decide-parts.ts';

type UndoBookingApp = ConcludeTransferApp & { readonly log: Log };

/**
 * How many transfers are open again. Nothing is done of one that is in a block, or of which nothing
 * is booked.
 */
export async function undoBooking(app: UndoBookingApp, seen: RecordedDeparture): Promise<number> {
  if (seen.bookedAt === undefined && carriedBy(seen).length === 0) return 0;
  const undone = await transactWithAccounts(app.db, async (tx) => {
    const departure = await lockDeparture(tx, seen.id);
    if (departure === undefined || departure.status === 'INCLUDED') return [];
    const carried = await listTransfersByIds(tx, carriedBy(departure));
    const landed = carried.filter(({ state }) => state === 'COMPLETED');
    const isBooked = departure.bookedAt !== undefined;
    if (isBooked ? landed.length < carried.length : landed.length === 0) return [];
    const now = app.clock.now();
    const booked: Entry[] = [];
    for (const transfer of landed) {
      const entry = await reopenTransfer(app, tx, { transfer, actedAt: now });
      assert(entry !== undefined, `transfer ${transfer.id} was COMPLETED a moment ago`);
      booked.push(entry);
    }
    // Its transfers are completed one by one before the rest of it is booked.
    if (isBooked) {
      const restUnits = restOfFee(departure, carried);
      booked.push(...departureEntries(departure, restUnits, now));
      markUnbooked(tx, departure, restUnits, now);
    }
    reviveAttempts(tx, departure);
    const evidence = JSON.stringify({ transaction: departure.transaction });
    const reversal = { cause: 'reorganisation', kind: 'sending-reversal', evidence };
    const entries = reverseEntries(booked, { ...reversal, occurredAt: now });
    requireAccounts(app.db, entries);
    postEntries(tx, entries);
    const { chain, transaction } = departure;
    const transfers = landed.map(({ id }) => id);
    app.log.warn('what had left was undone by a reorganisation', { chain, transaction, transfers });
    return transfers;
  });
  return undone.length;
}
