// Hints that an invoice was paid, from a stream or a long question of the node. Whatever happens to
// it, waiting ends after the time given: hints make it sooner, they decide nothing.

import type { Clock } from '#base/clock.ts';
import { createWake } from '#base/loop.ts';

type PaymentListener = {
  wait(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
};

/** After a stream ended or could not be had. */
const PAUSE_MS = 1000;

/** `listen` runs until the node ends it; the listener opens it again while somebody waits. */
export function paymentListener(
  clock: Clock,
  listen: (onPayment: () => void, signal: AbortSignal) => Promise<void>,
): PaymentListener {
  const wake = createWake();
  const closed = new AbortController();
  let isListening = false;

  async function run(): Promise<void> {
    isListening = true;
    try {
      await listen(() => wake.wake(), closed.signal);
      // What was paid while nobody listened is found by looking.
      wake.wake();
    } catch {
      // The next look says what is wrong with the node.
    }
    try {
      await clock.sleep(PAUSE_MS, closed.signal);
    } catch {
      // The listener was closed.
    }
    isListening = false;
  }

  return {
    async wait(ms, signal) {
      if (!isListening && !closed.signal.aborted) void run();
      await wake.wait(ms, signal, clock);
    },
    close: () => closed.abort(),
  };
}
