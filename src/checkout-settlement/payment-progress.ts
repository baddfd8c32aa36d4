// How much of a checkout is paid: the same sums as decide-settlement makes, over what was seen as
// well. It decides no state.
import { networkOf } from '#catalog/chain.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import type { Credit } from '#checkout/credit.ts';
import {
  add,
  createDecimal,
  type Decimal,
  divideToScale,
  multiply,
  subtract,
} from '#money/decimal.ts';
import { divideUnits } from '#money/rate.ts';
import { isInTime, lockOfReceipt, locksOf } from './lock-of-receipt.ts';
import { createShareSum, WHOLE_SHARE } from './paid-share.ts';

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
  return commitmentOfInstruction(record, receipt.instructionId);
}

/** Also by what was handed out in an earlier window. */
export function commitmentOfInstruction(
  { commitments }: Pick<CheckoutRecord, 'commitments'>,
  instructionId: string | undefined,
): Commitment | undefined {
  return commitments.find(
    ({ instruction, pastWindows }) =>
      instruction.id === instructionId ||
      pastWindows.some((window) => window.instructionId === instructionId),
  );
}

/** Arrived where it was asked for, but in another asset. */
export function isWrongAsset(record: CheckoutRecord, receipt: Receipt): boolean {
  const commitment = commitmentOf(record, receipt);
  return commitment !== undefined && commitment.assetId !== receipt.assetId;
}

/** It went back to the payer, or is on its way, and pays for nothing any more. */
function isReturned({ credits }: CheckoutRecord, receipt: Receipt): boolean {
  return credits.some(
    ({ receiptId, generation, account }) =>
      receiptId === receipt.id && generation === receipt.generation && account === 'refunded',
  );
}

export function paymentProgress(record: CheckoutRecord, commitment: Commitment): PaymentProgress {
  const requiredUnits = commitment.arrivingUnits;
  const paid = createShareSum();
  for (const receipt of record.receipts) {
    if (!isStanding(receipt) || isWrongAsset(record, receipt) || isReturned(record, receipt))
      continue;
    const required = requiredFor(record, commitment, receipt);
    if (required !== undefined) paid.add(receipt.units, required);
  }
  const missing = WHOLE_SHARE - paid.total();
  const remainingUnits =
    missing > 0n ? divideUnits(missing * requiredUnits, WHOLE_SHARE, 'up') : 0n;
  return { requiredUnits, remainingUnits, receivedUnits: requiredUnits - remainingUnits };
}

/**
 * What all of the charge costs by the way this payment took: by its window, when it came late by
 * the rate of then; when it came before the window that is shown by that.
 */
function requiredFor(
  record: CheckoutRecord,
  shown: Commitment,
  receipt: Receipt,
): bigint | undefined {
  const own = commitmentOf(record, receipt);
  const then = record.credits.find(
    ({ receiptId, generation }) => receiptId === receipt.id && generation === receipt.generation,
  )?.requiredNowUnits;
  if (receipt.unaskedSettlementAssetId !== undefined) return then;
  const instructionId = receipt.instructionId;
  if (own === undefined || instructionId === undefined) return undefined;
  const locks = locksOf(own);
  const lock = lockOfReceipt(locks, record.credits)({ ...receipt, instructionId });
  if (lock === undefined) return undefined;
  const counted = isInTime(receipt, lock) ? lock.arrivingUnits : (then ?? lock.arrivingUnits);
  const isEarlier = own === shown && lock !== locks.at(-1);
  return isEarlier ? shown.arrivingUnits : counted;
}

/** What all of the charge costs in the asset of a payment, by each price that counted for it. */
type Prices = {
  /** Of its window; undefined for money that nobody asked for. */
  readonly lockedUnits: bigint | undefined;
  /** When it was credited; undefined where its window alone counts. */
  readonly currentUnits: bigint | undefined;
};

export function pricesOf(record: CheckoutRecord, receipt: Receipt): Prices {
  const own = commitmentOf(record, receipt);
  const { instructionId } = receipt;
  const lock =
    own === undefined || instructionId === undefined
      ? undefined
      : lockOfReceipt(locksOf(own), record.credits)({ ...receipt, instructionId });
  return {
    lockedUnits: lock?.arrivingUnits,
    currentUnits: creditOf(record, receipt)?.requiredNowUnits,
  };
}

function creditOf({ credits }: CheckoutRecord, receipt: Receipt): Credit | undefined {
  return credits.find(
    ({ receiptId, generation }) => receiptId === receipt.id && generation === receipt.generation,
  );
}

/**
 * What each credited payment is of the total, by receipt: the part that its window covered by the
 * price of that window, the rest by the price it was measured by. What nobody knows the price of
 * has none. Each is the difference of two running totals, rounded half-even, so that payments which
 * together are all of it add up to the total.
 */
export function paymentWorths(record: CheckoutRecord): ReadonlyMap<bigint, Decimal> {
  const { total, billingCurrency } = record;
  const { decimals } = getCurrency(billingCurrency);
  const before = new Map<bigint, bigint>();
  const upTo = (units: bigint, required: bigint) => {
    const share = multiply(total, createDecimal(units, 0));
    return divideToScale(share, createDecimal(required, 0), decimals, 'half-even');
  };
  const next = (units: bigint, required: bigint) => {
    const from = before.get(required) ?? 0n;
    before.set(required, from + units);
    return subtract(upTo(from + units, required), upTo(from, required));
  };
  const worths = new Map<bigint, Decimal>();
  for (const receipt of record.receipts) {
    const credit = creditOf(record, receipt);
    if (credit === undefined || !isStanding(receipt) || isWrongAsset(record, receipt)) continue;
    const { lockedUnits, currentUnits } = pricesOf(record, receipt);
    const [locked, current] = [lockedUnits ?? currentUnits, currentUnits ?? lockedUnits];
    if (locked === undefined || current === undefined) continue;
    const covered = next(credit.lockedUnits, locked);
    worths.set(receipt.id, add(covered, next(receipt.units - credit.lockedUnits, current)));
  }
  return worths;
}

/** Assigned by a person, asked for by nobody; of one asset and network, in order of the record. */
export function unaskedReceipts(
  { receipts }: Pick<CheckoutRecord, 'receipts'>,
  network: string,
  assetId: string,
): Receipt[] {
  return receipts.filter(
    (receipt) =>
      receipt.unaskedSettlementAssetId !== undefined &&
      receipt.assetId === assetId &&
      networkOf(receipt.chain) === network,
  );
}

/**
 * What the whole charge cost in it when it was credited: the most of it, where parts were credited
 * at different prices. Undefined while none of it is credited.
 */
export function unaskedRequired(
  record: Pick<CheckoutRecord, 'receipts' | 'credits'>,
  network: string,
  assetId: string,
): bigint | undefined {
  const own = new Set(unaskedReceipts(record, network, assetId).map(({ id }) => id));
  return record.credits
    .filter(({ receiptId, reversedAt }) => own.has(receiptId) && reversedAt === undefined)
    .map(({ requiredNowUnits }) => requiredNowUnits)
    .reduce((most, one) => (most === undefined || (one ?? 0n) > most ? one : most), undefined);
}
