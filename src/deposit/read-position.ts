import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { readPositionRow } from './chain-store.ts';
import type { Position } from './network.ts';

/** What an adapter is told before each step, in one query. */
export async function readPosition(reader: Reader, chain: ChainId): Promise<Position> {
  const { height, hash, heights, hashes, unconfirmed } = await readPositionRow(reader, chain);
  const cursor = height === null || hash === null ? undefined : { height, hash };
  const recent = (heights ?? []).map((blockHeight, index) => {
    const blockHash = hashes?.[index];
    assert(blockHash !== undefined, 'every height has its hash');
    return { height: blockHeight, hash: blockHash };
  });
  return { cursor, recent, unconfirmed: unconfirmed ?? [] };
}
