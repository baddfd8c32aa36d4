// Who waits for a checkout to change is told at once when the change happens in this process, and
// looks again after a while in any case: another process may have made it.

export type Changes = {
  tell(checkoutId: string): void;
  /**
   * Resolves when the checkout was told of, after `ms`, or when the signal aborts. Never rejects.
   */
  wait(checkoutId: string, ms: number, signal: AbortSignal): Promise<void>;
};

export function createChanges(): Changes {
  const waiting = new Map<string, Set<() => void>>();
  return {
    tell(checkoutId) {
      const told = waiting.get(checkoutId);
      waiting.delete(checkoutId);
      for (const wake of told ?? []) wake();
    },
    wait(checkoutId, ms, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      const waiters = waiting.get(checkoutId) ?? new Set();
      waiting.set(checkoutId, waiters);
      waiters.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      return promise.finally(() => {
        clearTimeout(timer);
        waiters.delete(resolve);
        if (waiters.size === 0 && waiting.get(checkoutId) === waiters) waiting.delete(checkoutId);
      });
    },
  };
}
