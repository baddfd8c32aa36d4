// The end of a transfer: posting, state and event in one transaction under the lock of the row.
// Guarantees: it ends once, whoever finds out first; money goes back only for a transaction that
// was asked about and provably never lands; what a reorganisation undid after it had landed is open
// again and can only end anew. Lock order: what it rests on, then the transfer.

import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import type { Db, Tx } from '#db/db.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { accountsOf, causeAgain, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import {
  finishTransfer,
  hasNotEnded,
  lockTransfer,
  noteReopened,
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
  /** It had landed and is on its way again; it is given the transfer as it is now. */
  reopened(tx: Tx, transfer: Transfer): Promise<void>;
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
  const landing = conclusion.kind === 'completed' ? conclusion.landing : undefined;
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
    });
    if (isTold) tellTransfer(app, tx, ended, now);
    const verb = isDone
      ? landing?.paidOutside === true
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

/**
 * A reorganisation undid what had paid it: it is on its way again, by the same transaction, until
 * that lands or can land no more. Answers the entry that has to be reversed in the same
 * transaction; undefined when it is not COMPLETED, and nothing is done. In the transaction that
 * holds what says so.
 */
export async function reopenTransfer(
  app: ConcludeTransferApp,
  tx: Tx,
  { transfer, actedAt }: { readonly transfer: Transfer; readonly actedAt: Temporal.Instant },
): Promise<Entry | undefined> {
  // For its locks, and so that what it rests on is looked at again.
  await holdTransfer(app, tx, transfer);
  const locked = await lockTransfer(tx, transfer.id);
  if (locked?.state !== 'COMPLETED') return undefined;
  const isTold = locked.kind === 'TRANSFER';
  const reopened: Transfer = {
    ...locked,
    state: 'SUBMITTED',
    finishedAt: undefined,
    feeTakenUnits: undefined,
    submittedAt: actedAt,
    leavingSince: actedAt,
    nextStepAt: actedAt,
    undoneCount: locked.undoneCount + 1,
    eventSequence: locked.eventSequence + (isTold ? 1 : 0),
  };
  noteReopened(tx, locked, reopened, actedAt);
  if (isTold) tellTransfer(app, tx, reopened, actedAt);
  const details = { transaction: locked.transaction, reason: 'a reorganisation' };
  noteTransfer(tx, reopened, { verb: 'transfer-reopen', actor: 'service', actedAt, details });
  await groundOf(app, reopened)?.reopened(tx, reopened);
  return completeEntry(locked, actedAt);
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
