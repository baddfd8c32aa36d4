// A network that offers nothing before its chain was heard (heard-chains.ts). Guarantees: nobody is
// given a destination on a chain without a cursor, so that no payment can lie below it.

import { Outage } from '#base/refusal.ts';
import type { HeardChains, Hearing } from './heard-chains.ts';
import type { Network } from './network.ts';

const REASONS: Record<Exclude<Hearing, 'heard'>, string> = {
  never: 'the network has not been heard yet',
  another: 'another chain was read under this name: this one needs a database of its own',
};

export function offerWhenHeard(network: Network, heard: HeardChains): Network {
  const fault = (): string | undefined => {
    const hearing = heard.hearingOf(network.chain, network.identity);
    return hearing === 'heard' ? undefined : REASONS[hearing];
  };
  return {
    ...network,
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
