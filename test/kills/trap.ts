// A trap that is set for a process: the proxies between the processes tell it what passes, and at
// the place that was drawn it kills with SIGKILL. The programs themselves know nothing of it.

/** What passes between two processes. */
export type Passing =
  /** A statement on its way to the database. */
  | { readonly at: 'statement'; readonly text: string }
  /** The database has committed these; the service was not told. */
  | { readonly at: 'committed'; readonly text: string }
  /** A question to the node, on its way there or answered and not told. */
  | { readonly at: 'to-node' | 'from-node'; readonly text: string }
  /** An order at the door of the signer, or signed and in its log and not told. */
  | { readonly at: 'to-signer' | 'from-signer'; readonly text: string };

/** `node`: of a network whose node pays by itself. */
export type Victim = 'service' | 'signer' | 'node';

export type Failpoint = {
  readonly name: string;
  readonly at: Passing['at'];
  readonly about: RegExp;
  readonly victims: readonly Victim[];
  /** The line of the signer's log about it was being written, and half of it is on disk. */
  readonly cutsLog?: boolean;
};

export type Trap = {
  /** Resolves with true when it went off, with false when it was taken away before. */
  set(failpoint: Failpoint): Promise<boolean>;
  takeAway(): void;
  /** Who was killed by it; undefined when nobody was. Nothing passes before they are dead. */
  pass(passing: Passing): Promise<readonly Victim[] | undefined>;
};

/** `kill`: they are dead when it resolves. */
export function createTrap(kill: (failpoint: Failpoint) => Promise<void>): Trap {
  let armed:
    | { readonly failpoint: Failpoint; readonly end: (wentOff: boolean) => void }
    | undefined;
  return {
    set(failpoint) {
      return new Promise((end) => {
        armed = { failpoint, end };
      });
    },
    takeAway() {
      armed?.end(false);
      armed = undefined;
    },
    async pass({ at, text }) {
      const found = armed;
      if (found?.failpoint.at !== at || !found.failpoint.about.test(text)) return undefined;
      armed = undefined;
      await kill(found.failpoint);
      found.end(true);
      return found.failpoint.victims;
    },
  };
}
