// The delivery loop of a process: a pool of attempts under way, filled by claims. Guarantees: an
// attempt that takes long occupies its own place only; the next claim does not wait for it.
// Not guaranteed: which process delivers what. Any number of them may run.

import { Outage } from '#base/refusal.ts';
import { createWake, type LoopHealth, startLoop, type Wake } from '#runtime/loop.ts';
import { traced } from '#tracing/trace.ts';
import {
  type ClaimedDelivery,
  type DeliveryOutcome,
  releaseDeliveries,
} from './claim-deliveries.ts';
import {
  attemptDelivery,
  CLAIM_MOST,
  claimDue,
  type DeliveryApp,
  NEW_LANE_MOST,
  parkOverdue,
  poolShare,
  recordAttempts,
  rememberSecrets,
  sendVia,
} from './deliver-events.ts';
import { widenLanes } from './widen-lanes.ts';

type DeliveryOptions = {
  /** Attempts under way at one time in this process. */
  readonly concurrency?: number;
  /** Of one lane that answers, over all processes. */
  readonly laneMost?: number;
  /** Woken after a commit that wrote an event, so that the first attempt starts at once. */
  readonly wake?: Wake;
  /** How long `stop` waits for attempts under way before it gives them up. */
  readonly graceMs?: number;
};

type DeliveryLoop = {
  health(): LoopHealth & { readonly underWay: number };
  /** What is given up is due again at once, for whoever runs next. */
  stop(): Promise<void>;
};

/** Events that another process wrote wait no longer than this. */
const IDLE_MS = 500;
/**
 * Of one lane at one time. A receiver that takes half a second gets forty in a second with twenty
 * of them; the rest makes up for the time in which an answer is recorded and a place filled again.
 */
const LANE_MOST = 32;
const PARK_EVERY_MS = 600_000;
const RECORD_RETRIES_MOST = 20;
const RECORD_RETRY_MS = 500;

export function startDelivery(app: DeliveryApp, options: DeliveryOptions = {}): DeliveryLoop {
  const { concurrency = 200, wake = createWake(), graceMs = 3_000 } = options;
  const lanes = widenLanes({ least: NEW_LANE_MOST, most: options.laneMost ?? LANE_MOST });
  const { clock, log } = app;
  const via = sendVia(app);
  const giveUp = new AbortController();
  const underWay = new Map<ClaimedDelivery, Promise<void>>();
  const record = createRecorder(app, wake);
  let cursor = '';
  let parkedAtMs: number | undefined;

  async function step(): Promise<'idle' | 'busy'> {
    if (parkedAtMs === undefined || clock.monotonicMs() - parkedAtMs >= PARK_EVERY_MS) {
      await parkOverdue(app);
      parkedAtMs = clock.monotonicMs();
    }
    const free = concurrency - underWay.size;
    // Each attempt that was recorded wakes the loop.
    if (free <= 0) return 'idle';
    const troubled = underWay.keys().filter(({ isTroubled }) => isTroubled);
    const merchantMost = poolShare(concurrency);
    const troubledMost = Math.max(0, merchantMost - [...troubled].length);
    const most = Math.min(free, CLAIM_MOST);
    const wide = lanes.list();
    const claim = await claimDue(app, { most, troubledMost, merchantMost, cursor, wide });
    cursor = claim.cursor;
    const secrets = rememberSecrets(app.secrets);
    for (const delivery of claim.claimed) {
      underWay.set(delivery, attempt({ ...app, via, secrets }, delivery));
    }
    // A full claim may have left something; an unfinished walk has not seen every lane.
    return claim.claimed.length === most || cursor !== '' ? 'busy' : 'idle';
  }

  async function attempt(attemptApp: AttemptApp, delivery: ClaimedDelivery): Promise<void> {
    try {
      const outcome = await tracedAttempt(attemptApp, delivery, giveUp.signal);
      const isGivenUp = giveUp.signal.aborted && outcome.status === undefined;
      if (isGivenUp) await release(app, delivery);
      else {
        lanes.note(delivery.lane, outcome.laneEffect);
        record.add(outcome);
      }
    } catch (error) {
      // A bug of ours: the lease ends by itself and the delivery is due again.
      log.error('webhook attempt failed', { eventId: delivery.eventId, error });
    }
    // Nobody is woken yet: until it is recorded its place in the lane is taken, and a claim that
    // finds nothing would be in the way of the one that does.
    underWay.delete(delivery);
  }

  const loop = startLoop({ name: 'deliver', step, idleMs: IDLE_MS, clock, log, wake });
  return {
    health: () => ({ ...loop.health(), underWay: underWay.size }),
    async stop() {
      await loop.stop();
      const timer = setTimeout(() => giveUp.abort(new Error('the service is stopping')), graceMs);
      await Promise.all(underWay.values());
      clearTimeout(timer);
      await record.end();
    },
  };
}

type AttemptApp = Parameters<typeof attemptDelivery>[0] & Pick<DeliveryApp, 'tracer'>;

/** Belongs to what wrote the event, however long ago and in whichever process. */
function tracedAttempt(
  app: AttemptApp,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { traceParent: parent, attemptCount } = delivery;
  const attributes = { 'http.request.method': 'POST', 'quittance.attempt': attemptCount + 1 };
  return traced(
    app.tracer,
    { name: 'webhook', kind: 'client', parent, attributes },
    async (span) => {
      const outcome = await attemptDelivery(app, delivery, signal);
      const { state, status } = outcome;
      span.set({ 'quittance.state': state });
      if (status !== undefined) span.set({ 'http.response.status_code': status });
      if (state !== 'DELIVERED') span.fail(status === undefined ? 'no answer' : String(status));
      return outcome;
    },
  );
}

async function release({ db, log }: DeliveryApp, delivery: ClaimedDelivery): Promise<void> {
  try {
    await db.single(async (tx) => tx.query(releaseDeliveries([delivery])));
  } catch (error) {
    // The lease ends by itself.
    log.warn('webhook lease could not be given back', { eventId: delivery.eventId, error });
  }
}

/** Writes what has piled up while the write before was under way: batches by themselves. */
function createRecorder(app: DeliveryApp, wake: Wake) {
  const waiting: DeliveryOutcome[] = [];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    // Attempts that end in the same turn go into the same statement.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      await writeBatch(waiting.splice(0, CLAIM_MOST));
      // A place in each of these lanes is free again.
      wake.wake();
    }
  }

  async function writeBatch(batch: readonly DeliveryOutcome[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await recordAttempts(app, batch);
        return;
      } catch (error) {
        // Lost outcomes cost a second delivery when the lease ends, never a missing one.
        if (!(error instanceof Outage) || tries === RECORD_RETRIES_MOST) {
          app.log.error('webhook attempts could not be recorded', { count: batch.length, error });
          return;
        }
        await app.clock.sleep(RECORD_RETRY_MS);
      }
    }
  }

  function start(): void {
    writing ??= write().finally(() => {
      writing = undefined;
      if (waiting.length > 0) start();
    });
  }

  return {
    add(outcome: DeliveryOutcome): void {
      waiting.push(outcome);
      start();
    },
    async end(): Promise<void> {
      while (writing !== undefined) await writing;
    },
  };
}
