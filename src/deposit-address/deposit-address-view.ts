// The wire forms of a deposit address and of what arrives there: `data.deposit` of the events.

import { timestamp } from '#base/instant.ts';
import { shownAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Receipt } from '#chain/receipt.ts';
import { amountToText } from '#money/asset-amount.ts';
import { type ExactObject, parseStoredObject } from '#money/exact-json.ts';
import type { DepositAddressRecord, DepositCredit } from './deposit-address.ts';

/** `depositAddress` of api-contract.md 5; what was given with it, and its time, are added. */
export function depositAddressView(record: DepositAddressRecord) {
  const { instruction } = record;
  return {
    id: record.id,
    network: record.network,
    assetId: record.assetId,
    address: instruction.address,
    memo: instruction.memo ?? null,
    memoType: instruction.memoType ?? null,
    ...(instruction.destinationTag === undefined
      ? {}
      : { destinationTag: Number(instruction.destinationTag) }),
    paymentUri: record.paymentUri || null,
    ...lightningOf(record),
    label: record.label ?? null,
    webhook: record.webhookUrl ?? null,
    timestamp: timestamp(record.createdAt),
    ...metaOf(record),
  };
}

/** Of a Lightning address what wallets take: the identifier, and the LNURL that its link holds. */
function lightningOf({ network, instruction, paymentUri }: DepositAddressRecord): {
  readonly lightningAddress?: string;
  readonly lnurl?: string;
} {
  if (!getNetwork(network).hasInvoices) return {};
  const lnurl = /^lightning:(lnurl1.+)$/.exec(paymentUri)?.[1];
  return { lightningAddress: instruction.address, ...(lnurl === undefined ? {} : { lnurl }) };
}

/** MISDIRECTED: in another asset, so in suspense. WITHDRAWN: PENDING, and gone from the network. */
export type DepositState = 'PENDING' | 'WITHDRAWN' | 'COMPLETED' | 'REVERSED' | 'MISDIRECTED';

/**
 * One payment. `id` names it for ever, so that a receiver that was told twice can tell; the amounts
 * of the credit are null until it is final.
 */
export function depositView(
  record: DepositAddressRecord,
  receipt: Receipt,
  {
    state,
    credit,
  }: {
    readonly state: DepositState;
    readonly credit: DepositCredit | undefined;
  },
) {
  const { assetCode, decimals } = shownAsset(record.network, receipt.assetId);
  const amountOf = (units: bigint | undefined) =>
    units === undefined ? null : amountToText(units, decimals);
  return {
    id: receipt.creditKey,
    state,
    timestamp: timestamp(receipt.minedAt ?? receipt.seenAt),
    depositAddressId: record.id,
    label: record.label ?? null,
    network: record.network,
    networkName: getNetwork(record.network).name,
    address: record.instruction.address,
    memo: record.instruction.memo ?? null,
    memoType: record.instruction.memoType ?? null,
    tx: receipt.transaction,
    assetId: receipt.assetId,
    assetCode,
    amount: amountToText(receipt.units, decimals),
    netAmount: amountOf(credit?.netUnits),
    fee: amountOf(credit?.feeUnits),
    confirmations: Number(receipt.confirmations),
    confirmationsRequired: receipt.confirmationsNeeded ?? null,
    ...metaOf(record),
  };
}

function metaOf({ meta }: DepositAddressRecord): { readonly meta?: ExactObject } {
  return meta === undefined ? {} : { meta: parseStoredObject(meta) };
}
