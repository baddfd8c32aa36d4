// One code for Bitcoin and Lightning (BIP-321): `bitcoin:<address>?amount=<coins>` with the invoice
// as its parameter `lightning`. Guarantees: only for two locks of the same amount whose windows are
// both open and of which nothing is paid, so that a wallet may take either.
import type { CheckoutRecord, Commitment, Offer } from '#checkout/checkout.ts';
import { isStanding } from '#checkout-settlement/payment-progress.ts';

const OTHER_OF: Readonly<Record<string, string>> = { BITCOIN: 'LIGHTNING', LIGHTNING: 'BITCOIN' };

/** Undefined where only one of the two is locked, or they cannot go together. */
export function unifiedUri(
  record: CheckoutRecord,
  shown: Commitment,
  now: Temporal.Instant,
): string | undefined {
  const other = record.commitments.find((commitment) => isOther(shown, commitment));
  if (other === undefined || record.receipts.some(isStanding)) return undefined;
  const ends = [shown, other].map(({ expiresAt }) => expiresAt);
  if (ends.some((end) => Temporal.Instant.compare(now, end) >= 0)) return undefined;
  if (shown.arrivingUnits !== other.arrivingUnits) return undefined;
  const [chain, lightning] = shown.network === 'BITCOIN' ? [shown, other] : [other, shown];
  if (!chain.paymentUri.includes('?')) return undefined;
  return `${chain.paymentUri}&lightning=${encodeURIComponent(lightning.instruction.address)}`;
}

/**
 * What has to be locked as well: only while a new lock keeps the amounts that were shown, because
 * another amount would not go into the same code.
 */
export function unifiableOffer(
  record: CheckoutRecord,
  shown: Commitment,
  now: Temporal.Instant,
): Offer | undefined {
  const isQuoteOver = Temporal.Instant.compare(now, record.quotedUntil) > 0;
  if (record.state !== 'AWAITING_PAYMENT' || isQuoteOver) {
    return undefined;
  }
  if (record.commitments.some((commitment) => isOther(shown, commitment))) return undefined;
  return record.offers.find(
    (offer) => isOther(shown, offer) && offer.arrivingUnits === shown.arrivingUnits,
  );
}

function isOther(shown: Commitment, way: Pick<Offer, 'network' | 'assetId'>): boolean {
  return way.network === OTHER_OF[shown.network] && way.assetId === shown.assetId;
}
