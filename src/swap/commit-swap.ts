// Carries out a swap at its quote. Guarantees: a swap is posted once, whoever commits it how often
// (the row is locked, and the cause key is unique); posting, state and event are one transaction;
// the balance never goes below zero for it (constraint of the ledger), nor below what the merchant
// owes. A swap that the balance
// refused is FAILED for good: another attempt needs another quote.

import type { Caller } from '#access/caller.ts';
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import { ConstraintViolation, type Db, type Reader, type Tx } from '#db/db.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { leavesDebtCovered } from '#ledger/account.ts';
import { accountsOf, type Entry, type EntryPosting } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import type { Wake } from '#runtime/loop.ts';
import {
  findLimitAbove,
  requireWithinLimits,
  type SpendingApp,
} from '#spending/require-within-limits.ts';
import { isSamePerson } from '#spending/same-person.ts';
import { type ExposureApp, requireCover, requireExchange } from '#treasury/exposure.ts';
import { reserveHedges } from '#treasury/reserve-hedges.ts';
import {
  conversionOf,
  findSwap,
  finishSwap,
  lockSwap,
  type Swap,
  swapStateAt,
  swapView,
} from './swap.ts';

type SwapCommit = {
  readonly swapId: string;
  readonly owner: Owner;
  /** Absent: nobody who could be the second person. */
  readonly committer?: Committer;
};

/** A key, or a person, as the trail names him. `scopes`: undefined: everything. */
type Committer = Pick<Swap, 'apiKey'> & Partial<Pick<Swap, 'maker'> & Pick<Caller, 'scopes'>>;

export type CommitSwapApp = ExposureApp &
  SpendingApp & {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    /** Absent where nothing is delivered in this process: the loop looks by itself. */
    readonly wakes?: { readonly deliver: Wake } | undefined;
  };

/**
 * Repeating it answers the same.
 * @throws Refusal missing `swap_missing`; conflict `swap_expired`, `balance_too_low`,
 * `conversion_not_covered`, `spending_limit`; unavailable `exchange_missing`.
 */
export async function commitSwap(
  app: CommitSwapApp,
  { swapId, owner, committer }: SwapCommit,
): Promise<Swap> {
  const known = await findSwap(app, owner, swapId);
  if (known === undefined) throw swapMissing();
  requireExchange(app, known.environment);
  const accounts = accountsOf([swapEntry(known, app.clock.now())]);
  await ensureAccounts(app.db, accounts);
  const swap = await carryOut(app, known, committer);
  app.wakes?.deliver.wake();
  if (swap.state !== 'FAILED') return swap;
  throw new Refusal('conflict', 'balance_too_low', swap.failure ?? 'the swap failed');
}

/** The swap as it is then: COMPLETED or FAILED. */
async function carryOut(
  app: CommitSwapApp,
  { id, sourceAssetId }: Swap,
  committer: SwapCommit['committer'],
): Promise<Swap> {
  const failure = `the available balance of ${sourceAssetId} is too low`;
  try {
    return await finish(app, id, { state: 'COMPLETED' }, committer);
  } catch (error) {
    if (!isOverdraft(error)) throw error;
  }
  try {
    return await finish(app, id, { state: 'FAILED', failure }, committer);
  } catch (error) {
    if (!isOverdraft(error)) throw error;
    // Part of a transaction that has failed already: nothing of it is left, and the quote stands.
    throw new Refusal('conflict', 'balance_too_low', failure, { cause: error });
  }
}

function isOverdraft(error: unknown): boolean {
  return (
    error instanceof ConstraintViolation && error.constraint === 'ledger_account_not_overdrawn'
  );
}

function finish(
  app: CommitSwapApp,
  id: string,
  end: { readonly state: 'COMPLETED' | 'FAILED'; readonly failure?: string },
  committer?: SwapCommit['committer'],
): Promise<Swap> {
  return app.db.transact(async (tx) => {
    const swap = await lockSwap(tx, id);
    if (swap === undefined) throw swapMissing();
    if (swap.state !== 'QUOTED') return swap;
    const now = app.clock.now();
    if (swapStateAt(swap, now) === 'EXPIRED') {
      const message = 'the quote of this swap is over: ask for another one';
      throw new Refusal('conflict', 'swap_expired', message);
    }
    if (end.state === 'COMPLETED') {
      await requireCover(app, tx, swap, conversionOf(swap), now);
      await requireSecondKey(app, tx, swap, committer);
      const taken = { ...conversionOf(swap).from, isConversion: true };
      await requireWithinLimits(app, tx, swap, taken, now);
    }
    const isOwed = end.state === 'COMPLETED' && !(await leavesOwed(tx, swap));
    const finished = { ...swap, ...(isOwed ? { state: 'FAILED' as const, failure: OWED } : end) };
    tx.send(finishSwap(id, { state: finished.state, failure: finished.failure ?? null }, now));
    tellSwap(app, tx, finished, now);
    const { environment, merchantId, sourceAssetId, targetAssetId } = swap;
    noteAct(tx, {
      ...{ actedAt: now, verb: `swap-${finished.state === 'COMPLETED' ? 'commit' : 'fail'}` },
      ...{ actor: nameOf(committer ?? swap) ?? 'service', subject: `swap:${id}` },
      ...{ environment, merchantId },
      details: { from: sourceAssetId, units: `${swap.sourceUnits}`, to: targetAssetId },
    });
    if (finished.state === 'COMPLETED') {
      const entries = [swapEntry(swap, now)];
      reserveHedges(tx, entries);
      // Posted last, because everybody who converts waits for these accounts until COMMIT.
      postEntries(tx, entries);
    }
    return finished;
  });
}

/**
 * A quote ends too soon for anybody to be asked, so the second person is who commits it.
 * @throws Refusal conflict `second_person`
 */
async function requireSecondKey(
  app: CommitSwapApp,
  tx: Tx,
  swap: Swap,
  committer: SwapCommit['committer'],
): Promise<void> {
  const amount = conversionOf(swap).from;
  const now = app.clock.now();
  const above = await findLimitAbove(app, tx, swap, 'TWO_PEOPLE', { amount, now });
  const mayApprove = committer?.scopes === undefined || committer.scopes.includes('approve');
  if (above === undefined) return;
  if (mayApprove && (await isAnother(tx, committer, swap))) return;
  throw new Refusal('conflict', 'second_person', [
    'it is above the limit of one person: another key, with the scope approve, has to commit it',
  ]);
}

async function isAnother(
  reader: Reader,
  committer: SwapCommit['committer'],
  swap: Swap,
): Promise<boolean> {
  const [who, maker] = [committer && nameOf(committer), nameOf(swap)];
  if (who === undefined) return false;
  if (maker === undefined) return true;
  return !(await isSamePerson(reader, who, maker));
}

/** As the trail has it; undefined where nobody is known. */
function nameOf({ maker, apiKey }: Committer): string | undefined {
  return maker ?? (apiKey && `key ${apiKey}`);
}

const OWED =
  'the balance is too low for this amount: what is owed for refunds whose payments were lost is ' +
  'not available for swaps';

function leavesOwed(tx: Tx, swap: Swap): Promise<boolean> {
  const { merchantId, environment, sourceAssetId: assetId, sourceUnits: units } = swap;
  return leavesDebtCovered(tx, { merchantId, environment, assetId, units });
}

function tellSwap(app: CommitSwapApp, tx: Tx, swap: Swap, now: Temporal.Instant): void {
  const id = newId(app.random);
  const type = swap.state === 'COMPLETED' ? 'SWAP_COMPLETED' : 'SWAP_FAILED';
  const data = JSON.stringify({ swap: swapView(swap, now) });
  enqueueEvent(tx, {
    id,
    merchantId: swap.merchantId,
    environment: swap.environment,
    type,
    subject: 'swap',
    subjectId: swap.id,
    sequence: 1,
    causeKey: `swap:${swap.id}:finished`,
    data,
    apiKey: swap.apiKey,
    createdAt: now,
  });
}

function swapMissing(): Refusal {
  return new Refusal('missing', 'swap_missing', 'no such swap');
}

// The posting of a swap: two legs over the exchange accounts, each balanced in its own asset (L8).
// Debit positive, credit negative; docs/money.md has the chart of accounts.
export function swapEntry(swap: Swap, occurredAt: Temporal.Instant): Entry {
  const { merchantId, sourceAssetId, targetAssetId, sourceUnits, targetUnits, feeUnits } = swap;
  const available = { merchantId, code: 'merchant:available' as const };
  const exchange = { code: 'exchange' as const };
  const postings: EntryPosting[] = [
    { account: available, assetId: sourceAssetId, units: sourceUnits },
    { account: exchange, assetId: sourceAssetId, units: -sourceUnits },
    { account: exchange, assetId: targetAssetId, units: targetUnits + feeUnits },
    { account: available, assetId: targetAssetId, units: -targetUnits },
    { account: { code: 'fees' }, assetId: targetAssetId, units: -feeUnits },
  ];
  return {
    causeKey: `swap:${swap.id}`,
    kind: 'swap',
    environment: swap.environment,
    merchantId,
    subjectId: swap.id,
    evidence: swap.rates,
    occurredAt,
    postings: postings.filter(({ units }) => units !== 0n),
  };
}
