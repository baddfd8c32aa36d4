// A payment as the customer sees it.
import { shownAsset } from '#catalog/asset.ts';
import { networkOf } from '#catalog/chain.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { isWrongAsset } from '#checkout-settlement/payment-progress.ts';
import { type AssetAmount, amountToText } from '#money/asset-amount.ts';

export type PaymentView = {
  readonly network: string;
  readonly amount: string;
  readonly paid: AssetAmount;
  readonly assetCode: string;
  readonly transaction: string;
  readonly confirmations: bigint;
  /** With how many it becomes final; undefined before its first block. */
  readonly confirmationsNeeded: number | undefined;
  /** Deep enough, and held by the brake of its chain. */
  readonly isHeld: boolean;
  readonly isFinal: boolean;
  readonly isWrongAsset: boolean;
};

export function paymentView(record: CheckoutRecord, receipt: Receipt): PaymentView {
  const network = networkOf(receipt.chain);
  const shown = shownAsset(network, receipt.assetId);
  return {
    network,
    amount: amountToText(receipt.units, shown.decimals),
    assetCode: shown.assetCode,
    paid: { assetId: receipt.assetId, units: receipt.units },
    transaction: receipt.transaction,
    confirmations: receipt.confirmations,
    confirmationsNeeded: receipt.confirmationsNeeded,
    isHeld: receipt.heldAt !== undefined,
    isFinal: receipt.status === 'FINAL',
    isWrongAsset: isWrongAsset(record, receipt),
  };
}
