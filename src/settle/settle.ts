// Settling turns what arrived into postings, a new state and events, all in one transaction that
// holds the thing that was paid (C1, C5). It is written once: a purpose (checkout, deposit address)
// locks its thing, reads the facts and decides; what it decided is posted and told here.
//
// Guarantees: an event exists if and only if its change was committed; a final receipt is credited
// once a generation (R2). Lock order everywhere: the thing, what lies in suspense of it, then
// ledger accounts; who records receipts locks their things first (chain/record-observation.ts).

import type { Clock } from '#base/clock.ts';
import { newOrderedId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import type { Environment } from '#catalog/chain.ts';
import { markReceiptCredited, markReceiptReversed } from '#chain/receipt.ts';
import type { Db, Tx } from '#db/db.ts';
import type { DepositPurpose } from '#deposit/deposit-instruction.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import type { EventType } from '#event/event.ts';
import type { Account } from '#ledger/account.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, findUnknownAccounts, postEntries } from '#ledger/post-entry.ts';
import { reserveHedges } from '#treasury/reserve-hedges.ts';
import { insertSuspense, type SuspenseBooking } from './suspense.ts';
import { closeSuspense, type HeldSuspense } from './suspense-act.ts';

export type SettleApp = { readonly db: Db; readonly clock: Clock; readonly random: Random };

/** What was paid, and who is told of it. */
type PaidThing = {
  readonly purpose: DepositPurpose;
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** Of the events that were told before. */
  readonly eventSequence: number;
  readonly apiKey: string | undefined;
  readonly webhookUrl: string | undefined;
};

type ReceiptGeneration = { readonly receiptId: bigint; readonly generation: number };

/** What a credit says of its receipt. */
type CreditOfReceipt = ReceiptGeneration & {
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  /** In `suspense` it belongs to nobody yet. */
  readonly account: string;
};

export type ToldEvent = {
  readonly type: EventType;
  /** Told once: a second event of this cause fails the transaction. */
  readonly causeKey: string;
  /** JSON text. */
  readonly data: string;
};

/** What settling one thing comes to: all of it is committed, or nothing. */
export type Settlement<Outcome> = {
  readonly paid: PaidThing;
  readonly credited: readonly CreditOfReceipt[];
  /** The chain lost them. */
  readonly reversed: readonly ReceiptGeneration[];
  /** What lay in suspense of what is reversed. */
  readonly held: readonly HeldSuspense[];
  readonly entries: readonly Entry[];
  readonly events: readonly ToldEvent[];
  /** Sends what the thing and its credits become; its `eventSequence` rises by the events. */
  readonly write: (tx: Tx) => void;
  readonly now: Temporal.Instant;
  readonly outcome: Outcome;
};

/**
 * `decide` locks one thing, reads and decides; undefined when another holds it. It runs again when
 * the transaction is repeated.
 */
export function settle<Outcome>(
  app: SettleApp,
  decide: (tx: Tx) => Promise<Settlement<Outcome> | undefined>,
): Promise<Outcome | { readonly kind: 'busy' }> {
  return transactWithAccounts(app.db, async (tx) => {
    const settlement = await decide(tx);
    return settlement === undefined ? { kind: 'busy' } : carryOut(app, tx, settlement);
  });
}

/** The same of several things, which share a transaction: all of it is committed, or nothing. */
export function settleTogether<Outcome>(
  app: SettleApp,
  decide: (tx: Tx) => Promise<readonly Settlement<Outcome>[]>,
): Promise<ReadonlyMap<string, Outcome>> {
  return transactWithAccounts(app.db, async (tx) => {
    const settlements = await decide(tx);
    carryOutAll(app, tx, settlements);
    return new Map(settlements.map(({ paid, outcome }) => [paid.id, outcome]));
  });
}

/** Thrown inside the transaction, which it undoes. */
class AccountsMissing extends Error {
  readonly accounts: readonly Account[];
  constructor(accounts: readonly Account[]) {
    super('ledger accounts are missing');
    this.accounts = accounts;
  }
}

/** A transaction that settles: when its accounts are missing they are made, and it is repeated. */
export async function transactWithAccounts<Answer>(
  db: Db,
  act: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    try {
      return await db.transact(act);
    } catch (error) {
      if (!(error instanceof AccountsMissing)) throw error;
      await ensureAccounts(db, error.accounts);
    }
  }
}

/** Within `transactWithAccounts`, under the lock of the thing. */
export function carryOut<Outcome>(
  app: Pick<SettleApp, 'db' | 'random'>,
  tx: Tx,
  settlement: Settlement<Outcome>,
): Outcome {
  carryOutAll(app, tx, [settlement]);
  return settlement.outcome;
}

/** In one order of the things, and all entries at once: accounts are locked in one order too. */
function carryOutAll(
  app: Pick<SettleApp, 'db' | 'random'>,
  tx: Tx,
  settlements: readonly Settlement<unknown>[],
): void {
  const undone = settlements.flatMap(({ paid, credited, reversed, held, now }) => {
    const taken = credited.map((credit) => takenFor(paid, credit));
    return takeReceipts(tx, { taken, reversed, held }, now);
  });
  const entries = settlements.flatMap((settlement) => settlement.entries);
  requireAccounts(app.db, [...entries, ...undone]);
  for (const settlement of settlements) {
    settlement.write(tx);
    tell(app, tx, settlement);
  }
  reserveHedges(tx, entries);
  // Posted last, because everybody who is paid on this network waits for these accounts until
  // COMMIT.
  postEntries(tx, [...entries, ...undone]);
}

function takenFor(
  { purpose, id, merchantId, environment }: PaidThing,
  { receiptId, generation, network, assetId, units, account }: CreditOfReceipt,
): TakenReceipt {
  const receipt = { receiptId, generation };
  if (account !== 'suspense') return { ...receipt, suspense: undefined };
  const money = { ...receipt, environment, network, assetId, units };
  const named = { merchantId, purpose, purposeId: id };
  return { ...receipt, suspense: { ...money, ...named, reason: 'WRONG_ASSET' } };
}

/** `suspense`: how it is booked where it is nobody's yet. */
type TakenReceipt = ReceiptGeneration & { readonly suspense: SuspenseBooking | undefined };

/**
 * Receipts know what the ledger did with them, and what is nobody's is booked in suspense. Answers
 * the entries that undo what a person did with money in suspense that the chain took back.
 */
export function takeReceipts(
  tx: Tx,
  {
    taken,
    reversed,
    held,
  }: {
    readonly taken: readonly TakenReceipt[];
    readonly reversed: readonly ReceiptGeneration[];
    readonly held: readonly HeldSuspense[];
  },
  now: Temporal.Instant,
): Entry[] {
  for (const { receiptId, generation, suspense } of taken) {
    markReceiptCredited(tx, receiptId, generation);
    if (suspense !== undefined) insertSuspense(tx, suspense, now);
  }
  for (const { receiptId, generation } of reversed) {
    markReceiptReversed(tx, receiptId, generation);
  }
  return reversed.flatMap((lost) => closeSuspense(tx, held, lost, now));
}

/** Within `transactWithAccounts`, before anything is posted. */
export function requireAccounts(db: Db, entries: readonly Entry[]): void {
  const unknown = findUnknownAccounts(db, accountsOf(entries));
  if (unknown.length > 0) throw new AccountsMissing(unknown);
}

function tell(
  { random }: Pick<SettleApp, 'random'>,
  tx: Tx,
  { paid, events, now }: Settlement<unknown>,
): void {
  events.forEach(({ type, causeKey, data }, index) => {
    const id = newOrderedId(now, random);
    const sequence = paid.eventSequence + index + 1;
    enqueueEvent(tx, {
      id,
      merchantId: paid.merchantId,
      environment: paid.environment,
      type,
      subject: paid.purpose,
      subjectId: paid.id,
      sequence,
      causeKey,
      data,
      apiKey: paid.apiKey,
      createdAt: now,
      webhookUrl: paid.webhookUrl,
    });
  });
}
