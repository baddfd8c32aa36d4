// Where our account was last found to agree with everything that was read. A step begins there;
// what it found is kept in the database once it is recorded, so that neither a restart nor a node
// that hides a payment for a while makes a hole in the history of the account.

import type { BlockReference } from '#deposit/network.ts';

/** What the account held at the end of a ledger. */
export type Agreed<Held> = { readonly ledger: bigint; readonly held: Held };

export type AgreedState<Held> = {
  /** At or below what is recorded; undefined: nothing is known. */
  at(recorded: BlockReference): Promise<Agreed<Held> | undefined>;
  /** Of a step that may not be recorded yet. */
  propose(agreed: Agreed<Held>): void;
};

type AgreedStateOptions<Held> = {
  readonly find: () => Promise<Agreed<Held> | undefined>;
  /** Whoever watches the same chain beside us may be further: an older one changes nothing. */
  readonly save: (agreed: Agreed<Held>) => Promise<void>;
  readonly isSame: (one: Held, other: Held) => boolean;
};

/** After that many ledgers it is stored although nothing changed. */
const LEDGERS_KEPT = 200n;

export function keepAgreed<Held>(options: AgreedStateOptions<Held>): AgreedState<Held> {
  const { find, save, isSame } = options;
  let isLoaded = false;
  let stored: Agreed<Held> | undefined;
  let agreed: Agreed<Held> | undefined;
  let proposed: Agreed<Held> | undefined;

  async function keep(next: Agreed<Held>): Promise<void> {
    agreed = next;
    const isYoung = stored !== undefined && next.ledger - stored.ledger < LEDGERS_KEPT;
    if (stored !== undefined && isYoung && isSame(stored.held, next.held)) return;
    await save(next);
    stored = next;
  }

  return {
    async at({ height }) {
      if (!isLoaded) {
        stored = await find();
        agreed = stored;
        isLoaded = true;
      }
      if (proposed !== undefined && proposed.ledger <= height) await keep(proposed);
      proposed = undefined;
      // A database that was set back knows less than was agreed on.
      if (agreed !== undefined && agreed.ledger > height) agreed = undefined;
      return agreed;
    },
    propose(next) {
      proposed = next;
    },
  };
}
