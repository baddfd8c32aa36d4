// Who shows a checkout is told at once when it changes. A topic is the id of a checkout, or a chain
// (its height changed). What this process does is told where it happens; what other processes did
// is found by tell-changes.ts.
//
// Guarantees: whoever listens before it reads misses nothing, whichever process wrote it. Not
// guaranteed: that something changed. Who is told looks, and may find everything as it was.

export type Changes = {
  tell(topic: string): void;
  tellAll(): void;
  /** Calls back after every telling, until the returned function is called. */
  listen(topic: string, onTold: () => void): () => void;
  /** Resolves when the topic was told of, after `ms`, or when the signal aborts. Never rejects. */
  wait(topic: string, ms: number, signal: AbortSignal): Promise<void>;
  isAnyoneListening(): boolean;
  /** The process is about to end: all are told, and nobody should wait any more. */
  end(): void;
  hasEnded(): boolean;
};

export function createChanges(): Changes {
  const listeners = new Map<string, Set<() => void>>();
  let hasEnded = false;

  // A listener may leave, and another come, while it is told.
  const tell = (topic: string) => {
    for (const onTold of [...(listeners.get(topic) ?? [])]) onTold();
  };
  const tellAll = () => {
    for (const topic of [...listeners.keys()]) tell(topic);
  };
  const listen = (topic: string, onTold: () => void) => {
    const known = listeners.get(topic) ?? new Set();
    listeners.set(topic, known);
    // Its own function: the same callback may listen twice.
    const listener = () => onTold();
    known.add(listener);
    return () => {
      known.delete(listener);
      if (known.size === 0 && listeners.get(topic) === known) listeners.delete(topic);
    };
  };
  return {
    tell,
    tellAll,
    listen,
    async wait(topic, ms, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      const leave = listen(topic, resolve);
      const abort = () => resolve();
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) resolve();
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      leave();
    },
    isAnyoneListening: () => listeners.size > 0,
    end() {
      hasEnded = true;
      tellAll();
    },
    hasEnded: () => hasEnded,
  };
}
