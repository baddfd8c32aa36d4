// What was drafted for a market and can land no more: its order is free again. Only after the
// watcher has read every ledger that could have held it, and all that it saw there is booked.
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { findChainStatus } from '#chain/chain-status.ts';
import { listUnderWay } from '#chain/departure.ts';
import type { Db } from '#db/db.ts';
import type { Watcher } from '#deposit/network.ts';
import { lockOrder, markAtExchange } from '#treasury/hedge-order.ts';
import { endDraft, findOpenDraft, listOpenDrafts, type MarketDraft } from './market-draft.ts';

type FreeApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'sender'>>;
};

/** How many ended. Where a node cannot be asked now, the next round asks again. */
export async function freeDrafts(app: FreeApp): Promise<number> {
  const now = app.clock.now();
  let ended = 0;
  for (const draft of await listOpenDrafts(app.db)) {
    if (Temporal.Instant.compare(now, draft.landsUntil) <= 0) continue;
    try {
      if (await free(app, draft)) ended += 1;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
    }
  }
  return ended;
}

async function free(app: FreeApp, { id, orderId, chain, terms }: MarketDraft): Promise<boolean> {
  const cursor = await findChainStatus(app.db, chain);
  const sender = app.networks.get(chain)?.sender;
  if (cursor === undefined || sender?.isOver === undefined) return false;
  if (!(await sender.isOver(terms, cursor.height))) return false;
  return app.db.transact(async (tx) => {
    await lockOrder(tx, orderId);
    const open = await findOpenDraft(tx, chain);
    const left = await listUnderWay(tx, chain, cursor.height);
    const isUnsettled = left.some(({ parts }) =>
      parts.some(({ gotUnits }) => gotUnits !== undefined),
    );
    if (open?.id !== id || isUnsettled) return false;
    await endDraft(tx, orderId, 'OVER', app.clock.now());
    markAtExchange(tx, orderId, false);
    return true;
  });
}
