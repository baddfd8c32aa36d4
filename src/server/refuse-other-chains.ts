// Asks every configured node which chain it follows before anything is offered or watched: with a
// node of another chain a customer would be shown an address that nobody watches. A node that is
// away or slow is no reason not to start; whoever watches it asks again.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import type { Watcher } from '#deposit/network.ts';

const ANSWER_WITHIN_MS = 5_000;

export type RefuseOtherChainsApp = {
  readonly networks: ReadonlyMap<string, Watcher>;
  readonly clock: Clock;
  readonly log: Log;
};

/** @throws Refusal of the first node that is of another chain. */
export async function refuseOtherChains(app: RefuseOtherChainsApp): Promise<void> {
  await Promise.all([...app.networks.values()].map((network) => checkInTime(app, network)));
}

async function checkInTime({ clock, log }: RefuseOtherChainsApp, network: Watcher): Promise<void> {
  const { chain } = network;
  const answered = new AbortController();
  const patience = clock.sleep(ANSWER_WITHIN_MS, answered.signal).then(
    () => log.warn('the node does not answer yet', { chain }),
    () => {},
  );
  try {
    await Promise.race([network.checkIdentity(), patience]);
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    log.warn('the node is away', { chain, reason: error.message });
  } finally {
    answered.abort();
  }
}
