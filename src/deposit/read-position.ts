import { assert } from '#base/assert.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { readPositionRow } from './chain-store.ts';
import type { Position } from './network.ts';

/**
 * What an adapter is told before each step, in one query. Of what stands unconfirmed a part of so
 * many: whoever watches says after which transaction it begins, and so comes round to each.
 */
export async function readPosition(
  reader: Reader,
  chain: ChainId,
  { unconfirmedAfter = '' }: { readonly unconfirmedAfter?: string } = {},
): Promise<Position> {
  const row = await readPositionRow(reader, chain, unconfirmedAfter);
  const { height, hash, heights, hashes, unconfirmed } = row;
  const cursor = height === null || hash === null ? undefined : { height, hash };
  const recent = (heights ?? []).map((blockHeight, index) => {
    const blockHash = hashes?.[index];
    assert(blockHash !== undefined, 'every height has its hash');
    return { height: blockHeight, hash: blockHash };
  });
  return { cursor, recent, unconfirmed: [...new Set(unconfirmed)] };
}
