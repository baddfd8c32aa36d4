// From the last ledger recorded to the newest that Horizon has. Guarantees: the ledgers follow each
// other and the recorded one by number and by hash; a Horizon whose history is another one, which
// has fallen behind or which stands still is an outage. Nothing is ever undone: closed ledgers are
// final.

import type { BlockReference } from '#deposit/network.ts';
import { isFields, requireThat } from '#networks/answer-fields.ts';
import { requireRecent } from '#networks/closed-ledgers.ts';
import { catchingUp, nodeOutage } from '#networks/node-outage.ts';
import type { Horizon } from './horizon.ts';
import { cursorBeforeLedger, requireRecords } from './horizon-fields.ts';
import { PAGE_SIZE } from './list-pages.ts';
import { type ReadLedger, readLedger } from './read-ledger.ts';

export type WalkedLedgers = {
  /** In order, the first follows the cursor; empty when there is nothing new. */
  readonly ledgers: readonly ReadLedger[];
  /** False when more are waiting. */
  readonly isAtTip: boolean;
};

/** One that takes in what its core has needs time; a core without the ledger needs somebody. */
async function behind(horizon: Horizon, what: string, height: bigint): Promise<Error> {
  const sentence = `Horizon is behind: it has no ledger ${height}`;
  const root = (await horizon.get('/')).json;
  const has = isFields(root) ? root.history_latest_ledger : undefined;
  const core = isFields(root) ? root.core_latest_ledger : undefined;
  if (typeof has !== 'number' || typeof core !== 'number' || core <= has)
    return nodeOutage(what, sentence);
  return catchingUp(what, `${sentence}, it is at ${has} of the ${core} that its core has`);
}

export async function walkLedgers(
  horizon: Horizon,
  what: string,
  cursor: BlockReference,
  now: Temporal.Instant,
): Promise<WalkedLedgers> {
  // The recorded one comes first, so that it is compared as well.
  const from = cursorBeforeLedger(cursor.height);
  const query = { order: 'asc', limit: PAGE_SIZE, cursor: from };
  const { json } = await horizon.get('/ledgers', query);
  const listed = requireRecords(json, PAGE_SIZE).map(readLedger);
  const [recorded, ...ledgers] = listed;
  if (recorded === undefined) {
    throw await behind(horizon, what, cursor.height);
  }
  // Asked for a ledger that it has reaped, Horizon begins at its oldest without a word.
  if (recorded.height > cursor.height) {
    throw nodeOutage(
      what,
      `Horizon no longer keeps ledger ${cursor.height}`,
      `its oldest is ${recorded.height}; take one that keeps more (HISTORY_RETENTION_COUNT)`,
    );
  }
  // The header that was hashed holds the height.
  if (recorded.hash !== cursor.hash) {
    throw nodeOutage(
      what,
      `Horizon has another history: ledger ${cursor.height} is not the recorded`,
    );
  }
  let last = recorded;
  for (const ledger of ledgers) {
    requireThat(
      ledger.height === last.height + 1n && ledger.parentHash === last.hash,
      `ledger ${ledger.height} does not follow ${last.height}`,
    );
    last = ledger;
  }
  const isAtTip = listed.length < PAGE_SIZE;
  if (isAtTip) requireRecent({ what, whom: 'Horizon' }, last, now);
  return { ledgers, isAtTip };
}

/** The newest ledger, for the first step ever. */
export async function newestLedger(
  horizon: Horizon,
  what: string,
  now: Temporal.Instant,
): Promise<ReadLedger> {
  const { json } = await horizon.get('/ledgers', { order: 'desc', limit: 1 });
  const [newest] = requireRecords(json, 1).map(readLedger);
  if (newest === undefined) throw nodeOutage(what, 'Horizon has no ledgers');
  requireRecent({ what, whom: 'Horizon' }, newest, now);
  return newest;
}
