// The stream of payments to our account, which only wakes: it may be late, silent or wrong without
// harm. One connection is kept, opened anew when Horizon ends it.
import type { Clock } from '#base/clock.ts';
import { createWake } from '#base/loop.ts';
import type { Horizon } from './horizon.ts';

export type HintStream = {
  /** Until a payment is announced, aborted, or `ms` are over. */
  wait(horizon: Horizon, ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
};

/** A Horizon that refuses streams is not asked again at once. */
const RETRY_MS = 60_000;

export function openHintStream(account: string, clock: Clock): HintStream {
  const wake = createWake();
  const closed = new AbortController();
  let isOpen = false;
  let failedMs = Number.NEGATIVE_INFINITY;

  function listen(horizon: Horizon): void {
    if (isOpen || closed.signal.aborted || clock.monotonicMs() - failedMs < RETRY_MS) return;
    isOpen = true;
    const path = `/accounts/${account}/payments`;
    horizon
      .listen(path, { cursor: 'now' }, () => wake.wake(), closed.signal)
      .catch(() => {
        failedMs = clock.monotonicMs();
      })
      .finally(() => {
        isOpen = false;
      });
  }

  return {
    async wait(horizon, ms, signal) {
      listen(horizon);
      await wake.wait(ms, signal, clock);
    },
    close: () => closed.abort(),
  };
}
