// What there is to say beside the state of a page: a pure function of the record. A notice never
// repeats or contradicts what the state says; what the whole page says: decide-words.ts.
import type { CheckoutFlags, CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import { type CheckoutRefund, isUndone } from '#checkout/checkout-refund.ts';
import { isStanding, isWrongAsset } from '#checkout-settlement/payment-progress.ts';
import { isRateMissing } from '#rates/quote.ts';

export type Notice =
  | { readonly kind: 'behind'; readonly network: string }
  | { readonly kind: 'rate-missing'; readonly assetIds: readonly string[] }
  | { readonly kind: 'replaced' }
  | { readonly kind: 'wrong-asset' }
  | {
      readonly kind: 'wrong-network';
      readonly network: string;
      readonly amount: string;
      readonly assetCode: string;
    }
  | { readonly kind: 'over'; readonly amount: string; readonly assetCode: string }
  | { readonly kind: 'late' }
  | { readonly kind: 'multiple' }
  | { readonly kind: 'accepted-underpaid' }
  | {
      readonly kind: 'refund';
      readonly state: 'AWAITING_ADDRESS' | 'UNDER_WAY' | 'COMPLETED';
      readonly network: string;
      readonly assetId: string;
      readonly units: bigint;
      /** It is not sent before. */
      readonly restsUntil?: Temporal.Instant;
    }
  | { readonly kind: 'reversed' };

type NoticeFacts = { readonly record: CheckoutRecord; readonly behind: ReadonlySet<string> };

export function noticesOf(
  { record, behind }: NoticeFacts,
  shown: Commitment | undefined,
): Notice[] {
  const refunds = refundNotices(record);
  const isReturned = record.refunds.some(
    (refund) => refund.kind !== 'amount' && isUnderWay(refund),
  );
  const flags = flagNotices(record).filter(
    // Money that is already being returned is not mentioned: nobody has to ask for it.
    ({ kind }) => !isReturned || (kind !== 'over' && kind !== 'multiple'),
  );
  const notices: Notice[] = [...flags, ...refunds];
  if (record.state === 'COMPLETED' || record.state === 'CANCELLED') return notices;
  if (shown !== undefined && behind.has(shown.network)) {
    notices.push({ kind: 'behind', network: shown.network });
  }
  const withheld = withheldAssets(record);
  if (record.state === 'NEW' && withheld.length > 0) {
    notices.push({ kind: 'rate-missing', assetIds: withheld });
  }
  const isGone =
    record.receipts.length > 0 && record.receipts.every(({ status }) => status === 'GONE');
  if (isGone && !isTakenBack(record.flags)) {
    notices.push({ kind: 'replaced' });
  }
  if (record.receipts.some((receipt) => isStanding(receipt) && isWrongAsset(record, receipt))) {
    notices.push({ kind: 'wrong-asset' });
  }
  return notices;
}

export function isUnderWay(refund: CheckoutRefund): boolean {
  return !isUndone(refund);
}

/**
 * A refund that failed, or came back, is not shown: the shop has to try again, and the customer can
 * do nothing about it.
 */
function refundNotices({ refunds }: CheckoutRecord): Notice[] {
  return refunds.flatMap((refund) => {
    const { state, network, assetId, units } = refund;
    if (state === 'FAILED' || state === 'RETURNED') return [];
    return [{ kind: 'refund' as const, state, network, assetId, units, ...restOf(refund) }];
  });
}

function restOf({ state, payment, restsUntil, transaction }: CheckoutRefund) {
  const rests = state === 'UNDER_WAY' && payment === 'STANDING' && transaction === undefined;
  return rests && restsUntil !== undefined ? { restsUntil } : {};
}

/** Assets that no network offers because there was no price for them. */
function withheldAssets({ withheld, offers }: CheckoutRecord): string[] {
  const offered = new Set(offers.map(({ assetId }) => assetId));
  const assetIds = withheld
    .filter(({ reason }) => isRateMissing(reason))
    .map(({ assetId }) => assetId);
  return [...new Set(assetIds)].filter((assetId) => !offered.has(assetId));
}

function flagNotices({ flags, state }: CheckoutRecord): Notice[] {
  const notices: Notice[] = [];
  const { overpaid, wrongNetwork } = flags;
  if (wrongNetwork !== undefined) {
    const { network, amount, assetCode } = wrongNetwork;
    notices.push({ kind: 'wrong-network', network, amount, assetCode });
  }
  if (isTakenBack(flags)) {
    // If the checkout was complete, its page already says that the money was taken back. Other
    // notices about that money are not true any more.
    return state === 'COMPLETED' ? notices : [...notices, { kind: 'reversed' }];
  }
  if (overpaid !== undefined) notices.push({ kind: 'over', ...overpaid });
  if (flags.late !== undefined) notices.push({ kind: 'late' });
  // The notice about too much money already covers this case.
  if (flags.multiple !== undefined && overpaid === undefined) notices.push({ kind: 'multiple' });
  if (flags.acceptedUnderpaid !== undefined) notices.push({ kind: 'accepted-underpaid' });
  return notices;
}

export function isTakenBack(flags: CheckoutFlags): boolean {
  return flags.reversed !== undefined;
}
