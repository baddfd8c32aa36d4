// The end of a transfer: posting, state and event in one transaction under the lock of the row.
// Guarantees: it ends once, whoever finds out first; money goes back only for a transaction that
// was asked about and provably never lands; what had ended, and what ended it is in no block any
// more, is open again and can only end anew. Lock order: what it rests on, then the transfer.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { defineTable, integer, moment, optional, text, units } from '#db/table.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { accountsOf, causeAgain, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { claimableOf, type Left } from './claimable.ts';
import {
  finishTransfer,
  hasNotEnded,
  lockTransfer,
  noteTransfer,
  type Transfer,
  transferView,
} from './transfer.ts';
import { completeEntry, returnEntry } from './transfer-entries.ts';

export type ConcludeTransferApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * What a refund rests on, and what rests on a refund; the same for what goes back out of
   * suspense.
   */
  readonly refunds: TransferGround;
  readonly returns: TransferGround;
};

type TransferGround = {
  /**
   * Whether the transfer may be sent, as far as its transaction lasts: locks what it rests on,
   * which comes before the row of the transfer.
   */
  hold(tx: Tx, transfer: Transfer): Promise<SendingVerdict>;
  /** It ends in the same transaction; it is given the transfer as ended. */
  concluded(tx: Tx, transfer: Transfer): Promise<void>;
  /** It had ended and is on its way again; it is given the transfer as it is now. */
  reopened(tx: Tx, transfer: Transfer): Promise<void>;
  /**
   * Whether what one that failed rests on is where it was then: from now on it is held for it
   * again. Otherwise nothing is done.
   */
  heldAgain(tx: Tx, transfer: Transfer): Promise<boolean>;
};

export type SendingVerdict =
  | { readonly kind: 'send' }
  | {
      readonly kind: 'wait';
      /** For whom it waits, as a sentence without its end. */
      readonly reason: string;
      /** Undefined: nobody knows. */
      readonly until?: Temporal.Instant;
    }
  | { readonly kind: 'never'; readonly reason: string };

const SEND: SendingVerdict = { kind: 'send' };

/** What it rests on alone: hold-to-send.ts asks for all that may keep it from being sent. */
export async function holdTransfer(
  app: Pick<ConcludeTransferApp, 'refunds' | 'returns'>,
  tx: Tx,
  transfer: Transfer,
): Promise<SendingVerdict> {
  return groundOf(app, transfer)?.hold(tx, transfer) ?? SEND;
}

function groundOf(
  { refunds, returns }: Pick<ConcludeTransferApp, 'refunds' | 'returns'>,
  { kind }: Transfer,
): TransferGround | undefined {
  if (kind === 'TRANSFER') return undefined;
  return kind === 'REFUND' ? refunds : returns;
}

/** How it left, where that is known. */
type Landing = {
  readonly transaction: string;
  /** In units of the asset that was sent; undefined where the network took another. */
  readonly feeTakenUnits: bigint | undefined;
  /** What it took above what was reserved: the house pays it. None where absent. */
  readonly feeBeyondUnits?: bigint;
  readonly paidOutside: boolean;
  /** The part of the departure that carries it, which may wait to be fetched. */
  readonly part?: Left | undefined;
};

type Conclusion =
  | {
      readonly kind: 'completed';
      readonly landing?: Landing;
      readonly said?: Said;
      /** Whether the chain still shows it; locks what says so, before everything else. */
      readonly hold?: (tx: Tx) => Promise<boolean>;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly said?: Said }
  /** The state that the verdict was based on. It must still be that state. */
  | { readonly kind: 'never'; readonly reason: string };

/** Who decided it, where a person did. */
export type Said = { readonly actor: string; readonly reason: string };

/** False when it had ended already, or was signed differently in the meantime. */
export async function concludeTransfer(
  app: ConcludeTransferApp,
  seen: Transfer,
  conclusion: Conclusion,
): Promise<boolean> {
  const now = app.clock.now();
  const isDone = conclusion.kind === 'completed';
  const { part, ...landing }: Partial<Landing> =
    (conclusion.kind === 'completed' && conclusion.landing) || {};
  const landed = { ...seen, ...landing };
  const posted = isDone ? completeEntry(landed, now) : returnEntry(seen, now);
  const said = conclusion.kind === 'never' ? undefined : conclusion.said;
  const entry = said === undefined ? posted : { ...posted, evidence: evidenceOf(said) };
  await ensureAccounts(app.db, accountsOf([entry]));
  return app.db.transact(async (tx) => {
    if (conclusion.kind === 'completed' && (await conclusion.hold?.(tx)) === false) return false;
    const verdict = await holdTransfer(app, tx, seen);
    if (conclusion.kind === 'never' && verdict.kind !== 'never') return false;
    const locked = await lockTransfer(tx, seen.id);
    assert(locked !== undefined, 'a transfer is never removed');
    const isOpen = hasNotEnded(locked);
    const isLate = !isDone && (isClaimed(seen, locked) || isShown(seen, locked));
    const isSame = locked.transaction === seen.transaction && !isLate;
    if (!isOpen || !isSame) return false;
    const isTold = locked.kind === 'TRANSFER' || (locked.kind === 'REFUND' && !isDone);
    const ended: Transfer = {
      ...locked,
      ...landing,
      claimable: (part && claimableOf(part)) ?? locked.claimable,
      state: isDone ? 'COMPLETED' : 'FAILED',
      failure: conclusion.kind === 'completed' ? undefined : conclusion.reason,
      finishedAt: now,
      nextStepAt: undefined,
      eventSequence: locked.eventSequence + (isTold ? 1 : 0),
    };
    finishTransfer(tx, ended.id, {
      state: isDone ? 'COMPLETED' : 'FAILED',
      failure: ended.failure,
      eventSequence: ended.eventSequence,
      finishedAt: now,
      ...landing,
      claimable: ended.claimable,
    });
    if (isTold) tellTransfer(app, tx, ended, now);
    const verb = isDone
      ? landing.paidOutside === true
        ? 'send-confirm'
        : 'transfer-complete'
      : said === undefined
        ? 'transfer-fail'
        : 'transfer-cancel';
    const details = { transaction: ended.transaction, reason: said?.reason ?? ended.failure };
    noteTransfer(tx, ended, { verb, actor: said?.actor ?? 'service', actedAt: now, details });
    await groundOf(app, ended)?.concluded(tx, ended);
    postEntries(tx, [entry]);
    return true;
  });
}

type Undone = {
  /** What had ended it. */
  readonly transaction: string;
  /** What may land now; undefined of one that had landed. */
  readonly signed?: string;
  readonly undoneAt: Temporal.Instant;
};

/**
 * What ended it is in no block any more. What had landed is on its way by the same transaction.
 * What had failed, because something else was final in its place, may be paid by what was signed
 * for it: its money is reserved once more, and a balance that was spent since goes below zero.
 * Answers the entry that has to be reversed in the same transaction, which holds what says so;
 * undefined when nothing is done: it has not ended so, or what it rests on was used otherwise since
 * it failed.
 */
export async function reopenTransfer(
  app: ConcludeTransferApp,
  tx: Tx,
  seen: Transfer,
  { transaction, signed, undoneAt }: Undone,
): Promise<Entry | undefined> {
  // For its locks, and so that what it rests on is looked at again.
  await holdTransfer(app, tx, seen);
  const locked = await lockTransfer(tx, seen.id);
  assert(locked !== undefined, 'a transfer is never removed');
  const state = signed === undefined ? 'COMPLETED' : 'FAILED';
  if (locked.state !== state) return undefined;
  const ground = groundOf(app, locked);
  const isHeld = state === 'COMPLETED' || ((await ground?.heldAgain(tx, locked)) ?? true);
  if (!isHeld) return undefined;
  // As it was told that it ended.
  const isTold = locked.kind === 'TRANSFER' || (locked.kind === 'REFUND' && state === 'FAILED');
  const reopened: Transfer = {
    ...locked,
    ...(signed === undefined
      ? { state: 'SUBMITTED', submittedAt: undoneAt }
      : { state: 'TO_SEND', transaction: signed, failure: undefined }),
    finishedAt: undefined,
    feeTakenUnits: undefined,
    leavingSince: undoneAt,
    nextStepAt: undoneAt,
    undoneCount: locked.undoneCount + 1,
    eventSequence: locked.eventSequence + (isTold ? 1 : 0),
  };
  noteReopened(tx, locked, reopened, { state, transaction, undoneAt });
  if (isTold) tellTransfer(app, tx, reopened, undoneAt);
  const act = { verb: 'transfer-reopen', actor: 'service', actedAt: undoneAt };
  noteTransfer(tx, reopened, { ...act, details: { transaction, reason: 'a reorganisation' } });
  await ground?.reopened(tx, reopened);
  return state === 'COMPLETED' ? completeEntry(locked, undoneAt) : returnEntry(locked, undoneAt);
}

/** Somebody was told how to send it, or asked to sign it, in the meantime. */
function isShown(seen: Transfer, locked: Transfer): boolean {
  const isTold = seen.shownAt === undefined && locked.shownAt !== undefined;
  return isTold || (seen.askedAt === undefined && locked.askedAt !== undefined);
}

/** The names are those of acts on suspense. */
function evidenceOf({ actor, reason }: Said): string {
  return JSON.stringify({ by: actor, reason });
}

/** A payer who answered at the last moment comes before the end of the time. */
function isClaimed(seen: Transfer, locked: Transfer): boolean {
  return seen.account === undefined && locked.account !== undefined;
}

const TOLD = {
  COMPLETED: 'TRANSFER_COMPLETED',
  FAILED: 'TRANSFER_FAILED',
  RETURNED: 'TRANSFER_RETURNED',
  SUBMITTED: 'TRANSFER_REOPENED',
  TO_SEND: 'TRANSFER_REOPENED',
} as const;

/**
 * As number `eventSequence` of the transfer. A refund that failed is told as the transfer that it
 * was, too.
 */
export function tellTransfer(
  app: Pick<ConcludeTransferApp, 'random'>,
  tx: Tx,
  transfer: Transfer,
  now: Temporal.Instant,
): void {
  const id = newId(app.random);
  const type = TOLD[transfer.state as keyof typeof TOLD];
  const data = JSON.stringify({ transfer: transferView(transfer) });
  enqueueEvent(tx, {
    id,
    merchantId: transfer.merchantId,
    environment: transfer.environment,
    type,
    subject: 'transfer',
    subjectId: transfer.id,
    sequence: transfer.eventSequence,
    causeKey: causeAgain(`transfer:${transfer.id}:${type}`, transfer.undoneCount),
    data,
    apiKey: transfer.apiKey,
    createdAt: now,
  });
}

// The ends of transfers that reorganisations undid, and the SQL of their table: what was booked
// then is kept, because its entries stay.
const UNDONE_TRANSFER = defineTable('undone_transfer', {
  transferId: text(),
  number: integer,
  /** How it had ended. */
  state: text<'COMPLETED' | 'FAILED'>(),
  /** What had paid it; of one that failed, what had proven that nothing pays it. */
  transaction: text(),
  feeTakenUnits: optional(units),
  completedAt: moment,
  undoneAt: moment,
});

type Reopening = {
  /** How it had ended. */
  readonly state: 'COMPLETED' | 'FAILED';
  /** As `UNDONE_TRANSFER` has it. */
  readonly transaction: string;
  readonly undoneAt: Temporal.Instant;
};

/** What ended it is in no block any more. `reopened`: as it is from now on. */
function noteReopened(
  tx: Tx,
  { id: transferId, feeTakenUnits, finishedAt }: Transfer,
  reopened: Transfer,
  { state, transaction, undoneAt }: Reopening,
): void {
  const { undoneCount: number, eventSequence, submittedAt } = reopened;
  const undone = { transferId, number, state, transaction, feeTakenUnits, undoneAt };
  tx.send(UNDONE_TRANSFER.insert([{ ...undone, completedAt: finishedAt ?? undoneAt }]));
  tx.send(sql`
    update transfer set state = ${reopened.state}, finished_at = null, fee_taken_units = null,
      failure = null, transaction = ${reopened.transaction ?? null}, undone_count = ${number},
      event_sequence = ${eventSequence}, submitted_at = ${submittedAt ?? null},
      leaving_since = ${undoneAt}, next_step_at = ${undoneAt}
    where id = ${transferId} and state = ${state}`);
}
