import type { ChainId } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { writeFault } from './chain-store.ts';

/** Why the watch stands still; what is recorded next takes it away again. */
export async function writeChainFault(db: Db, chain: ChainId, fault: string): Promise<void> {
  await db.single(async (tx) => writeFault(tx, chain, fault));
}
