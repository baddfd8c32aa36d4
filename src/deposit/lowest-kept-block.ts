import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { findLowestBlock } from './chain-store.ts';

/** Below it nothing can be walked back to; undefined before the first step ever. */
export function lowestKeptBlock(reader: Reader, chain: ChainId): Promise<bigint | undefined> {
  return findLowestBlock(reader, chain);
}
