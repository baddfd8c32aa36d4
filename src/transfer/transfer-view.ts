import { timestamp } from '#base/timestamp.ts';
import { getAsset } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { Transfer } from './transfer.ts';

/** `transfer` of api-contract.md 5, in answers and in events. Amounts in whole coins. */
export function transferView(transfer: Transfer) {
  const { decimals } = getAsset(transfer.assetId);
  return {
    id: transfer.id,
    state: transfer.state,
    network: transfer.network,
    assetId: transfer.assetId,
    amount: amountToText(transfer.units, decimals),
    networkFee: amountToText(transfer.networkFeeUnits, decimals),
    fee: amountToText(transfer.feeUnits, decimals),
    targetAmount: amountToText(transfer.targetUnits, decimals),
    expirationTime: timestamp(transfer.expiresAt),
    tx: transfer.transaction ?? null,
    beneficiaryId: transfer.beneficiaryId ?? null,
    failure: transfer.failure ?? null,
  };
}
