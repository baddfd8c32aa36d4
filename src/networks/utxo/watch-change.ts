// Which observed outputs come back to us: what our wallet gives itself as change (BIP-44, branch 1
// of the same key). Nobody is given such an address, so no row of the database knows it.
import type { Arrival } from '#deposit/network.ts';
import { addressDeriver } from './derive-address.ts';
import { changeSource } from './own-scripts.ts';
import type { AddressSource } from './parse-address-source.ts';
import type { UtxoChain } from './utxo-chain.ts';

/** Further than wallets look ahead of the last address they used (20 by BIP-44). */
const GAP = 100;

/** Of the destinations of these arrivals those that are change of ours. */
export type ChangeWatch = (arrivals: readonly Arrival[]) => ReadonlySet<string>;

export function watchChange(source: AddressSource, parameters: UtxoChain): ChangeWatch {
  const change = changeSource(source, parameters);
  // Without branches change goes to an address that looks like all the others.
  if (change === undefined) return () => new Set();
  const addressAt = addressDeriver(change, parameters);
  const indexes = new Map<string, number>();
  return (arrivals) => {
    const found = new Set<string>();
    let wanted = Math.max(GAP, indexes.size);
    do {
      for (let next = indexes.size; next < wanted; next += 1) {
        indexes.set(addressAt(BigInt(next)), next);
      }
      for (const { destination } of arrivals) {
        const index = indexes.get(destination);
        if (index === undefined) continue;
        found.add(destination);
        wanted = Math.max(wanted, index + 1 + GAP);
      }
    } while (indexes.size < wanted);
    return found;
  };
}
