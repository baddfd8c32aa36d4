// Money that a person assigned to a checkout which never asked for it (another asset, another
// network): it stands under a lock of its own that promises nothing. So it is valued like late
// money: as a share of what the whole charge costs in it when it is credited, at the rate of then.

import { networkOf } from '#catalog/chain.ts';
import type { Receipt } from '#deposit/receipt.ts';
import type { LockFacts } from './settlement-facts.ts';

const LONG_AGO = Temporal.Instant.fromEpochMilliseconds(0);

export function unaskedLocks(receipts: readonly Receipt[]): LockFacts[] {
  return receipts.flatMap((receipt) => unaskedLock(receipt) ?? []);
}

function unaskedLock({
  id,
  chain,
  assetId,
  unaskedSettlementAssetId,
}: Receipt): LockFacts | undefined {
  if (unaskedSettlementAssetId === undefined) return undefined;
  return {
    instructionId: unaskedName(id),
    network: networkOf(chain),
    assetId,
    paymentUnits: 0n,
    settlementAssetId: unaskedSettlementAssetId,
    settlementUnits: 0n,
    netUnits: 0n,
    openedAt: LONG_AGO,
    expiresAt: LONG_AGO,
    isUnasked: true,
  };
}

/** No instruction has such an id. */
export function unaskedName(receiptId: bigint): string {
  return `assigned:${receiptId}`;
}
