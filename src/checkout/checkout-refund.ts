// What a checkout knows of its refunds, and how they are shown with it. They are made in the folder
// refund, which stands above this one.

import { timestamp } from '#base/timestamp.ts';
import { shownAsset } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';

export const REFUND_KINDS = ['full', 'excess', 'amount'] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

export const REFUND_STATES = ['AWAITING_ADDRESS', 'UNDER_WAY', 'COMPLETED', 'FAILED'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** Whether what a refund gives back is still ours; as it was at the end of one that failed. */
export const REFUND_PAYMENTS = ['STANDING', 'UNCERTAIN', 'TAKEN_BACK'] as const;
export type RefundPayment = (typeof REFUND_PAYMENTS)[number];

export const REFUND_CONTEXTS = [
  'COMPLETED_CHECKOUT',
  'UNDERPAID_CHECKOUT',
  'OVERPAID_TRANSACTION',
] as const;
export type RefundContext = (typeof REFUND_CONTEXTS)[number];

export type CheckoutRefund = {
  readonly id: string;
  readonly checkoutId: string;
  readonly kind: RefundKind;
  readonly context: RefundContext;
  readonly state: RefundState;
  readonly payment: RefundPayment;
  readonly network: string;
  readonly assetId: string;
  /** What the payer gets. */
  readonly units: bigint;
  readonly address: string | undefined;
  readonly transaction: string | undefined;
  /** Why it failed. */
  readonly failure: string | undefined;
  readonly createdAt: Temporal.Instant;
  readonly finishedAt: Temporal.Instant | undefined;
};

/** Element of `refunds` of a checkout. */
export function checkoutRefundView(refund: CheckoutRefund) {
  const shown = shownAsset(refund.network, refund.assetId);
  return {
    id: refund.id,
    checkoutId: refund.checkoutId,
    state: refund.state,
    payment: refund.payment,
    failure: refund.failure ?? null,
    kind: refund.kind,
    context: refund.context,
    network: refund.network,
    assetId: refund.assetId,
    amount: amountToText(refund.units, shown.decimals),
    amountAssetCode: shown.assetCode,
    address: refund.address ?? null,
    tx: refund.transaction ?? null,
    timestamp: timestamp(refund.finishedAt ?? refund.createdAt),
  };
}
