// How much of a checkout is paid, for display: the same sums as decide-settlement makes, over what
// was seen as well. It decides nothing.
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import type { Receipt } from '#deposit/receipt.ts';
import { divideUnits } from '#money/rate.ts';

/** In units of the asset of one commitment: payments by other ways count by their share. */
export type PaymentProgress = {
  readonly requiredUnits: bigint;
  /** Rounded down; includes what is not final yet. */
  readonly receivedUnits: bigint;
  /** Rounded up, so that paying it is always enough; 0 when nothing is missing. */
  readonly remainingUnits: bigint;
};

/** Payments that the chain still knows and whose credit was not taken back. */
export function isStanding(receipt: Receipt): boolean {
  return receipt.status !== 'GONE' && receipt.reversedGeneration !== receipt.generation;
}

export function commitmentOf(record: CheckoutRecord, receipt: Receipt): Commitment | undefined {
  return record.commitments.find(({ instruction }) => instruction.id === receipt.instructionId);
}

/** Arrived where it was asked for, but in another asset. */
export function isWrongAsset(record: CheckoutRecord, receipt: Receipt): boolean {
  const commitment = commitmentOf(record, receipt);
  return commitment !== undefined && commitment.assetId !== receipt.assetId;
}

/** It went, or is going, back to the payer, and pays for nothing any more. */
function isReturned({ credits }: CheckoutRecord, receipt: Receipt): boolean {
  return credits.some(
    ({ receiptId, generation, account }) =>
      receiptId === receipt.id && generation === receipt.generation && account === 'refunded',
  );
}

export function paymentProgress(record: CheckoutRecord, commitment: Commitment): PaymentProgress {
  const requiredUnits = commitment.paymentUnits;
  let numerator = 0n;
  let denominator = 1n;
  for (const receipt of record.receipts) {
    if (!isStanding(receipt) || isWrongAsset(record, receipt) || isReturned(record, receipt))
      continue;
    const required = requiredFor(record, receipt);
    if (required === undefined) continue;
    numerator = numerator * required + receipt.units * denominator;
    denominator *= required;
  }
  const missing = (denominator - numerator) * requiredUnits;
  const remainingUnits = missing > 0n ? divideUnits(missing, denominator, 'up') : 0n;
  return { requiredUnits, remainingUnits, receivedUnits: requiredUnits - remainingUnits };
}

/**
 * What all of the charge costs by the way this payment took; less when it came late and cheaper.
 */
function requiredFor(record: CheckoutRecord, receipt: Receipt): bigint | undefined {
  const locked = commitmentOf(record, receipt)?.paymentUnits;
  const now = record.credits.find(
    ({ receiptId, generation }) => receiptId === receipt.id && generation === receipt.generation,
  )?.requiredNowUnits;
  return now !== undefined && locked !== undefined && now < locked ? now : locked;
}
