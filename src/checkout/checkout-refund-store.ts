// SQL of what a checkout knows of its refunds, private to this folder.

import { type Reader, sql, type Tx } from '#db/db.ts';
import type {
  CheckoutRefund,
  RefundContext,
  RefundKind,
  RefundPayment,
  RefundState,
} from './checkout-refund.ts';

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
export function updateRefundPayment(
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
