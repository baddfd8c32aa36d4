// Sends what is due. The bounded act; `start-delivery.ts` repeats it for ever with a pool.
// Guarantees: each committed event reaches each of its receivers at least once, or its delivery
// ends PARKED or DISABLED with a reason (W1). Sending happens outside any transaction, under a
// lease. Not guaranteed: exactly once, or in order. Receivers go by the event id and the sequence.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { Db } from '#db/db.ts';
import { attemptDelivery, type DeliverySecrets, rememberSecrets } from './attempt-delivery.ts';
import { deliveryScheduleMs, deliveryScheduleMsMost, withJitter } from './decide-delivery.ts';
import { type Claim, claimDeliveries } from './delivery-claim-store.ts';
import { type DeliveryOutcome, parkUnreachable, recordOutcomes } from './delivery-outcome-store.ts';
import type { SendLimits, SendVia } from './send-webhook.ts';
import { createResolver, type ResolveAddresses, type TargetRules } from './target-guard.ts';

export type DeliveryApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly secrets: DeliverySecrets;
  readonly targets: TargetRules;
  /** The name servers of the machine, if not given. */
  readonly resolve?: ResolveAddresses;
  readonly limits?: SendLimits;
};

export type DeliverySummary = {
  /** Attempts made. */
  readonly attempted: number;
  /** Attempts recorded; fewer when another worker had taken over a lease. */
  readonly recorded: number;
};

/** Longer than the longest attempt, with room for reading the secrets. */
const leaseSeconds = 60;
const lanePauseMsMost = 3_600_000;
const parkedAtOnceMost = 1_000;
/** Of the pool: lanes whose last attempt failed, and any one merchant. */
const shareOfPool = 4;

export const claimMost = 50;

/**
 * Claims at most `most` due deliveries, makes one attempt at each, all at the same time, and
 * records what came of them.
 * @throws Outage when the database is away: what was claimed is due again when its lease ends.
 */
export async function deliverEvents(
  app: DeliveryApp,
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal },
): Promise<DeliverySummary> {
  await parkOverdue(app);
  const via = sendVia(app);
  const never = new AbortController().signal;
  let attempted = 0;
  let recorded = 0;
  let cursor = '';
  do {
    const free = most - attempted;
    const claim = await claimDue(app, {
      most: free,
      troubledMost: free,
      merchantMost: most,
      cursor,
    });
    const attemptApp = { ...app, via, secrets: rememberSecrets(app.secrets) };
    const outcomes = await Promise.all(
      claim.claimed.map((delivery) => attemptDelivery(attemptApp, delivery, signal ?? never)),
    );
    if (outcomes.length > 0) recorded += await recordAttempts(app, outcomes);
    attempted += outcomes.length;
    cursor = claim.cursor;
  } while (cursor !== '' && attempted < most && !signal?.aborted);
  return { attempted, recorded };
}

export type ClaimShare = {
  readonly most: number;
  readonly troubledMost: number;
  /** Of one merchant under way at one time, over all workers. */
  readonly merchantMost: number;
  readonly cursor: string;
};

export function claimDue({ db, clock }: DeliveryApp, share: ClaimShare): Promise<Claim> {
  const now = clock.now();
  const leaseUntil = now.add({ seconds: leaseSeconds });
  return claimDeliveries(db, { now, leaseUntil, ...share });
}

/** A quarter: whoever misbehaves leaves three quarters to the others. */
export function poolShare(pool: number): number {
  return Math.max(4, Math.ceil(pool / shareOfPool));
}

/** How many of the outcomes were still ours to record. */
export async function recordAttempts(
  { db, clock, random, log }: DeliveryApp,
  outcomes: readonly DeliveryOutcome[],
): Promise<number> {
  const pausesMs = deliveryScheduleMs
    .filter((ms) => ms > 0 && ms <= lanePauseMsMost)
    .map((ms) => withJitter(ms, random));
  const recorded = await recordOutcomes(db, outcomes, pausesMs, clock.now());
  const lost = outcomes.length - recorded.length;
  if (lost > 0) log.warn('webhook leases were taken over', { count: lost });
  return recorded.length;
}

/** Parks what has waited behind an open breaker for longer than the whole schedule can take. */
export async function parkOverdue({ db, clock, log }: DeliveryApp): Promise<number> {
  const now = clock.now();
  const createdBefore = now.subtract({ milliseconds: deliveryScheduleMsMost });
  const parked = await db.single((tx) =>
    tx.query(parkUnreachable(now, createdBefore, parkedAtOnceMost)),
  );
  if (parked.length > 0) log.warn('unreachable webhooks parked', { count: parked.length });
  return parked.length;
}

export function sendVia({ clock, targets, resolve, limits }: DeliveryApp): SendVia {
  return { clock, targets, limits, resolve: resolve ?? createResolver() };
}
