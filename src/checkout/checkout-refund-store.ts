// SQL that reads the refunds of a checkout, private to this folder.

import { type Reader, sql } from '#db/db.ts';
import type { CheckoutRefund, RefundContext, RefundKind, RefundState } from './checkout-refund.ts';

type CheckoutRefundRow = {
  id: string;
  checkout_id: string;
  kind: RefundKind;
  context: RefundContext;
  state: RefundState;
  network: string;
  asset_id: string;
  units: bigint;
  address: string | null;
  transaction: string | null;
  created_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
};

/** In the order in which they were asked for. */
export async function listCheckoutRefunds(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<CheckoutRefund[]> {
  const rows = await reader.query<CheckoutRefundRow>(sql`
    select r.id, r.checkout_id, r.kind, r.context, r.state, r.network, r.asset_id, r.units,
      r.address, t.transaction, r.created_at, r.finished_at
    from refund r left join transfer t on t.id = r.transfer_id
    where r.checkout_id = any(${checkoutIds}::text[]) order by r.created_at, r.id`);
  return rows.map((row) => ({
    id: row.id,
    checkoutId: row.checkout_id,
    kind: row.kind,
    context: row.context,
    state: row.state,
    network: row.network,
    assetId: row.asset_id,
    units: row.units,
    address: row.address ?? undefined,
    transaction: row.transaction ?? undefined,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
  }));
}
