// A person decides on money in suspense, under the lock of the checkout that it names or goes to.
// Of what is assigned to a checkout it is decided here whether that pays for it, and by which way;
// then the receipt is moved to the checkout, whose settlement decides the rest like that of any
// payment.

import { assert } from '#base/assert.ts';
import { compareInstants, timestamp } from '#base/instant.ts';
import { Refusal } from '#base/refusal.ts';
import { networkOf } from '#catalog/chain.ts';
import { assignReceipt, type Receipt } from '#chain/receipt.ts';
import {
  type Checkout,
  type CheckoutFlags,
  type CheckoutRecord,
  lockCheckoutRow,
  writeFlags,
} from '#checkout/checkout.ts';
import { isUndone } from '#checkout/checkout-refund.ts';
import { dropCredit } from '#checkout/credit.ts';
import type { Tx } from '#db/db.ts';
import { convertUnits } from '#money/rate.ts';
import { ORIGIN } from '#rates/quote.ts';
import { requestSettlement } from '#settle/queue.ts';
import { type ExposureApp, requireCover } from '#treasury/exposure.ts';
import { rateOfLock } from './facts-of-checkout.ts';
import { locksOf } from './lock-of-receipt.ts';
import type { SettleCheckoutApp } from './settle-checkout.ts';

export type TakeAssignedApp = SettleCheckoutApp & ExposureApp;

/** How it pays; undefined: it cannot be valued as a payment, and is the merchant's as it is. */
export type AssignedWay =
  | { readonly instructionId: string; readonly unaskedSettlementAssetId: undefined }
  | { readonly instructionId: undefined; readonly unaskedSettlementAssetId: string };

/** @throws Refusal conflict `checkout_closed`, `checkout_refunded`. */
export function requireTakesMoney({ id, state, refunds }: CheckoutRecord): void {
  if (state === 'CANCELLED') {
    throw new Refusal('conflict', 'checkout_closed', [
      `checkout ${id} is CANCELLED: return the money, or assign it to the merchant`,
    ]);
  }
  const isRefunded = refunds.some((refund) => !isUndone(refund));
  if (state === 'COMPLETED' && isRefunded) {
    throw new Refusal('conflict', 'checkout_refunded', [
      `checkout ${id} is COMPLETED and was refunded: return the money, or assign it to the merchant`,
    ]);
  }
}

export async function wayOfAssigned(
  app: ExposureApp,
  tx: Tx,
  record: CheckoutRecord,
  receipt: Receipt,
  now: Temporal.Instant,
): Promise<AssignedWay | undefined> {
  const asked = askedLock(record, receipt);
  if (asked !== undefined) {
    return { instructionId: asked.instructionId, unaskedSettlementAssetId: undefined };
  }
  const { assetId } = receipt;
  const { settlementAsset } = record;
  const settlementAssetId = settlementAsset === ORIGIN ? assetId : settlementAsset;
  const rate = rateOfLock(app, record, { assetId, settlementAssetId }, now);
  if (rate.requiredUnits === undefined || rate.toSettlement === undefined) return undefined;
  const from = { assetId, units: receipt.units };
  const to = {
    assetId: settlementAssetId,
    units: convertUnits(receipt.units, rate.toSettlement, 'down'),
  };
  try {
    await requireCover(app, tx, record, { from, to }, now);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conversion_not_covered') return undefined;
    throw error;
  }
  return { instructionId: undefined, unaskedSettlementAssetId: settlementAssetId };
}

/** The window it came in: of the way it came by, the last that was open then or before. */
function askedLock({ commitments }: CheckoutRecord, { chain, assetId, seenAt }: Receipt) {
  return commitments
    .filter((way) => way.network === networkOf(chain) && way.assetId === assetId)
    .flatMap(locksOf)
    .findLast(({ openedAt }) => compareInstants(openedAt, seenAt) <= 0);
}

/** Its booking in suspense, if that was of a checkout, counts no more. */
export function takeAssigned(
  tx: Tx,
  { id: checkoutId, merchantId }: CheckoutRecord,
  receipt: Receipt,
  way: AssignedWay,
  now: Temporal.Instant,
): void {
  const { id: receiptId, generation } = receipt;
  assert(receipt.status === 'FINAL', 'what lies in suspense is final');
  dropCredit(tx, { receiptId, generation }, now);
  assignReceipt(tx, { receiptId, generation, merchantId, checkoutId, ...way });
}

export async function lockNamedCheckout(tx: Tx, id: string): Promise<Checkout> {
  const checkout = await lockCheckoutRow(tx, id);
  assert(checkout !== undefined, 'a checkout is never removed');
  return checkout;
}

export function noteAssignment(
  tx: Tx,
  { id, flags }: Checkout,
  isAssigned: boolean,
  now: Temporal.Instant,
): void {
  if (isAssigned) {
    const noted: CheckoutFlags = { ...flags, manual: { at: timestamp(now) } };
    writeFlags(tx, id, noted);
  }
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: id }], now);
}
