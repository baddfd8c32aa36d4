// What our account looks like, as a node said it last. Guarantees: who asks is answered at once,
// with the picture of a minute ago; an old one is asked for again, and nobody waits for that.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';

export type KeptState<State> = {
  /** As it was said last, however long ago. */
  last(): State;
  /** The same, and it is asked for again when it is old. */
  current(): State;
  accept(state: State): void;
};

const OLD_MS = 60_000;

export function keepState<State>(options: {
  readonly initial: State;
  readonly clock: Clock;
  readonly log: Log;
  readonly read: () => Promise<State>;
}): KeptState<State> {
  const { clock, log, read } = options;
  let state = options.initial;
  let saidMs = Number.NEGATIVE_INFINITY;

  function accept(said: State): void {
    state = said;
    saidMs = clock.monotonicMs();
  }

  return {
    last: () => state,
    current() {
      if (clock.monotonicMs() - saidMs >= OLD_MS) {
        saidMs = clock.monotonicMs();
        read().then(accept, (error: unknown) => {
          log.warn('what can be received is not known', { error });
        });
      }
      return state;
    },
    accept,
  };
}
