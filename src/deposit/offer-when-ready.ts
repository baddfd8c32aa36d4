// A network that offers nothing before it is ready. Guarantees: nobody is given a destination on a
// chain without a cursor, so that no payment can lie below it (heard-chains.ts), nor one that may
// have been given to somebody else (given-out.ts).

import { Outage } from '#base/refusal.ts';
import type { GivenOut } from './given-out.ts';
import type { HeardChains, Hearing } from './heard-chains.ts';
import type { Network } from './network.ts';

const REASONS: Record<Exclude<Hearing, 'heard'>, string> = {
  never: 'the network has not been heard yet',
  another: 'another chain was read under this name: this one needs a database of its own',
};
const UNSETTLED = 'it is being looked up which addresses were given out before';

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
