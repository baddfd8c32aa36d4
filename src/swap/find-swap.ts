import type { Environment } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import type { Swap } from './swap.ts';
import { findSwapRow } from './swap-store.ts';

export type SwapOwner = { readonly merchantId: string; readonly environment: Environment };

/** Undefined also for a swap of another merchant or environment (E9). */
export async function findSwap(
  app: { readonly db: Reader },
  owner: SwapOwner,
  id: string,
): Promise<Swap | undefined> {
  const swap = await findSwapRow(app.db, id);
  return isOwnedBy(swap, owner) ? swap : undefined;
}

export function isOwnedBy(swap: Swap | undefined, owner: SwapOwner): swap is Swap {
  return swap?.merchantId === owner.merchantId && swap.environment === owner.environment;
}
