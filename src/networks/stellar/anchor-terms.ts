// What an anchor keeps of a deposit, and how much it takes (SEP-6, Info and Deposit: `fee_fixed`,
// `fee_percent`, `min_amount`, `max_amount`). Guarantees: what is asked of the customer is the
// least that leaves what is needed after the fee, exactly, rounded up, also where the anchor rounds
// its fee up to the digits of the coin; a fee that cannot be read, is negative or above the most
// the operator bears is no fee to pay: the way is not offered.

import type { Passage } from '#deposit/network.ts';
import {
  add,
  compare,
  createDecimal,
  type Decimal,
  decimalFromUnits,
  decimalToText,
  divideToScale,
  isNegative,
  isZero,
  multiply,
  ONE,
  roundDecimal,
  subtract,
  tryParseDecimal,
  ZERO,
} from '#money/decimal.ts';
import { ExactNumber } from '#money/exact-json.ts';

/** What one answer says; undefined where it says nothing. */
export type AnchorTerms = {
  /** In whole coins of the asset. */
  readonly feeFixed: Decimal | undefined;
  /** In percentage points of what is deposited. */
  readonly feePercent: Decimal | undefined;
  /** In whole coins, of what is deposited. */
  readonly minAmount: Decimal | undefined;
  readonly maxAmount: Decimal | undefined;
};

export type TermsReading =
  | { readonly kind: 'read'; readonly terms: AnchorTerms }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Everything on Stellar counts in 10^-7, in 63 bits. */
const DECIMALS = 7;
const MOST_UNITS = 2n ** 63n - 1n;
const PERCENT = createDecimal(1n, 2);
const HUNDRED = createDecimal(100n, 0);
const UNITS_PER_COIN = createDecimal(10n ** 7n, 0);

const NAMES = ['fee_fixed', 'fee_percent', 'min_amount', 'max_amount'] as const;

/** Of JSON with exact numbers. */
export function readTerms(fields: Readonly<Record<string, unknown>>): TermsReading {
  const values = NAMES.map((name) => readAmount(fields[name]));
  const faulty = NAMES.find((_, index) => values[index] === 'unreadable');
  if (faulty !== undefined) return { kind: 'unreadable', reason: `its ${faulty} is no amount` };
  const [feeFixed, feePercent, minAmount, maxAmount] = values as (Decimal | undefined)[];
  return { kind: 'read', terms: { feeFixed, feePercent, minAmount, maxAmount } };
}

/** Numbers, or numbers as text, with at most 18 digits before and after the point. */
export function readAmount(value: unknown): Decimal | undefined | 'unreadable' {
  if (value === undefined || value === null) return undefined;
  const text = value instanceof ExactNumber ? value.text : value;
  const amount = typeof text === 'string' ? tryParseDecimal(text) : undefined;
  return amount === undefined || isNegative(amount) ? 'unreadable' : amount;
}

/** What the later answer does not say holds as the earlier one said it. */
export function mergeTerms(earlier: AnchorTerms, later: AnchorTerms): AnchorTerms {
  return {
    feeFixed: later.feeFixed ?? earlier.feeFixed,
    feePercent: later.feePercent ?? earlier.feePercent,
    minAmount: later.minAmount ?? earlier.minAmount,
    maxAmount: later.maxAmount ?? earlier.maxAmount,
  };
}

export type PassageLimits = {
  /** The smallest amount that can be sent on the other network, in units of 10^-7. */
  readonly stepUnits: bigint;
  /** More than that of what is sent is kept by no anchor that is offered. */
  readonly feePercentMost: Decimal;
};

/** What has to be sent so that `units` arrive. All in units of 10^-7. */
export function passageOf(terms: AnchorTerms, units: bigint, limits: PassageLimits): Passage {
  const { stepUnits, feePercentMost } = limits;
  const { minAmount, maxAmount } = terms;
  const fault = generalFault(terms, feePercentMost);
  if (fault !== undefined) return { kind: 'refused', reason: fault };
  const sentUnits = sentUnitsFor(terms, units, stepUnits);
  const keptUnits = keptOf(terms, sentUnits, stepUnits);
  const sent = decimalFromUnits(sentUnits, DECIMALS);
  const isTooDear =
    compare(decimalFromUnits(keptUnits * 100n, DECIMALS), multiply(feePercentMost, sent)) > 0;
  if (isTooDear) {
    const kept = decimalToText(decimalFromUnits(keptUnits, DECIMALS));
    const most = decimalToText(feePercentMost);
    const reason = `the anchor keeps ${kept} of ${decimalToText(sent)}, more than ${most} %`;
    return { kind: 'refused', reason };
  }
  if (minAmount !== undefined && compare(sent, minAmount) < 0) {
    return { kind: 'refused', reason: `the anchor takes ${decimalToText(minAmount)} at least` };
  }
  const isTooMuch = maxAmount !== undefined && compare(sent, maxAmount) > 0;
  if (isTooMuch || sentUnits > MOST_UNITS) {
    const most = isTooMuch ? maxAmount : decimalFromUnits(MOST_UNITS, DECIMALS);
    return { kind: 'refused', reason: `the anchor takes ${decimalToText(most)} at most` };
  }
  return { kind: 'passes', sentUnits, arrivingUnits: sentUnits - keptUnits };
}

/** Why no amount at all can be sent by it; undefined when some can. */
export function generalFault(
  { feePercent = ZERO, feeFixed = ZERO }: AnchorTerms,
  feePercentMost: Decimal,
): string | undefined {
  const most = decimalToText(feePercentMost);
  if (compare(feePercent, feePercentMost) > 0 || compare(feePercent, HUNDRED) >= 0) {
    const given = decimalToText(feePercent);
    return `the anchor keeps ${given} % of a deposit, more than ${most} %`;
  }
  if (isZero(feePercentMost) && !isZero(feeFixed)) {
    return `the anchor keeps ${decimalToText(feeFixed)} of a deposit, and may keep nothing`;
  }
  return undefined;
}

/** The least multiple of a step of which so much is left when the fee, rounded up, is gone. */
function sentUnitsFor(terms: AnchorTerms, units: bigint, stepUnits: bigint): bigint {
  const needed = add(createDecimal(upTo(units, stepUnits), 0), fixedUnits(terms));
  const sent = divideToScale(needed, subtract(ONE, shareOf(terms)), 0, 'up');
  return upTo(sent.coefficient, stepUnits);
}

function keptOf(terms: AnchorTerms, sentUnits: bigint, stepUnits: bigint): bigint {
  const share = multiply(createDecimal(sentUnits, 0), shareOf(terms));
  return upTo(roundDecimal(add(fixedUnits(terms), share), 0, 'up').coefficient, stepUnits);
}

function fixedUnits({ feeFixed = ZERO }: AnchorTerms): Decimal {
  return multiply(feeFixed, UNITS_PER_COIN);
}

function shareOf({ feePercent = ZERO }: AnchorTerms): Decimal {
  return multiply(feePercent, PERCENT);
}

function upTo(units: bigint, stepUnits: bigint): bigint {
  return ((units + stepUnits - 1n) / stepUnits) * stepUnits;
}
