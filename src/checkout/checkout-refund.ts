// A refund as its checkout knows it: its table, with what its transfer says of it, and how it is
// shown with the checkout. Refunds are made in the folder refund, which stands above this one.

import { timestamp } from '#base/instant.ts';
import { shownAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import {
  bytes,
  defineTable,
  insertOnly,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';
import { amountToText } from '#money/asset-amount.ts';
import { TRANSFER } from '#transfer/transfer.ts';

export const REFUND_KINDS = ['full', 'excess', 'amount'] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

export const REFUND_STATES = [
  'AWAITING_ADDRESS',
  'UNDER_WAY',
  'COMPLETED',
  'FAILED',
  /** It had arrived, and was sent back. */
  'RETURNED',
] as const;
type RefundState = (typeof REFUND_STATES)[number];

/** Its money is where it was before. */
export function isUndone({ state }: { readonly state: RefundState }): boolean {
  return state === 'FAILED' || state === 'RETURNED';
}

/** Whether what a refund gives back is still ours; as it was at the end of one that failed. */
export const REFUND_PAYMENTS = ['STANDING', 'UNCERTAIN', 'TAKEN_BACK'] as const;
export type RefundPayment = (typeof REFUND_PAYMENTS)[number];

export const REFUND_CONTEXTS = [
  'COMPLETED_CHECKOUT',
  'UNDERPAID_CHECKOUT',
  'OVERPAID_TRANSACTION',
] as const;
export type RefundContext = (typeof REFUND_CONTEXTS)[number];

export const REFUND = defineTable('refund', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  checkoutId: text(),
  kind: text<RefundKind>(),
  context: text<RefundContext>(),
  network: text(),
  assetId: text(),
  /** What the payer gets. */
  units,
  state: text<RefundState>(),
  payment: selectOnly(text<RefundPayment>()),
  /** While the payer has to say where it goes. */
  claimTokenHash: insertOnly(optional(bytes)),
  address: optional(text()),
  /** Each has one, whatever the column allows. */
  transferId: { ...text(), isNullable: true },
  apiKey: optional(text()),
  createdAt: moment,
  finishedAt: selectOnly(optional(moment)),
  /** How often it was told of. */
  eventSequence: selectOnly(integer),
});

const KNOWN = REFUND.only(
  'id',
  'checkoutId',
  'kind',
  'context',
  'state',
  'payment',
  'network',
  'assetId',
  'units',
  'address',
  'createdAt',
  'finishedAt',
);
const CARRIER = TRANSFER.only('transaction', 'failure', 'restsUntil');

/** `units`: what the payer gets. `failure`: why it failed. */
export type CheckoutRefund = Row<typeof KNOWN> & Row<typeof CARRIER>;

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

/** In the order in which they were asked for. */
export async function listCheckoutRefunds(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<CheckoutRefund[]> {
  const rows = await reader.query<CheckoutRefund>(sql`
    select ${KNOWN.columnsOf('r')}, ${CARRIER.columnsOf('t')}
    from refund r left join transfer t on t.id = r.transfer_id
    where r.checkout_id = any(${checkoutIds}::text[]) order by r.created_at, r.id`);
  return rows.map((row) => KNOWN.parse(CARRIER.parse(row)));
}

/**
 * What became of the payment it gives back. What is not signed is looked at again at once: one
 * whose payment is gone ends. Under the lock of the checkout.
 */
export function writeRefundPayment(
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
