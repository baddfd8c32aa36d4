// Which chains can be received on: those that have a cursor. Before that nobody knows from which
// block on payments will be looked for, and one that came below it would never be found. A chain
// that has been heard once stays so: what arrives while its node is away is found afterwards.

import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { GivenOut } from '#deposit/given-out.ts';
import type { Network } from '#deposit/network.ts';
import { listChainStatuses } from './chain-status.ts';

/** `another`: what was read under that name is not the chain of the settings. */
type Hearing = 'heard' | 'never' | 'another';

export type HeardChains = {
  /** Answered from memory. `identity`: of the chain in the settings, where that is known. */
  hearingOf(chain: ChainId, identity: string | undefined): Hearing;
  /** Called when some process wrote the cursor of the chain. */
  note(chain: ChainId, identity: string): void;
};

/** How soon it is noticed that another process heard a chain for the first time. */
const LOOK_MS = 1_000;

export async function openHeardChains({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<HeardChains> {
  const identities = new Map<ChainId, string>();
  let lookedMs = clock.monotonicMs();

  async function look(): Promise<void> {
    for (const { chain, identity } of await listChainStatuses(db)) identities.set(chain, identity);
  }

  await look();
  return {
    hearingOf(chain, identity) {
      const known = identities.get(chain);
      if (known !== undefined) {
        return identity === undefined || known === identity ? 'heard' : 'another';
      }
      if (clock.monotonicMs() - lookedMs >= LOOK_MS) {
        lookedMs = clock.monotonicMs();
        // A database that is away is reported by whoever waits for it. This look is simply
        // repeated.
        look().catch(() => undefined);
      }
      return 'never';
    },
    note: (chain, identity) => void identities.set(chain, identity),
  };
}

const REASONS: Record<Exclude<Hearing, 'heard'>, string> = {
  never: 'the network has not been heard yet',
  another: 'another chain was read under this name: this one needs a database of its own',
};
const UNSETTLED = 'it is being looked up which addresses were given out before';

/**
 * A network that offers nothing before it is ready. Nobody is given a destination on a chain
 * without a cursor, nor one that may have been given to somebody else (given-out.ts).
 */
export function offerWhenReady(
  network: Network,
  heard: HeardChains,
  givenOut: Pick<GivenOut, 'isSettled' | 'keep'>,
): Network {
  const fault = (): string | undefined => {
    const hearing = heard.hearingOf(network.chain, network.identity);
    if (hearing !== 'heard') return REASONS[hearing];
    return givenOut.isSettled(network) ? undefined : UNSETTLED;
  };
  return {
    ...network,
    keepIndex: (index) => givenOut.keep(network, index),
    heldAssets: () => network.receivableAssets(),
    receivableAssets: () => (fault() === undefined ? network.receivableAssets() : []),
    closedWays() {
      const closed = network.closedWays?.() ?? [];
      const reason = fault();
      if (reason === undefined) return closed;
      return [...closed, ...network.receivableAssets().map((assetId) => ({ assetId, reason }))];
    },
    openDestination(request) {
      const reason = fault();
      if (reason !== undefined) throw new Outage(network.chain, { cause: new Error(reason) });
      return network.openDestination(request);
    },
  };
}
