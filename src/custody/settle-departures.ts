// What leaves us, booked: a departure that carries transfers completes them once it is as deep as
// its chain requires, with the fee that the network really took; the rest of the fee is the
// house's.
// What was booked and is in no block any more is reversed, and waits again (undo-booking.ts).
// Runs any number of times, in any number of processes; whatever dies in between, each entry is
// posted once. Money that left and that nobody ordered is said aloud and stays unexplained until a
// person says what it was (explain-departure.ts): custody is then more than the chain shows.
import type { Log } from '#base/log.ts';
import type { ChainId } from '#catalog/chain.ts';
import {
  decidePart,
  listUnsettledDepartures,
  lockDeparture,
  markBooked,
  type RecordedDeparture,
} from '#chain/departure.ts';
import type { Tx } from '#db/db.ts';
import type { Watcher } from '#deposit/network.ts';
import { postEntries } from '#ledger/post-entry.ts';
import { canLand } from '#sending/attempt.ts';
import { endSpentMoves } from '#sending/release-attempts.ts';
import { requireAccounts, transactWithAccounts } from '#settle/settle.ts';
import {
  type ConcludeTransferApp,
  concludeTransfer,
  type Said,
} from '#transfer/conclude-transfer.ts';
import { noteSent, noteUnsent } from '#transfer/send-by-hand.ts';
import { listTransfersByIds } from '#transfer/transfer.ts';
import { bookConversions } from './book-conversions.ts';
import { departureEntries } from './custody-entries.ts';
import { carriedBy, decideParts, feeShares, restOfFee } from './decide-parts.ts';
import { undoBooking } from './undo-booking.ts';
import { type WaitingOrdersApp, waitingOrders } from './waiting-orders.ts';

export type SettleDeparturesApp = ConcludeTransferApp &
  WaitingOrdersApp & {
    readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'sweeper'>>;
    readonly log: Log;
  };

const BATCH = 50;
/** Who said what it was: the settings, where the operator says where money is collected. */
const COLLECTED = { decidedBy: 'COLLECT_TO', reason: 'collected as the settings say' };

/** How many transfers ended, or are open again; somebody has to be told of them. */
export async function settleDepartures(app: SettleDeparturesApp): Promise<number> {
  let ended = 0;
  for (const departure of await listUnsettledDepartures(app.db, BATCH)) {
    if (departure.status !== 'INCLUDED') ended += await undoBooking(app, departure);
    if (departure.status === 'GONE') await release(app, departure);
    else if (departure.bookedAt === undefined) {
      await recognise(app, departure);
      if (departure.isFinal) ended += await book(app, departure.id);
    }
  }
  await endSpentMoves(app);
  return ended;
}

/**
 * Another transaction took its place, or a person gave it up: what it carried waits to be sent
 * again. One that we signed is not over with that: a reorganisation may bring it back until the one
 * in its place is final (release-attempts.ts).
 */
async function release(app: SettleDeparturesApp, { id }: RecordedDeparture): Promise<void> {
  const now = app.clock.now();
  await app.db.transact(async (tx) => {
    const locked = await lockDeparture(tx, id);
    if (locked?.status !== 'GONE' || locked.bookedAt !== undefined) return;
    const isKept = await canLand(tx, locked);
    for (const part of locked.parts) {
      if (part.transferId === undefined) continue;
      const { transferId, decidedBy, reason } = part;
      if (decidedBy !== undefined) {
        const told = { transaction: locked.transaction, transferId, decidedBy, reason };
        app.log.warn('what a person settled is undone: its transaction is gone', told);
      }
      const { transaction } = locked;
      noteUnsent(tx, { id: transferId, transaction, canLand: isKept }, now);
      decidePart(tx, part, { purpose: undefined }, now);
    }
  });
}

/** Which transfers it carries: from now on they are sent. And what is collected elsewhere. */
async function recognise(app: SettleDeparturesApp, { id, chain, parts }: RecordedDeparture) {
  if (parts.every(({ purpose }) => purpose !== undefined)) return;
  const orders = await waitingOrders(app, app.db, chain);
  const collectTo = collectToOf(app, chain);
  if (orders.length === 0 && collectTo === undefined) return;
  const now = app.clock.now();
  await app.db.transact(async (tx) => {
    const locked = await lockDeparture(tx, id);
    if (locked === undefined || locked.status === 'GONE') return;
    const { transaction } = locked;
    for (const { part, purpose, transferId } of decideParts(locked, orders, collectTo)) {
      if (transferId === undefined) decidePart(tx, part, { purpose, ...COLLECTED }, now);
      else if (await noteSent(tx, transferId, { ...part, transaction }, now)) {
        decidePart(tx, part, { purpose, transferId }, now);
      }
    }
  });
}

export function collectToOf(
  { networks }: Pick<SettleDeparturesApp, 'networks'>,
  chain: ChainId,
): string | undefined {
  return networks.get(chain)?.sweeper?.collectTo;
}

async function book(app: SettleDeparturesApp, id: bigint): Promise<number> {
  const departure = await app.db.transact((tx) => lockDeparture(tx, id));
  if (departure === undefined || !departure.isFinal || departure.bookedAt !== undefined) return 0;
  const ended = await completeCarried(app, departure);
  const now = app.clock.now();
  const booked = await transactWithAccounts(app.db, async (tx) => {
    const locked = await lockDeparture(tx, id);
    if (locked === undefined || !locked.isFinal || locked.bookedAt !== undefined) return undefined;
    const carried = await listTransfersByIds(tx, carriedBy(locked));
    if (carried.some(({ state }) => state !== 'COMPLETED')) return undefined;
    const converted = await bookConversions(app.log, tx, locked, now);
    const told = { ...locked, parts: converted.parts };
    const rest = departureEntries(told, restOfFee(told, carried), now);
    const entries = [...converted.entries, ...rest];
    markBooked(tx, id, now);
    requireAccounts(app.db, entries);
    postEntries(tx, entries);
    return told;
  });
  if (booked !== undefined) sayUnexplained(app.log, booked);
  return ended;
}

/** Each in a transaction of its own, as every transfer ends. */
async function completeCarried(
  app: SettleDeparturesApp,
  departure: RecordedDeparture,
): Promise<number> {
  const { transaction } = departure;
  const carried = await listTransfersByIds(app.db, carriedBy(departure));
  const shares = feeShares(departure, carried);
  let ended = 0;
  for (const [index, transfer] of carried.entries()) {
    if (transfer.state === 'COMPLETED') continue;
    const feeTakenUnits = shares[index];
    const landing = { transaction, feeTakenUnits, paidOutside: false };
    const said = saidOf(departure, transfer.id);
    // A reorganisation may have undone it since it was read.
    const hold = async (tx: Tx) => (await lockDeparture(tx, departure.id))?.isFinal === true;
    const conclusion = { kind: 'completed', landing, hold, ...(said && { said }) } as const;
    if (await concludeTransfer(app, transfer, conclusion)) ended += 1;
  }
  return ended;
}

/** Who said that it carries the transfer, where a person did. */
function saidOf({ parts }: RecordedDeparture, transferId: string): Said | undefined {
  const { decidedBy: actor, reason = '' } =
    parts.find((part) => part.transferId === transferId) ?? {};
  return actor === undefined ? undefined : { actor, reason };
}

function sayUnexplained(log: Log, { chain, transaction, feeUnits, parts }: RecordedDeparture) {
  const unexplained = parts.filter(({ purpose }) => purpose === undefined).length;
  if (unexplained === 0 && feeUnits !== undefined) return;
  // What is missing all the same is told as an error by the reconciliation.
  log.warn('money left that nobody ordered: npx quittance custody list', {
    chain,
    transaction,
    unexplained,
  });
}
