import type { ChainId } from '#catalog/chain.ts';
import type { Network } from '#deposit/network.ts';

/** Every network that is configured in this process, by chain. */
export type Networks = ReadonlyMap<ChainId, Network>;
