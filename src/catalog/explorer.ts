// Public explorers: where a person can look at a transaction. Guarantees: nothing is ever asked of
// them by us; an address is only shown, for whoever wants to click. Only live networks have one.
import { type ChainId, environmentOf, networkOf } from './chain.ts';

/** Stands for the transaction in the address of an explorer. */
export const TRANSACTION_MARK = '{transaction}';

const BY_NETWORK: Readonly<Record<string, string>> = {
  BITCOIN: 'https://mempool.space/tx/{transaction}',
  LITECOIN: 'https://litecoinspace.org/tx/{transaction}',
  ETHEREUM: 'https://etherscan.io/tx/{transaction}',
  BASE: 'https://basescan.org/tx/{transaction}',
  POLYGON: 'https://polygonscan.com/tx/{transaction}',
  ARBITRUM: 'https://arbiscan.io/tx/{transaction}',
  OPTIMISM: 'https://optimistic.etherscan.io/tx/{transaction}',
  STELLAR: 'https://stellar.expert/explorer/public/tx/{transaction}',
  XRP_LEDGER: 'https://livenet.xrpl.org/transactions/{transaction}',
};

/** By network id, for live chains: an address with the mark in it. */
export type Explorers = ReadonlyMap<string, string>;

export const KNOWN_EXPLORERS: Explorers = new Map(Object.entries(BY_NETWORK));

const NETWORK_BY_HOST = new Map(
  Array.from(KNOWN_EXPLORERS, ([network, address]) => [new URL(address).host, network]),
);

/** Undefined where there is none: simulated networks, Lightning, banks. */
export function explorerUrl(
  explorers: Explorers,
  chain: ChainId,
  transaction: string,
): string | undefined {
  if (environmentOf(chain) === 'test') return undefined;
  const address = explorers.get(networkOf(chain));
  return address?.replace(TRANSACTION_MARK, encodeURIComponent(transaction));
}

/** Which network the explorer of this host shows. */
export function networkOfExplorer(host: string): string | undefined {
  return NETWORK_BY_HOST.get(host);
}
