import { assert } from '#base/assert.ts';
import { timestamp } from '#base/instant.ts';
import { shownAsset } from '#catalog/asset.ts';
import type { Receipt } from '#chain/receipt.ts';
import { metaView } from '#checkout-settlement/checkout-view.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { Suspense } from '#settle/suspense.ts';
import type { SuspenseAct } from '#settle/suspense-act.ts';

export type SuspenseRecord = {
  readonly suspense: Suspense;
  readonly receipt: Receipt;
  readonly acts: readonly SuspenseAct[];
  /** More than the code says, where it is known. */
  readonly remark: string | undefined;
  /** JSON text that the checkout it names was created with. */
  readonly checkoutMeta: string | undefined;
};

/** `suspense` of answers and events. Who decided and why is for the operator alone. */
export function suspenseView(record: SuspenseRecord) {
  const { suspense, receipt, acts, remark, checkoutMeta } = record;
  const { network, assetId, purpose, purposeId, resolvedAt } = suspense;
  assert(receipt.id === suspense.receiptId, 'suspense is shown with its receipt');
  const { assetCode, decimals } = shownAsset(network, assetId);
  const last = acts.at(-1);
  return {
    id: String(suspense.id),
    state: suspense.state,
    reason: suspense.reason,
    detail: remark ?? null,
    network,
    assetId,
    amount: amountToText(suspense.units, decimals),
    amountAssetCode: assetCode,
    tx: receipt.transaction,
    destination: receipt.destination,
    checkoutId: purpose === 'checkout' ? (purposeId ?? null) : null,
    depositAddressId: purpose === 'deposit-address' ? (purposeId ?? null) : null,
    timestamp: timestamp(suspense.foundAt),
    resolved: resolvedAt === undefined ? null : timestamp(resolvedAt),
    returnAddress: last?.address ?? null,
    returnTx: last?.kind === 'RETURN' ? (last.transaction ?? null) : null,
    ...metaView(checkoutMeta),
  };
}
