// The steps of sending what is due; `start-delivery.ts` repeats them for ever with a pool.
// Guarantees: each committed event reaches each of its receivers at least once, or its delivery
// ends PARKED or DISABLED with a reason (W1). Sending happens outside any transaction, under a
// lease, and to one receiver events of one subject in their order, as long as they are answered.
// Not guaranteed: exactly once, or any other order. Receivers go by the event id and the sequence.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type Random, withJitter } from '#base/random.ts';
import { Outage } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { speakDialect } from '#dialect/speak-dialect.ts';
import type { WebhookSecrets } from '#merchant/merchant-secret.ts';
import type { Tracer } from '#tracing/trace.ts';
import { eventTextIn } from '#versions/adapt-version.ts';
import { keptApiVersion, VERSION_HEADER } from '#versions/api-version.ts';
import { type Attempt, type SendLimits, type SendVia, sendWebhook } from '#webhook/send-webhook.ts';
import { signWebhook } from '#webhook/sign-webhook.ts';
import { createResolver, type ResolveAddresses, type TargetRules } from '#webhook/target-guard.ts';
import {
  type Claim,
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryOutcome,
  type LaneRoom,
  parkUnreachable,
  recordOutcomes,
} from './claim-deliveries.ts';
import {
  DELIVERY_SCHEDULE_MS,
  DELIVERY_SCHEDULE_MS_MOST,
  type DeliveryDecision,
  decideDelivery,
} from './decide-delivery.ts';
import { DISABLED_REASON } from './delivery.ts';

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
  /** Told of each attempt that was recorded. */
  readonly onAttempt?: ((outcome: DeliveryOutcome) => void) | undefined;
  readonly tracer?: Tracer | undefined;
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
  /** Lanes that have room for more than a new one. */
  readonly wide?: readonly LaneRoom[];
};

/** Of a lane that has answered nothing yet, as far as is known here. */
export const NEW_LANE_MOST = 2;

export function claimDue({ db, clock }: DeliveryApp, share: ClaimShare): Promise<Claim> {
  const now = clock.now();
  const leaseUntil = now.add({ seconds: LEASE_SECONDS });
  const { wide = [] } = share;
  return claimDeliveries(db, { now, leaseUntil, ...share, laneMost: NEW_LANE_MOST, wide });
}

/** A quarter of the pool, so that three quarters stay free for the others. */
export function poolShare(pool: number): number {
  return Math.max(4, Math.ceil(pool / SHARE_OF_POOL));
}

/** How many of the outcomes were still ours to record. */
export async function recordAttempts(
  { db, clock, random, log, onAttempt }: DeliveryApp,
  outcomes: readonly DeliveryOutcome[],
): Promise<number> {
  const pausesMs = DELIVERY_SCHEDULE_MS.filter((ms) => ms > 0 && ms <= LANE_PAUSE_MS_MOST).map(
    (ms) => withJitter(ms, random),
  );
  const recorded = await recordOutcomes(db, outcomes, pausesMs, clock.now());
  const lost = outcomes.length - recorded.length;
  if (lost > 0) log.warn('webhook leases were taken over', { count: lost });
  const ours = new Set(recorded);
  for (const outcome of outcomes.filter(({ id }) => ours.has(id))) {
    const { id, state, status, error, durationMs } = outcome;
    log.info('webhook', { deliveryId: id, state, status, error, durationMs });
    onAttempt?.(outcome);
  }
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

// From a leased delivery to what is to be recorded about it. Never rejects: whatever goes wrong on
// our side is an attempt that failed without blaming the receiver's lane.

/** Where the secrets come from; they are asked for once a batch and never kept. */
type DeliverySecrets = {
  /** For the webhook URL of a checkout. */
  webhookSecrets(
    merchantId: string,
    environment: Environment,
    now: Temporal.Instant,
  ): Promise<WebhookSecrets>;
  endpointSecrets(endpointId: string, now: Temporal.Instant): Promise<WebhookSecrets>;
  /** Text of the current API secret; undefined for a revoked key: no X-Webhook-Auth then. */
  apiSecret(apiKey: string, now: Temporal.Instant): Promise<string | undefined>;
};

type AttemptApp = {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly secrets: DeliverySecrets;
  readonly via: SendVia;
};

export async function attemptDelivery(
  app: AttemptApp,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  if (delivery.isEndpointDisabled) return notSent(app, delivery, DISABLED_REASON);
  let signed: SignedDelivery;
  try {
    signed = await signDelivery(app, delivery);
  } catch (error) {
    const { eventId, merchantId } = delivery;
    app.log.error('webhook could not be signed', { eventId, merchantId, error });
    const why = error instanceof Outage ? 'secrets are unavailable' : 'could not be signed';
    return notSent(app, delivery, why);
  }
  const { url, environment } = delivery;
  const attempt = await sendWebhook(app.via, { url, environment, ...signed }, signal);
  return toOutcome(app, delivery, attempt, false);
}

/** Recorded as a failed attempt; what is switched off becomes DISABLED when it is recorded. */
function notSent(app: AttemptApp, delivery: ClaimedDelivery, why: string): DeliveryOutcome {
  const answer = { kind: 'failed', error: `not sent: ${why}` } as const;
  return toOutcome(app, delivery, { attemptedAt: app.clock.now(), durationMs: 0, answer }, true);
}

type SignedDelivery = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

async function signDelivery(
  { clock, secrets }: AttemptApp,
  delivery: ClaimedDelivery,
): Promise<SignedDelivery> {
  const { endpointId, merchantId, environment, apiKey, eventId, body, format } = delivery;
  const at = clock.now();
  const [signing, apiSecret] = await Promise.all([
    endpointId === undefined
      ? secrets.webhookSecrets(merchantId, environment, at)
      : secrets.endpointSecrets(endpointId, at),
    apiKey === undefined ? undefined : secrets.apiSecret(apiKey, at),
  ]);
  if (format !== 'QUITTANCE' && endpointId !== undefined) {
    const attempt = delivery.attemptCount + 1;
    const about = { deliveryId: String(delivery.id), endpointId, merchantId, attempt };
    return speakDialect(format, body, about, signing.current);
  }
  const told = eventTextIn(keptApiVersion(delivery.apiVersion), body);
  const signed = signWebhook({ id: eventId, body: told.body, at, secrets: signing, apiSecret });
  return { headers: { ...signed, [VERSION_HEADER]: told.version }, body: told.body };
}

function toOutcome(
  { clock, random }: AttemptApp,
  { id, epoch, attemptCount }: ClaimedDelivery,
  { attemptedAt, durationMs, answer }: Attempt,
  isOurFault: boolean,
): DeliveryOutcome {
  const decision = decideDelivery(answer, attemptCount + 1, clock.now(), random);
  const isAnswered = decision.kind === 'delivered' || decision.kind === 'disabled';
  const isRetry = decision.kind === 'retry';
  return {
    id,
    epoch,
    state: stateAfter(decision),
    nextAttemptAt: isRetry ? decision.at : undefined,
    reason: 'reason' in decision ? decision.reason : undefined,
    attemptedAt,
    durationMs,
    status: answer.kind === 'answered' ? answer.status : undefined,
    error: answer.kind === 'failed' ? answer.error : undefined,
    answerExcerpt: answer.kind === 'answered' ? answer.excerpt : undefined,
    laneEffect: isOurFault ? 'none' : isAnswered ? 'answered' : 'failed',
    holdUntil: isRetry ? decision.holdUntil : undefined,
  };
}

function stateAfter({ kind }: DeliveryDecision): DeliveryOutcome['state'] {
  switch (kind) {
    case 'delivered':
      return 'DELIVERED';
    case 'retry':
      return 'PENDING';
    case 'parked':
      return 'PARKED';
    case 'disabled':
      return 'DISABLED';
  }
}

/** Asks for each secret once; made anew for each batch, so that a revoked one is gone at once. */
export function rememberSecrets(secrets: DeliverySecrets): DeliverySecrets {
  const ofMerchant = onceEach<Awaited<ReturnType<DeliverySecrets['webhookSecrets']>>>();
  const ofEndpoint = onceEach<Awaited<ReturnType<DeliverySecrets['endpointSecrets']>>>();
  const ofKey = onceEach<Awaited<ReturnType<DeliverySecrets['apiSecret']>>>();
  return {
    webhookSecrets: (merchantId, environment, now) =>
      ofMerchant(`${merchantId} ${environment}`, () =>
        secrets.webhookSecrets(merchantId, environment, now),
      ),
    endpointSecrets: (endpointId, now) =>
      ofEndpoint(endpointId, () => secrets.endpointSecrets(endpointId, now)),
    apiSecret: (apiKey, now) => ofKey(apiKey, () => secrets.apiSecret(apiKey, now)),
  };
}

function onceEach<Value>(): (key: string, ask: () => Promise<Value>) => Promise<Value> {
  const answers = new Map<string, Promise<Value>>();
  return (key, ask) => {
    const known = answers.get(key) ?? ask();
    answers.set(key, known);
    return known;
  };
}
