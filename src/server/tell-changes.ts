// Finds what other processes changed and tells who shows it. One question to the database for all
// open pages, however many there are, at most four times a second, and none while no page is open.

import { startLoop } from '#base/loop.ts';
import { followChanges } from '#checkout/follow-changes.ts';
import { listChainStatuses } from '#deposit/chain-status.ts';
import type { App } from './app.ts';
import type { Stoppable } from './run-roles.ts';

/** With the reading and sending of a page this keeps below 300 ms. */
const LOOK_MS = 250;
/** A database that comes back is noticed soon: customers are waiting. */
const backoffMs = { first: LOOK_MS, most: 2_000 };

export type TellChangesApp = Pick<App, 'db' | 'changes' | 'clock' | 'log'>;

export function tellChanges(app: TellChangesApp): Stoppable {
  const look = changesLook(app);
  const step = async () => {
    await look();
    return 'idle' as const;
  };
  return startLoop({ name: 'changes', step, idleMs: LOOK_MS, backoffMs, ...app });
}

/** One look; a test calls it by hand. */
export function changesLook({ db, changes }: Pick<App, 'db' | 'changes'>): () => Promise<void> {
  const follower = followChanges();
  let heights = new Map<string, string>();
  return async () => {
    if (!changes.isAnyoneListening()) return follower.forget();
    const [changed, chains] = await db.read((reader) =>
      Promise.all([follower.look(reader), listChainStatuses(reader)]),
    );
    const known = heights;
    heights = new Map(
      chains.map(({ chain, cursor, lag, brake }) => [
        chain,
        `${cursor.height}/${cursor.hash}/${lag > 0n}/${brake !== undefined}`,
      ]),
    );
    if (changed === 'all') return changes.tellAll();
    for (const checkoutId of changed) changes.tell(checkoutId);
    for (const [chain, height] of heights) if (known.get(chain) !== height) changes.tell(chain);
  };
}
