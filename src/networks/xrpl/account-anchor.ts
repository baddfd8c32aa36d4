// Where our account was last found to agree with everything that was read. A step begins there;
// what it found is kept in the database once it is recorded, so that neither a restart nor a server
// that hides a payment for a while makes a hole in the chain of what happened to the account.

import type { ChainId } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import { isSamePoint } from './read-account.ts';
import { type AccountAnchor, findAccountAnchor, saveAccountAnchor } from './xrpl-account-store.ts';

export type AnchorKeeper = {
  /** At or below what is recorded; undefined: nothing is known. */
  anchorFor(recorded: BlockReference): Promise<AccountAnchor | undefined>;
  /** Of a step that may not be recorded yet. */
  propose(anchor: AccountAnchor): void;
};

/** After that many ledgers the anchor is stored although nothing changed. */
const LEDGERS_KEPT = 200n;

type AnchorKeeperParts = {
  readonly db: Db;
  readonly chain: ChainId;
  readonly account: string;
};

export function openAnchorKeeper({ db, chain, account }: AnchorKeeperParts): AnchorKeeper {
  let isLoaded = false;
  let stored: AccountAnchor | undefined;
  let agreed: AccountAnchor | undefined;
  let pending: AccountAnchor | undefined;

  async function keep(anchor: AccountAnchor): Promise<void> {
    agreed = anchor;
    const isOld = stored === undefined || anchor.ledger - stored.ledger >= LEDGERS_KEPT;
    if (!isOld && stored !== undefined && isSamePoint(stored.point, anchor.point)) return;
    await saveAccountAnchor(db, chain, account, anchor);
    stored = anchor;
  }

  return {
    async anchorFor({ height }) {
      if (!isLoaded) {
        stored = await findAccountAnchor(db, chain, account);
        agreed = stored;
        isLoaded = true;
      }
      if (pending !== undefined && pending.ledger <= height) await keep(pending);
      pending = undefined;
      // A database that was set back knows less than was agreed on.
      if (agreed !== undefined && agreed.ledger > height) agreed = undefined;
      return agreed;
    },
    propose(anchor) {
      pending = anchor;
    },
  };
}
