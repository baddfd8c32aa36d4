// How much of a checkout goes back, from where. Pure: the caller holds the lock of the checkout, so
// that what was refunded before is all there is.
//
// Guarantees: refunds of one way of paying never come to more than what arrived by it; what is not
// certain to stay is not refunded.

import { Refusal } from '#base/refusal.ts';
import { shownAsset } from '#catalog/asset.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import {
  type CheckoutRefund,
  isUndone,
  type RefundContext,
  type RefundKind,
} from '#checkout/checkout-refund.ts';
import type { Credit } from '#checkout/credit.ts';
import { unaskedRequired } from '#checkout-settlement/payment-progress.ts';
import { amountToText } from '#money/asset-amount.ts';
import { type Decimal, unitsFromDecimal } from '#money/decimal.ts';

export type RefundWish = {
  readonly kind: RefundKind;
  /** As the checkout shows amounts of this network (SAT on Lightning). */
  readonly amount: Decimal | undefined;
  /** Where the customer paid in several ways; the last one when absent. */
  readonly network: string | undefined;
  readonly asset: string | undefined;
};

export type RefundPlan = {
  readonly network: string;
  readonly assetId: string;
  /** What the payer gets. */
  readonly units: bigint;
  readonly networkFeeUnits: bigint;
  readonly source: 'merchant:available' | 'merchant:pending';
  readonly context: RefundContext;
};

type FeeOf = (network: string, assetId: string, units: bigint) => bigint;

/** @throws Refusal that says why nothing, or not as much, can be refunded. */
export function decideRefund(record: CheckoutRecord, wish: RefundWish, feeOf: FeeOf): RefundPlan {
  switch (record.state) {
    case 'COMPLETED':
      return refundOfCompleted(record, wish, feeOf);
    case 'UNDERPAID':
      return refundOfUnderpaid(record, wish, feeOf);
    default:
      throw new Refusal('conflict', 'checkout_not_paid', [
        `the checkout is ${record.state}: only a COMPLETED or UNDERPAID one has money to refund`,
      ]);
  }
}

/** The payer gets exactly the amount; the merchant pays the network on top of it. */
function refundOfCompleted(record: CheckoutRecord, wish: RefundWish, feeOf: FeeOf): RefundPlan {
  const way = wayOfPaying(record, wish, (credit) => isEarned(credit));
  const { network, assetId } = way;
  const left = way.units - refundedOfCompleted(record, way);
  const units = unitsOfCompleted(record, wish, way, left);
  if (units <= 0n) throw nothingToRefund();
  const shown = shownAsset(network, assetId);
  if (units > left) {
    throw new Refusal('conflict', 'refund_exceeds_payment', [
      `amount: of what was paid ${amountToText(left, shown.decimals)} ${shown.assetCode} is left`,
    ]);
  }
  return {
    network,
    assetId,
    units,
    networkFeeUnits: feeOf(network, assetId, units),
    source: 'merchant:available',
    context: wish.kind === 'excess' ? 'OVERPAID_TRANSACTION' : 'COMPLETED_CHECKOUT',
  };
}

function unitsOfCompleted(
  record: CheckoutRecord,
  wish: RefundWish,
  { network, assetId }: WayOfPaying,
  left: bigint,
): bigint {
  switch (wish.kind) {
    case 'full':
      return left;
    case 'excess': {
      const lock = record.commitments.find(
        (one) => one.network === network && one.assetId === assetId,
      );
      const required = lock?.arrivingUnits ?? unaskedRequired(record, network, assetId);
      return required === undefined ? 0n : left - required;
    }
    case 'amount': {
      const { decimals } = shownAsset(network, assetId);
      const units = wish.amount && unitsFromDecimal(wish.amount, decimals);
      if (units === undefined || units <= 0n) {
        throw new Refusal('invalid', 'amount_invalid', [
          `amount: must be above 0 with at most ${decimals} digits after the point`,
        ]);
      }
      return units;
    }
  }
}

/** Nothing but the payment itself is available, so the network fee is taken out of it. */
function refundOfUnderpaid(record: CheckoutRecord, wish: RefundWish, feeOf: FeeOf): RefundPlan {
  if (wish.kind !== 'full') {
    throw new Refusal('conflict', 'refund_only_full', [
      'kind: of a checkout that is not paid in full everything goes back, or nothing',
    ]);
  }
  const { network, assetId, units: paid } = wayOfPaying(record, wish, isPending);
  const networkFeeUnits = feeOf(network, assetId, paid);
  const units = paid - networkFeeUnits;
  if (units <= 0n) {
    throw new Refusal('conflict', 'amount_too_small', 'what was paid does not pay the network fee');
  }
  return {
    network,
    assetId,
    units,
    networkFeeUnits,
    source: 'merchant:pending',
    context: 'UNDERPAID_CHECKOUT',
  };
}

type Refunded = Pick<CheckoutRefund, 'context' | 'network' | 'assetId' | 'units'>;

/**
 * Whether what one that failed was to give back is still there, for nothing else. `debitedUnits`:
 * with the fee of the network.
 */
export function isRefundable(
  record: CheckoutRecord,
  refund: Refunded,
  debitedUnits: bigint,
): boolean {
  const credits = record.credits.filter(
    (credit) => isSameWay(credit, refund) && credit.reversedAt === undefined,
  );
  if (refund.context === 'UNDERPAID_CHECKOUT') {
    return sumOf(credits.filter(isPending)) === debitedUnits;
  }
  return refund.units <= sumOf(credits.filter(isEarned)) - refundedOfCompleted(record, refund);
}

type Way = { readonly network: string; readonly assetId: string };

function isSameWay(one: Way, other: Way): boolean {
  return one.network === other.network && one.assetId === other.assetId;
}

function refundedOfCompleted(record: CheckoutRecord, way: Way): bigint {
  const refunds = record.refunds.filter(
    (refund) =>
      isSameWay(refund, way) && !isUndone(refund) && refund.context !== 'UNDERPAID_CHECKOUT',
  );
  return sumOf(refunds);
}

function sumOf(some: readonly { readonly units: bigint }[]): bigint {
  return some.reduce((sum, { units }) => sum + units, 0n);
}

function isPending(credit: Credit): boolean {
  return credit.account === 'pending' && credit.releasedAt === undefined;
}

type WayOfPaying = { readonly network: string; readonly assetId: string; readonly units: bigint };

/** What came in one asset on one network, of the credits that count. */
function wayOfPaying(
  record: CheckoutRecord,
  wish: RefundWish,
  isCounted: (credit: Credit) => boolean,
): WayOfPaying {
  const credits = record.credits
    .filter((credit) => credit.reversedAt === undefined && isCounted(credit))
    .filter(({ network }) => wish.network === undefined || network === wish.network)
    .filter(({ assetId }) => wish.asset === undefined || assetId === wish.asset);
  const isLast = ({ network, assetId }: Credit) =>
    network === record.sourceNetwork && assetId === record.sourceAssetId;
  const chosen = credits.find(isLast) ?? credits.at(-1);
  if (chosen === undefined) throw nothingToRefund();
  const { network, assetId } = chosen;
  const counted = credits.filter((one) => isSameWay(one, chosen));
  if (counted.some((credit) => !isFinal(record, credit))) {
    throw new Refusal('conflict', 'payment_uncertain', [
      'the network is taking a payment of this checkout back: wait until it is certain',
    ]);
  }
  return { network, assetId, units: sumOf(counted) };
}

function isEarned(credit: Credit): boolean {
  return credit.account === 'available' || credit.releasedAt !== undefined;
}

function isFinal(record: CheckoutRecord, credit: Credit): boolean {
  return record.receipts.some(
    ({ id, generation, status }) =>
      id === credit.receiptId && generation === credit.generation && status === 'FINAL',
  );
}

function nothingToRefund(): Refusal {
  return new Refusal('conflict', 'nothing_to_refund', 'nothing is left to be refunded');
}
