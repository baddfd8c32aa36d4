// What follows a commit that changed facts or checkouts, in this process: the next loop is woken,
// open pages are told. Other processes find it by themselves (tell-changes.ts).

import type { AffectedPurpose } from '#deposit/record-observation.ts';
import { requestSettlement } from '#settle/queue.ts';
import type { App } from './app.ts';

type OnChangeApp = Pick<App, 'changes' | 'wakes'>;

/** For whoever observes a network. */
export function onObserved({ changes, wakes }: OnChangeApp) {
  return {
    onAffected: requestSettlement,
    onRecorded(affected: readonly AffectedPurpose[]) {
      // Seen, though not decided yet. Ids of other purposes are nobody's topic.
      for (const { purposeId } of affected) changes.tell(purposeId);
      wakes.settle.wake();
      wakes.settleDeposits.wake();
    },
  };
}

/** For whoever decides checkouts. */
export function onSettled({ changes, wakes }: OnChangeApp) {
  return {
    onCheckoutChanged(checkoutId: string, events: number) {
      changes.tell(checkoutId);
      if (events > 0) wakes.deliver.wake();
    },
  };
}
