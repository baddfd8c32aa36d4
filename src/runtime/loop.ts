// The shape of every background job: a step that is repeated for ever. Guarantees: one step at a
// time; a step that throws is logged and tried again with growing pauses, so the loop never dies; a
// wake is never lost; after `stop` has resolved no step runs and none will.
// Not guaranteed: that no other process runs the same loop (leases in the database see to that).
import { setImmediate as yieldTurn } from 'node:timers/promises';
import { assert } from '#base/assert.ts';
import { type Clock, SLEEP_MS_MAX } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';

export type LoopHealth = {
  readonly name: string;
  /** End of the last step that did not throw. */
  readonly lastOkAt?: Temporal.Instant;
  /** Message of the last step that threw, kept after a recovery: see consecutiveFailures. */
  readonly lastError?: string;
  readonly consecutiveFailures: number;
  /** Steps that have ended, well or not. */
  readonly steps: number;
};

export interface Loop {
  /** Aborts the signal of the running step and waits for its end. May be called again. */
  stop(): Promise<void>;
  health(): LoopHealth;
}

export interface Wake {
  /** Ends every wait under way; when nobody waits, the next wait ends at once. */
  wake(): void;
  /** Until woken, aborted or `ms` are over, whichever is first. Aborting does not reject. */
  wait(ms: number, signal: AbortSignal, clock: Clock): Promise<void>;
}

export type LoopOptions = {
  readonly name: string;
  /** 'busy' when there may be more to do: the next step follows at once. */
  readonly step: (signal: AbortSignal) => Promise<'idle' | 'busy'>;
  /** Pause after an idle step; a wake cuts it short. */
  readonly idleMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly wake?: Wake;
  /** Pause after the first failure, doubled with each further one up to `most`. */
  readonly backoffMs?: { readonly first: number; readonly most: number };
};

export function startLoop(options: LoopOptions): Loop {
  const { name, step, idleMs, clock, backoffMs = { first: 500, most: 30_000 } } = options;
  assert(idleMs > 0 && idleMs <= SLEEP_MS_MAX, `loop ${name} cannot idle ${idleMs} ms`);
  const { first, most } = backoffMs;
  assert(first > 0 && first <= most && most <= SLEEP_MS_MAX, `loop ${name} cannot back off so`);
  const log = options.log.with({ loop: name });
  const wake = options.wake ?? createWake();
  // A wake must not shorten the pause after a failure, so that pause waits for this one.
  const neverWoken = createWake();
  const controller = new AbortController();
  const { signal } = controller;
  let health: LoopHealth = { name, consecutiveFailures: 0, steps: 0 };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const outcome = await step(signal);
        health = { ...health, lastOkAt: clock.now(), consecutiveFailures: 0 };
        health = { ...health, steps: health.steps + 1 };
        // A step that never waits for anything must not starve the rest of the process.
        if (outcome === 'busy') await yieldTurn();
        else await wake.wait(idleMs, signal, clock);
      } catch (error) {
        if (signal.aborted) return noteEnd(error);
        const consecutiveFailures = health.consecutiveFailures + 1;
        const lastError = error instanceof Error ? error.message : String(error);
        health = { ...health, lastError, consecutiveFailures, steps: health.steps + 1 };
        const pauseMs = pauseAfter(error, consecutiveFailures, backoffMs);
        noteFailure(error, { consecutiveFailures, pauseMs });
        await neverWoken.wait(pauseMs, signal, clock);
      }
    }
  }

  function noteFailure(error: unknown, fields: Record<string, unknown>): void {
    // An outage is expected and repeats: its stack would only bury the other lines.
    if (error instanceof Outage) {
      log.warn('loop step met an outage', { ...fields, what: error.what, reason: error.message });
    } else {
      log.error('loop step failed', { ...fields, error });
    }
  }

  function noteEnd(error: unknown): void {
    const isAbort =
      error === signal.reason || (error instanceof Error && error.name === 'AbortError');
    if (!isAbort) log.warn('loop step failed while stopping', { error });
  }

  const ended = run();
  return {
    async stop() {
      controller.abort();
      await ended;
    },
    health: () => health,
  };
}

export function createWake(): Wake {
  const waiting = new Set<AbortController>();
  let isRemembered = false;
  return {
    wake() {
      isRemembered = waiting.size === 0;
      for (const waiter of waiting) waiter.abort();
    },
    async wait(ms, signal, clock) {
      if (isRemembered) {
        isRemembered = false;
        return;
      }
      if (signal.aborted) return;
      const waiter = new AbortController();
      const abort = () => waiter.abort();
      // One listener that is taken away again: those of AbortSignal.any would pile up on a signal
      // that lives for days.
      signal.addEventListener('abort', abort, { once: true });
      waiting.add(waiter);
      try {
        await clock.sleep(ms, waiter.signal);
      } catch (error) {
        if (!waiter.signal.aborted) throw error;
      } finally {
        waiting.delete(waiter);
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

function pauseAfter(
  error: unknown,
  failures: number,
  { first, most }: { readonly first: number; readonly most: number },
): number {
  const backoffMs = Math.min(most, first * 2 ** Math.min(failures - 1, 30));
  const askedMs = error instanceof Outage ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.min(SLEEP_MS_MAX, Math.max(backoffMs, askedMs));
}
