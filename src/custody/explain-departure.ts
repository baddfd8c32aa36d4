// What a person says of money that left and carried no transfer: it came back to us, the operator
// holds it elsewhere, it is lost, or it paid a transfer all the same. Who and why is kept with it
// and in the entry.
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf, environmentOf } from '#catalog/chain.ts';
import {
  decidePart,
  listRivalsOf,
  listSpenders,
  listUnconfirmed,
  listUndone,
  listUndoneBeside,
  listUnexplained,
  lockDeparture,
  markGone,
  type PartPurpose,
  type RecordedDeparture,
  type RecordedPart,
} from '#chain/departure.ts';
import type { Db, Tx } from '#db/db.ts';
import { postEntries } from '#ledger/post-entry.ts';
import { amountToText } from '#money/asset-amount.ts';
import { listLive, markTransactionOver } from '#sending/attempt.ts';
import { requireAccounts, transactWithAccounts } from '#settle/settle.ts';
import { type ApprovalApp, requireSecondPerson } from '#spending/approval.ts';
import {
  type ConcludeTransferApp,
  concludeTransfer,
  type Said,
} from '#transfer/conclude-transfer.ts';
import { noteSent, noteUnsigned, requireTransfer } from '#transfer/send-by-hand.ts';
import { isTransferSealed, noteTransfer, type Transfer } from '#transfer/transfer.ts';
import { partEntry } from './custody-entries.ts';
import { decideParts } from './decide-parts.ts';
import { requireNotInPlace, requireNotReplacing, requireNotSigned } from './require-explainable.ts';
import { type UndoBookingApp, undoBooking } from './undo-booking.ts';
import { type WaitingOrdersApp, waitingOrders } from './waiting-orders.ts';

type ExplainApp = ApprovalApp & { readonly db: Db };

type Explanation = Said & {
  readonly departureId: bigint;
  readonly number: number;
  readonly purpose: Exclude<PartPurpose, 'TRANSFER' | 'CONVERSION'>;
};

/**
 * @throws Refusal missing; conflict when it is explained already, its transaction is gone, a
 * transfer waits that it pays to the unit (the watcher books that, and the transfer would wait for
 * ever) or whose transaction was undone, it was exchanged and is said to be something else, and
 * `second_person` of what is not ours here any more.
 */
export async function explainDeparture(
  app: ExplainApp & WaitingOrdersApp & UndoBookingApp,
  { departureId, number, purpose, actor, reason }: Explanation,
): Promise<RecordedDeparture> {
  if (purpose !== 'OWN') await requireTwo(app, { departureId, number, actor, says: purpose });
  await undoBeside(app, departureId);
  const now = app.clock.now();
  return transactWithAccounts(app.db, async (tx) => {
    const departure = await lockDeparture(tx, departureId);
    const part = departure?.parts.find((one) => one.number === number);
    if (departure === undefined || part === undefined) {
      throw new Refusal(
        'missing',
        'departure_missing',
        'no such part of npx quittance custody list',
      );
    }
    if (part.purpose !== undefined || departure.status === 'GONE') {
      const why = part.purpose === undefined ? 'its transaction is gone' : `it is ${part.purpose}`;
      throw new Refusal('conflict', 'departure_explained', `nothing is to be explained: ${why}`);
    }
    if (departure.bookedAt === undefined) {
      const orders = await waitingOrders(app, tx, departure.chain);
      const known = decideParts(departure, orders).find((one) => one.part === part);
      if (known?.transferId !== undefined) throw carries(known.transferId);
      requireNotReplacing(part, await listRivalsOf(tx, departure));
    }
    requireNotInPlace(part, await listUndone(tx, departure.chain));
    requireConverted(part, purpose);
    const explained = { ...part, purpose, decidedBy: actor, reason };
    decidePart(tx, part, { purpose, decidedBy: actor, reason }, now);
    // Of one that is not booked yet the entry is posted with its fee.
    const entries =
      purpose === 'OWN' || departure.bookedAt === undefined
        ? []
        : [partEntry(departure, explained, now)];
    requireAccounts(app.db, entries);
    noteAct(tx, {
      ...{ actor, actedAt: now, verb: 'custody-explain', subject: partName(departureId, number) },
      environment: environmentOf(departure.chain),
      details: { purpose, reason, ...paidBy(departure, part) },
    });
    postEntries(tx, entries);
    const parts = departure.parts.map((one) => (one === part ? explained : one));
    return { ...departure, parts };
  });
}

/** What spends the same and was undone may have ended an order, which waits for this one again. */
async function undoBeside(app: UndoBookingApp, departureId: bigint): Promise<void> {
  for (const beside of await listUndoneBeside(app.db, departureId)) await undoBooking(app, beside);
}

/** What came for it is ours, and belongs into the books with it. @throws Refusal conflict */
function requireConverted(part: RecordedPart, says: string): void {
  const got = gotFor(part);
  if ((got === undefined) === (says !== 'CONVERTED')) return;
  throw new Refusal('conflict', 'departure_converted', [
    got === undefined
      ? 'it gave us nothing on the network: own, outside or lost'
      : `it was exchanged, and gave us ${got}: --as converted`,
  ]);
}

function gotFor({ gotAssetId, gotUnits }: RecordedPart): string | undefined {
  const isKnown = gotAssetId !== undefined && gotUnits !== undefined;
  return isKnown ? amountOf(gotAssetId, gotUnits) : undefined;
}

type SaidPart = Pick<Explanation, 'departureId' | 'number' | 'actor'> & { readonly says: string };

/** @throws Refusal conflict `second_person` */
async function requireTwo(
  app: ExplainApp,
  { departureId, number, actor, says }: SaidPart,
): Promise<void> {
  const departure = await app.db.transact((tx) => lockDeparture(tx, departureId));
  const part = departure?.parts.find((one) => one.number === number);
  // What is not there, or not open, is refused with its reason later.
  if (departure === undefined || part?.purpose !== undefined || part === undefined) return;
  const { assetId, units } = part;
  const { paid, to, chain, transaction, got } = paidBy(departure, part);
  requireConverted(part, says);
  await requireSecondPerson(app, {
    ...{ subject: partName(departureId, number), actor, words: [says] },
    ...{ environment: environmentOf(departure.chain), merchantId: undefined },
    about: `${paid} ${got === undefined ? `to ${to}` : `for ${got}`} in ${transaction} on ${chain} was ${says}`,
    amount: { assetId, units },
  });
}

function carries(transferId: string): Refusal {
  return new Refusal('conflict', 'departure_carries_transfer', [
    `it pays transfer ${transferId} to the unit, and is booked as that by itself: if it was for ` +
      `something else, npx quittance send cancel ${transferId} first`,
  ]);
}

type SettlePartApp = ExplainApp & ConcludeTransferApp & WaitingOrdersApp & UndoBookingApp;

type Tie = Said & {
  readonly departureId: bigint;
  readonly number: number;
  readonly transferId: string;
};

/**
 * Which transfer it carries, where the decision could not tell: a receiver that the network names
 * otherwise, a bank that names no account. Asset and amount are those of the transfer to the unit.
 * Answers the transfer. @throws Refusal missing; conflict that says what does not fit.
 */
export async function settlePart(app: SettlePartApp, told: Tie): Promise<Transfer> {
  const { departureId, transferId, actor, reason } = told;
  const seen = await requireTransfer(app.db, transferId);
  if (!(await isTransferSealed(app.db, app.keyring, seen))) {
    throw notTied('the transfer was changed in the database: it has to be repaired first');
  }
  await requireTwo(app, { ...told, says: `transfer ${transferId}` });
  await undoBeside(app, departureId);
  const departure = await app.db.transact((tx) => lockDeparture(tx, departureId));
  const now = app.clock.now();
  if (departure?.bookedAt === undefined) {
    // It completes as if the watcher had recognised it.
    await app.db.transact(async (tx) => {
      const { transaction, parts, chain, ...left } = await tie(tx, seen, told, now);
      const part = parts.find(({ number }) => number === told.number);
      const orders = await waitingOrders(app, tx, chain);
      requireNotSigned({ ...left, transaction, parts }, told, orders);
      const shown = { claimableId: undefined, reclaimableAt: undefined, ...part, transaction };
      if (!(await noteSent(tx, transferId, shown, now))) throw notTied(ENDED);
    });
    return requireTransfer(app.db, transferId);
  }
  // Its fee is booked as the house's already, so the transfer pays none of it.
  const part = departure.parts.find(({ number }) => number === told.number);
  const { transaction } = departure;
  const landing = { transaction, feeTakenUnits: 0n, paidOutside: false, part };
  const isDone = await concludeTransfer(app, seen, {
    kind: 'completed',
    landing,
    said: { actor, reason },
    async hold(tx) {
      await tie(tx, seen, told, now);
      return true;
    },
  });
  if (!isDone) throw notTied(ENDED);
  return requireTransfer(app.db, transferId);
}

type Landed = Said & { readonly transaction: string };

/**
 * Which transaction has paid it, in the words of a person; what the network shows of that one says
 * whether it can be so. Answers the transfer. @throws Refusal missing; conflict
 */
export async function settleLanded(
  app: SettlePartApp,
  transferId: string,
  { transaction, ...said }: Landed,
): Promise<Transfer> {
  const { environment, network, assetId, targetUnits } = await requireTransfer(app.db, transferId);
  const chain = chainOf(environment, network);
  const [departure] = await listSpenders(app.db, { chain, transaction, spends: [] });
  if (departure === undefined) {
    throw notTied(
      `${chain} shows no transaction ${transaction} by which money of ours left: if it was paid ` +
        'from elsewhere, npx quittance send confirm',
    );
  }
  if (departure.status !== 'INCLUDED') throw notTied(`${transaction} is in no block now`);
  const open = departure.parts.filter(
    (part) => part.purpose === undefined && part.assetId === assetId && part.units === targetUnits,
  );
  const [part] = open;
  if (part === undefined) {
    throw notTied(
      `nothing in ${transaction} is exactly ${amountOf(assetId, targetUnits)} and not explained yet`,
    );
  }
  const { id: departureId } = departure;
  return settlePart(app, { ...said, departureId, number: part.number, transferId });
}

async function tie(
  tx: Tx,
  transfer: Transfer,
  { departureId, number, actor: decidedBy, reason }: Tie,
  now: Temporal.Instant,
): Promise<RecordedDeparture> {
  const departure = await lockDeparture(tx, departureId);
  const part = departure?.parts.find((one) => one.number === number);
  if (departure === undefined || part === undefined) {
    throw new Refusal('missing', 'departure_missing', 'no such part of npx quittance custody list');
  }
  const against = findMisfit(departure, part, transfer);
  if (against !== undefined) throw notTied(against);
  const { id: transferId } = transfer;
  decidePart(tx, part, { purpose: 'TRANSFER', transferId, decidedBy, reason }, now);
  const said = { reason, part: partName(departureId, number), ...paidBy(departure, part) };
  const act = { verb: 'custody-settle', actor: decidedBy, actedAt: now };
  noteTransfer(tx, transfer, { ...act, details: said });
  return departure;
}

function partName(departureId: bigint, number: number): string {
  return `departure:${departureId}:${number}`;
}

function paidBy({ chain, transaction }: RecordedDeparture, part: RecordedPart) {
  const { assetId, units, destination } = part;
  const got = gotFor(part);
  return { chain, transaction, paid: amountOf(assetId, units), to: destination, got };
}

/** Why the part cannot be what paid the transfer, in a sentence. */
function findMisfit(
  { chain, transaction, status, bookedAt }: RecordedDeparture,
  { purpose, assetId, units }: RecordedPart,
  transfer: Transfer,
): string | undefined {
  const { environment, network, state, targetUnits } = transfer;
  const expected = chainOf(environment, network);
  if (status === 'GONE') return 'its transaction is gone';
  if (bookedAt !== undefined && status !== 'INCLUDED') return 'its transaction is in no block now';
  if (purpose !== undefined) return `the part is ${purpose} already`;
  if (chain !== expected) return `the part left on ${chain}, the transfer is on ${expected}`;
  if (assetId !== transfer.assetId || units !== targetUnits) {
    const paid = amountOf(assetId, units);
    return `the part is ${paid}, the transfer pays ${amountOf(transfer.assetId, targetUnits)}`;
  }
  if (state !== 'TO_SEND') return `the transfer is ${state}`;
  if (transfer.transaction === undefined || transfer.transaction === transaction) return undefined;
  return `the transfer was signed as ${transfer.transaction}, which can still land`;
}

const ENDED = 'the transfer does not wait to be sent any more';

function notTied(sentence: string): Refusal {
  return new Refusal('conflict', 'part_not_settled', sentence);
}

type AbandonApp = { readonly db: Db; readonly clock: Clock; readonly log: Log };

/**
 * A person says that an unconfirmed transaction will never be mined (dropped, never relayed): what
 * it carried waits to be sent again. Should it be mined all the same, it is recognised again.
 * @throws Refusal missing or conflict
 */
export async function abandonDeparture(
  { db, clock, log }: AbandonApp,
  transaction: string,
  said: Said,
): Promise<RecordedDeparture> {
  const [departure] = await listUnconfirmed(db, transaction);
  if (departure === undefined || departure.bookedAt !== undefined) {
    throw new Refusal('missing', 'departure_missing', [
      `${transaction}: no unconfirmed transaction of ours is known by this id`,
    ]);
  }
  await db.transact(async (tx) => {
    await lockDeparture(tx, departure.id);
    markGone(tx, departure.id);
    const now = clock.now();
    const paid = await markTransactionOver(tx, departure.chain, transaction, now);
    const [other] = await listLive(tx, paid);
    noteUnsigned(tx, paid, transaction, other?.transaction);
    const { actor, reason } = said;
    noteAct(tx, {
      ...{
        actor,
        actedAt: clock.now(),
        verb: 'custody-gone',
        subject: `departure:${departure.id}`,
      },
      environment: environmentOf(departure.chain),
      details: { reason, chain: departure.chain, transaction },
    });
  });
  log.warn('a transaction of ours was given up', { transaction, ...said });
  return { ...departure, status: 'GONE' };
}

/** Oldest first. */
export function listDepartures({ db }: { readonly db: Db }, most: number) {
  return listUnexplained(db, most);
}

/** `departure` of the command line. Amounts in whole coins. */
export function departureView(departure: RecordedDeparture) {
  const { id, chain, transaction, feeAssetId, feeUnits, confirmations } = departure;
  return {
    id: String(id),
    chain,
    transaction,
    status: statusOf(departure),
    confirmations: Number(confirmations),
    seenAt: departure.seenAt.toString(),
    fee: feeUnits === undefined ? null : amountOf(feeAssetId, feeUnits),
    parts: departure.parts.map((part) => ({
      id: `${id}:${part.number}`,
      destination: part.destination,
      amount: amountOf(part.assetId, part.units),
      /** What it gave us, where it was converted on the network itself. */
      got: gotFor(part) ?? null,
      purpose: part.purpose ?? null,
      orderId: part.orderId ?? null,
      transferId: part.transferId ?? null,
      by: part.decidedBy ?? null,
      reason: part.reason ?? null,
    })),
  };
}

/** Booked, and then undone by a reorganisation: a person has to see whether it comes again. */
function statusOf({ bookedAt, status, undoneCount }: RecordedDeparture): string {
  if (bookedAt === undefined) return undoneCount > 0 && status === 'SEEN' ? 'UNDONE' : status;
  return status === 'INCLUDED' ? 'BOOKED' : `BOOKED_AND_${status}`;
}

function amountOf(assetId: string, units: bigint): string {
  const { decimals, assetCode } = getAsset(assetId);
  return `${amountToText(units, decimals)} ${assetCode}`;
}
