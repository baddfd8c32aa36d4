// The steps of sending what is due; `start-delivery.ts` repeats them for ever with a pool.
// Guarantees: each committed event reaches each of its receivers at least once, or its delivery
// ends PARKED or DISABLED with a reason (W1). Sending happens outside any transaction, under a
// lease. Not guaranteed: exactly once, or in order. Receivers go by the event id and the sequence.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { Db } from '#db/db.ts';
import type { SendLimits, SendVia } from '#webhook/send-webhook.ts';
import { createResolver, type ResolveAddresses, type TargetRules } from '#webhook/target-guard.ts';
import type { DeliverySecrets } from './attempt-delivery.ts';
import { type Claim, claimDeliveries } from './claim-deliveries.ts';
import { DELIVERY_SCHEDULE_MS, DELIVERY_SCHEDULE_MS_MOST, withJitter } from './decide-delivery.ts';
import { type DeliveryOutcome, parkUnreachable, recordOutcomes } from './record-outcomes.ts';

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

/** Longer than the longest attempt, with room for reading the secrets. */
const LEASE_SECONDS = 60;
const LANE_PAUSE_MS_MOST = 3_600_000;
const PARKED_AT_ONCE_MOST = 1_000;
/** Of the pool: lanes whose last attempt failed, and any one merchant. */
const SHARE_OF_POOL = 4;

export const CLAIM_MOST = 50;

type ClaimShare = {
  readonly most: number;
  readonly troubledMost: number;
  /** Of one merchant under way at one time, over all workers. */
  readonly merchantMost: number;
  readonly cursor: string;
};

export function claimDue({ db, clock }: DeliveryApp, share: ClaimShare): Promise<Claim> {
  const now = clock.now();
  const leaseUntil = now.add({ seconds: LEASE_SECONDS });
  return claimDeliveries(db, { now, leaseUntil, ...share });
}

/** A quarter of the pool, so that three quarters stay free for the others. */
export function poolShare(pool: number): number {
  return Math.max(4, Math.ceil(pool / SHARE_OF_POOL));
}

/** How many of the outcomes were still ours to record. */
export async function recordAttempts(
  { db, clock, random, log }: DeliveryApp,
  outcomes: readonly DeliveryOutcome[],
): Promise<number> {
  const pausesMs = DELIVERY_SCHEDULE_MS.filter((ms) => ms > 0 && ms <= LANE_PAUSE_MS_MOST).map(
    (ms) => withJitter(ms, random),
  );
  const recorded = await recordOutcomes(db, outcomes, pausesMs, clock.now());
  const lost = outcomes.length - recorded.length;
  if (lost > 0) log.warn('webhook leases were taken over', { count: lost });
  return recorded.length;
}

/** Parks what has waited behind an open breaker for longer than the whole schedule can take. */
export async function parkOverdue({ db, clock, log }: DeliveryApp): Promise<number> {
  const now = clock.now();
  const createdBefore = now.subtract({ milliseconds: DELIVERY_SCHEDULE_MS_MOST });
  const parked = await db.single((tx) =>
    tx.query(parkUnreachable(now, createdBefore, PARKED_AT_ONCE_MOST)),
  );
  if (parked.length > 0) log.warn('unreachable webhooks parked', { count: parked.length });
  return parked.length;
}

export function sendVia({ clock, targets, resolve, limits }: DeliveryApp): SendVia {
  return { clock, targets, limits, resolve: resolve ?? createResolver() };
}
