// Hints of a node that something happened, from a stream or a long question. Whatever happens to
// it, waiting ends after the time given: hints make it sooner, they decide nothing.

import type { Clock } from '#base/clock.ts';
import { createWake } from '#runtime/loop.ts';

type NodeListener = {
  wait(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
};

type NodeListenerOptions = {
  readonly clock: Clock;
  /** Runs until the node ends it; it is opened again while somebody waits. */
  readonly listen: (wake: () => void, signal: AbortSignal) => Promise<void>;
  /** Before it is opened again where it could not be had. */
  readonly retryMs: number;
};

/** After a stream ended. */
const PAUSE_MS = 1000;

export function nodeListener({ clock, listen, retryMs }: NodeListenerOptions): NodeListener {
  const wake = createWake();
  const closed = new AbortController();
  let isListening = false;

  async function run(): Promise<void> {
    isListening = true;
    let pauseMs = PAUSE_MS;
    try {
      await listen(() => wake.wake(), closed.signal);
      // What happened while nobody listened is found by looking.
      wake.wake();
    } catch {
      // The next look says what is wrong with the node.
      pauseMs = retryMs;
    }
    try {
      await clock.sleep(pauseMs, closed.signal);
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
