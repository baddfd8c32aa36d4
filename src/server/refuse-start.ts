// What a start is refused for before anything is served: a port that cannot be had, and a node of
// another chain.

import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { Watcher } from '#deposit/network.ts';

/** A server that was told to stop a moment ago may still be finishing. */
const TRIES = 8;
const TRY_AGAIN_MS = 250;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Looks whether the port can be had before anything else is started, so that the answer comes at
 * once.
 * @throws Refusal with one line.
 */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const error = await tryPort(host, port);
    if (error === undefined) return;
    if (error.code !== 'EADDRINUSE' || attempt === TRIES) {
      throw new Refusal('conflict', 'port_unavailable', [reason(host, port, error)]);
    }
    await pause(TRY_AGAIN_MS);
  }
}

function tryPort(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  const probe = createServer();
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
  probe.once('error', resolve);
  probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  return promise;
}

function reason(host: string, port: number, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} is taken: stop what listens there, or choose another with PORT`;
    case 'EACCES':
      return `port ${port} may not be opened by this user: choose one above 1023 with PORT`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is not an address of this machine`;
    default:
      return `cannot listen on ${host} port ${port}: ${String(error)}`;
  }
}

type OtherChainsApp = {
  readonly networks: ReadonlyMap<string, Watcher>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Asks every configured node which chain it follows before anything is offered or watched: with a
 * node of another chain a customer would be shown an address that nobody watches. A node that is
 * away or slow is no reason not to start; whoever watches it asks again.
 * @throws Refusal of the first node that is of another chain.
 */
export async function refuseOtherChains(app: OtherChainsApp): Promise<void> {
  await Promise.all([...app.networks.values()].map((network) => checkInTime(app, network)));
}

async function checkInTime({ clock, log }: OtherChainsApp, network: Watcher): Promise<void> {
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
