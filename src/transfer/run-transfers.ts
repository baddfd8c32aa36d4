// One bounded step of the loop that moves outgoing money: claims what is due under a lease, and
// advances each row by one step.

import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { sql, type Tx } from '#db/db.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import { isBeneficiaryAt, type SealKeys } from '#people/beneficiary.ts';
import { type Tracer, traced } from '#tracing/trace.ts';
import { type ConcludeTransferApp, concludeTransfer } from './conclude-transfer.ts';
import {
  type Executors,
  isByHand,
  type PreparedTransfer,
  type TransferExecutor,
} from './executor.ts';
import { type HoldToSendApp, holdToSend } from './hold-to-send.ts';
import {
  finishTransfer,
  isTransferSealed,
  lockTransfer,
  OPEN_TRANSFER,
  type Transfer,
  type TransferSealKeys,
} from './transfer.ts';

export type RunTransfersApp = AdvanceTransferApp & {
  /** Called after each commit that told something. */
  readonly onTransferEnded?: (() => void) | undefined;
  readonly tracer?: Tracer | undefined;
};

const MOST_PER_STEP = 50;
const AT_ONCE = 4;
/** Longer than any step takes; after a failure the row is tried again when it ends. */
const LEASE_SECONDS = 30;

export async function runTransfers(app: RunTransfersApp): Promise<'idle' | 'busy'> {
  const now = app.clock.now();
  const leaseUntil = now.add({ seconds: LEASE_SECONDS });
  // A lease: whoever gets a row alone works on it until then, and another one after that.
  const claimed = await app.db.single((tx) =>
    tx.query<object>(sql`
      update transfer set next_step_at = ${leaseUntil}
      where id = any(array(select id from transfer where next_step_at <= ${now}
        order by next_step_at limit ${MOST_PER_STEP} for update skip locked))
      returning ${OPEN_TRANSFER.columns}`),
  );
  const due = claimed.map((row) => OPEN_TRANSFER.parse(row));
  let next = 0;
  const work = async () => {
    for (let one = due[next++]; one !== undefined; one = due[next++]) await advanceOne(app, one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return due.length === MOST_PER_STEP ? 'busy' : 'idle';
}

/** A bug, or an executor that is down, in one transfer never keeps the others from being sent. */
async function advanceOne(app: RunTransfersApp, transfer: Transfer): Promise<void> {
  try {
    const span = { name: 'advance transfer', kind: 'internal' } as const;
    const hasEnded = await traced(app.tracer, span, () => advanceTransfer(app, transfer));
    if (transfer.stepFailures > 0) {
      await app.db.single((tx) =>
        tx.query(sql`
          update transfer set step_failures = 0, step_error = null where id = ${transfer.id}`),
      );
    }
    if (hasEnded) app.onTransferEnded?.();
  } catch (error) {
    app.log.error('a step of a transfer failed', { transferId: transfer.id, error });
    const reason = error instanceof Error ? error.message : String(error);
    // After several failures in a row a person is shown the reason. It is tried again when its
    // lease ends.
    await app.db.single((tx) =>
      tx.query(sql`
        update transfer set step_failures = step_failures + 1,
          step_error = case when step_failures >= 4 then ${reason} else step_error end
        where id = ${transfer.id} and finished_at is null`),
    );
  }
}

// One step of one transfer, by whoever holds its lease. What may die at any point:
//   prepare -> store what was signed and its hash -> submit -> ask what became of it.
// Guarantees: nothing is submitted that was not stored before; what was stored is submitted again,
// never signed anew, so that two transactions cannot both land; what it rests on is looked at
// before it is signed and again, locked, when that is stored; nothing is sent inside a transaction
// of the database. Not guaranteed: that a step runs in one worker only. Two of them do
// no harm.
type AdvanceTransferApp = ConcludeTransferApp &
  HoldToSendApp & {
    readonly executors: Executors;
    readonly log: Log;
    readonly keyring: SealKeys & TransferSealKeys;
    /** Told when one waits on the chain for whoever signs there, or a person. */
    readonly onHandedOver?: ((chain: ChainId) => void) | undefined;
  };

/** How often an outcome is asked for: often while it is new. */
const ASK_SECONDS = 3;
const ASK_LATER_SECONDS = 30;
const NEW_FOR_SECONDS = 120;
/** How long a row waits that was changed in the database: a person has to repair it and retry. */
const PARKED_MINUTES = 60;
/** How often a transfer that a person has to send is looked at. */
const BY_HAND_SECONDS = 60;
/** How long to wait while nobody knows whether the payment of a refund stands. */
const WAIT_SECONDS = 30;

/** Resolves with true when a transfer ended, because then somebody has to be told. */
async function advanceTransfer(app: AdvanceTransferApp, transfer: Transfer): Promise<boolean> {
  if (transfer.state === 'QUOTED') return expireQuote(app, transfer.id);
  if (transfer.byHand && mayHaveBeenSent(transfer)) return followByHand(app, transfer);
  if (transfer.signedTransaction === undefined) {
    if (!(await isTransferSealed(app.db, app.keyring, transfer))) return park(app, transfer);
    const verdict = await app.db.transact((tx) => holdToSend(app, tx, transfer));
    if (verdict.kind === 'never') return concludeTransfer(app, transfer, verdict);
    if (verdict.kind === 'lapsed') {
      return concludeTransfer(app, transfer, { kind: 'failed', reason: verdict.reason });
    }
    if (verdict.kind === 'wait') return postpone(app, transfer, verdict.until);
  }
  const { account } = transfer;
  if (account === undefined) return endUnclaimed(app, transfer);
  const executor = app.executors.get(chainOf(transfer.environment, transfer.network));
  if (executor === undefined) {
    app.log.warn('a transfer waits for its executor', { transferId: transfer.id });
    return false;
  }
  if (isByHand(executor)) return handOver(app, transfer);
  if (transfer.signedTransaction === undefined)
    return prepareAndSend(app, executor, transfer, account);
  return followUp(app, executor, transfer);
}

/**
 * It is neither sent nor given back: a row that was changed cannot be trusted in its amount either.
 */
async function park(app: AdvanceTransferApp, { id }: Transfer): Promise<boolean> {
  const reason = 'where it goes, or how much, was changed in the database';
  app.log.error('a transfer was changed in the database and is parked', { transferId: id });
  const againAt = app.clock.now().add({ minutes: PARKED_MINUTES });
  // Parks it for a person. It is also tried again by itself, in case it was repaired.
  await app.db.single((tx) =>
    tx.query(sql`
      update transfer set parked_reason = ${reason}, next_step_at = ${againAt}
      where id = ${id} and state in ('RESERVED', 'TO_SEND') and signed_transaction is null`),
  );
  return false;
}

/** Nothing of it ends by itself then: a person says so, or the chain shows it. */
function mayHaveBeenSent({ state, shownAt, askedAt, transaction }: Transfer): boolean {
  const isTold = shownAt !== undefined || askedAt !== undefined;
  return isTold || transaction !== undefined || state === 'SUBMITTED';
}

/** What the chain shows of it is found by settleDepartures; here it only stays looked at. */
async function followByHand(app: AdvanceTransferApp, { id }: Transfer): Promise<boolean> {
  const nextStepAt = app.clock.now().add({ seconds: BY_HAND_SECONDS });
  await app.db.single((tx) =>
    tx.query(sql`
      update transfer set next_step_at = ${nextStepAt}
      where id = ${id} and state in ('TO_SEND', 'SUBMITTED')`),
  );
  return false;
}

/** A person sends it; until he is told how, it still fails when what it rests on is gone. */
async function handOver(app: AdvanceTransferApp, transfer: Transfer): Promise<boolean> {
  const { id, environment, network } = transfer;
  const nextStepAt = app.clock.now().add({ seconds: BY_HAND_SECONDS });
  await app.db.single((tx) =>
    tx.query(sql`
      update transfer set state = 'TO_SEND', by_hand = true, parked_reason = null,
        next_step_at = ${nextStepAt}
      where id = ${id} and state in ('RESERVED', 'TO_SEND') and signed_transaction is null
        and account is not null`),
  );
  app.onHandedOver?.(chainOf(environment, network));
  return false;
}

/**
 * The payer still has time to answer; the row was due only because what it rests on had changed.
 */
async function endUnclaimed(app: AdvanceTransferApp, transfer: Transfer): Promise<boolean> {
  const isOver = Temporal.Instant.compare(transfer.expiresAt, app.clock.now()) <= 0;
  if (!isOver) return postpone(app, transfer);
  const reason = 'the refund was not claimed in time';
  return concludeTransfer(app, transfer, { kind: 'failed', reason });
}

async function postpone(
  app: AdvanceTransferApp,
  transfer: Transfer,
  until?: Temporal.Instant,
): Promise<boolean> {
  const soon = app.clock.now().add({ seconds: WAIT_SECONDS });
  const isClaimed = transfer.account !== undefined;
  const isOver = Temporal.Instant.compare(transfer.expiresAt, soon) <= 0;
  const at = until ?? (isClaimed || isOver ? soon : transfer.expiresAt);
  // Does nothing when somebody made it due in the meantime, because the lease is then no longer
  // ours.
  await app.db.single((tx) =>
    tx.query(sql`
      update transfer set next_step_at = ${at}
      where id = ${transfer.id} and signed_transaction is null
        and state in ('RESERVED', 'TO_SEND')
        and next_step_at = ${transfer.nextStepAt ?? null}`),
  );
  return false;
}

async function prepareAndSend(
  app: AdvanceTransferApp,
  executor: TransferExecutor,
  transfer: Transfer,
  account: ReceivingAccount,
): Promise<boolean> {
  const { id: transferId, merchantId, assetId, targetUnits: units } = transfer;
  const { beneficiaryId, network } = transfer;
  const beneficiary = { id: beneficiaryId ?? '', network, account };
  if (transfer.kind === 'TRANSFER' && !(await isBeneficiaryAt(app, transfer, beneficiary))) {
    app.log.error('the beneficiary of a transfer was changed in the database', { transferId });
    const reason = 'its beneficiary was changed in the database';
    return concludeTransfer(app, transfer, { kind: 'failed', reason });
  }
  try {
    const prepared = await executor.prepare({ transferId, merchantId, assetId, account, units });
    const isStored = await app.db.transact(async (tx) => {
      const verdict = await holdToSend(app, tx, transfer);
      return verdict.kind === 'send' && (await storePrepared(tx, transferId, prepared));
    });
    if (isStored) await submit(app, executor, { ...transfer, ...prepared });
    return false;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // It was never signed, so nothing of it can land.
    return concludeTransfer(app, transfer, { kind: 'failed', reason: error.details.join('; ') });
  }
}

/** False when another worker stored first: what it stored counts, and this is thrown away. */
async function storePrepared(
  tx: Tx,
  id: string,
  { signedTransaction, transaction }: PreparedTransfer,
): Promise<boolean> {
  const stored = await tx.query(sql`
    update transfer set signed_transaction = ${signedTransaction}, transaction = ${transaction},
      parked_reason = null
    where id = ${id} and state = 'RESERVED' and signed_transaction is null returning id`);
  return stored.length === 1;
}

/** It may have been sent or not. The executor knows, and sending it again does no harm. */
async function followUp(
  app: AdvanceTransferApp,
  executor: TransferExecutor,
  transfer: Transfer,
): Promise<boolean> {
  const outcome = await executor.outcome(transfer.transaction ?? '');
  if (outcome === 'completed') return concludeTransfer(app, transfer, { kind: 'completed' });
  if (outcome !== 'pending') {
    return concludeTransfer(app, transfer, { kind: 'failed', reason: outcome.failed });
  }
  await submit(app, executor, transfer);
  return false;
}

async function submit(
  app: AdvanceTransferApp,
  executor: TransferExecutor,
  transfer: Transfer,
): Promise<void> {
  await executor.submit(transfer.signedTransaction ?? '');
  const now = app.clock.now();
  const ageMs = now.epochMilliseconds - (transfer.submittedAt ?? now).epochMilliseconds;
  const seconds = ageMs < NEW_FOR_SECONDS * 1000 ? ASK_SECONDS : ASK_LATER_SECONDS;
  const nextStepAt = now.add({ seconds });
  await app.db.single((tx) =>
    tx.query(sql`
      update transfer set state = 'SUBMITTED', submitted_at = coalesce(submitted_at, ${now}),
        next_step_at = ${nextStepAt}
      where id = ${transfer.id} and state in ('RESERVED', 'SUBMITTED')`),
  );
}

async function expireQuote(app: AdvanceTransferApp, id: string): Promise<boolean> {
  const finishedAt = app.clock.now();
  await app.db.transact(async (tx) => {
    const locked = await lockTransfer(tx, id);
    if (locked?.state !== 'QUOTED') return;
    finishTransfer(tx, id, { state: 'EXPIRED', failure: undefined, eventSequence: 0, finishedAt });
  });
  return false;
}
