// What a checkout knows of its refunds, how they are shown with it, and what becomes of the money
// that they give back. They are made in the folder refund, which stands above this one.

import { timestamp } from '#base/instant.ts';
import { shownAsset } from '#catalog/asset.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { amountToText } from '#money/asset-amount.ts';
import { requestSettlement } from '#settle/queue.ts';
import type {
  CheckoutRecord,
  CheckoutRefund,
  RefundContext,
  RefundKind,
  RefundPayment,
  RefundState,
} from './checkout.ts';
import { decideRefundPayment } from './decide-refund-payment.ts';

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

type CheckoutRefundRow = {
  id: string;
  checkout_id: string;
  kind: RefundKind;
  context: RefundContext;
  state: RefundState;
  payment: RefundPayment;
  network: string;
  asset_id: string;
  units: bigint;
  address: string | null;
  transaction: string | null;
  failure: string | null;
  created_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
};

/** In the order in which they were asked for. */
export async function listCheckoutRefunds(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<CheckoutRefund[]> {
  const rows = await reader.query<CheckoutRefundRow>(sql`
    select r.id, r.checkout_id, r.kind, r.context, r.state, r.payment, r.network, r.asset_id,
      r.units, r.address, t.transaction, t.failure, r.created_at, r.finished_at
    from refund r left join transfer t on t.id = r.transfer_id
    where r.checkout_id = any(${checkoutIds}::text[]) order by r.created_at, r.id`);
  return rows.map((row) => ({
    id: row.id,
    checkoutId: row.checkout_id,
    kind: row.kind,
    context: row.context,
    state: row.state,
    payment: row.payment,
    network: row.network,
    assetId: row.asset_id,
    units: row.units,
    address: row.address ?? undefined,
    transaction: row.transaction ?? undefined,
    failure: row.failure ?? undefined,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
  }));
}

/**
 * What became of the payment it gives back. What is not signed is looked at again at once: one
 * whose payment is gone ends. Under the lock of the checkout.
 */
function updateRefundPayment(
  tx: Tx,
  refundId: string,
  payment: RefundPayment,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    with changed as (
      update refund set payment = ${payment} where id = ${refundId} returning transfer_id)
    update transfer set next_step_at = ${now}
    where id = (select transfer_id from changed) and signed_transaction is null
      and state = 'RESERVED'`);
}

/** The refunds of a checkout, each with what became of the payment that it gives back. */
export function refundsAfter(record: CheckoutRecord): CheckoutRefund[] {
  return record.refunds.map((refund) => {
    if (refund.state === 'FAILED') return refund;
    return { ...refund, payment: decideRefundPayment(record, refund) };
  });
}

/** Under the lock of the checkout; the refunds as they are afterwards. */
export function noteRefundPayments(
  tx: Tx,
  record: CheckoutRecord,
  now: Temporal.Instant,
): CheckoutRefund[] {
  const after = refundsAfter(record);
  after.forEach(({ id, payment }, index) => {
    if (payment !== record.refunds[index]?.payment) updateRefundPayment(tx, id, payment, now);
  });
  return after;
}

/**
 * Pending money of one way of paying goes back to the payer and no longer pays the checkout. Under
 * the lock of the checkout, which is then decided again.
 */
export function refundCredits(
  tx: Tx,
  refund: {
    readonly refundId: string;
    readonly checkoutId: string;
    readonly network: string;
    readonly assetId: string;
  },
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update receipt_credit set account = 'refunded', refund_id = ${refund.refundId}
    where checkout_id = ${refund.checkoutId} and network = ${refund.network}
      and asset_id = ${refund.assetId} and account = 'pending' and released_at is null
      and reversed_at is null`);
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: refund.checkoutId }], now);
}

/** The refund failed: the money pays the checkout again. */
export function restoreCredits(
  tx: Tx,
  refund: { readonly refundId: string; readonly checkoutId: string },
  now: Temporal.Instant,
): void {
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: refund.checkoutId }], now);
  tx.send(sql`
    update receipt_credit set account = 'pending', refund_id = null
    where refund_id = ${refund.refundId}`);
}
