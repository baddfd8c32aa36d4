// Money in suspense becomes a payment of a checkout: as if it had come once more, to be decided by
// the settlement of the checkout. To be held: first the chain (who records receipts holds it too),
// then the checkout.

import type { ChainId } from '#catalog/chain.ts';
import { sql, type Tx } from '#db/db.ts';
import { lockCursor } from './chain-store.ts';

/** Keeps anything from being recorded of this chain until the transaction ends. */
export async function holdChain(tx: Tx, chain: ChainId): Promise<void> {
  await lockCursor(tx, chain);
}

export type AssignedReceipt = {
  readonly receiptId: bigint;
  /** The one that was booked in suspense; the payment is the next. */
  readonly generation: number;
  readonly merchantId: string;
  readonly checkoutId: string;
  /** What asked for it; undefined where nothing did. */
  readonly instructionId: string | undefined;
  readonly unaskedSettlementAssetId: string | undefined;
};

export function assignReceipt(tx: Tx, assigned: AssignedReceipt): void {
  const { receiptId, generation, merchantId, checkoutId } = assigned;
  tx.send(sql`
    update receipt set purpose = 'checkout', purpose_id = ${checkoutId},
      merchant_id = ${merchantId}, instruction_id = ${assigned.instructionId ?? null},
      unasked_settlement_asset_id = ${assigned.unaskedSettlementAssetId ?? null},
      reversed_generation = generation, generation = generation + 1
    where id = ${receiptId} and generation = ${generation} and status = 'FINAL'
      and credited_generation = ${generation}`);
}
