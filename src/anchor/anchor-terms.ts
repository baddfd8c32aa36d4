// What an anchor keeps of a deposit, and how much it takes (SEP-6: `fee_fixed`, `fee_percent`,
// `min_amount`, `max_amount`), as it says in its information, in its answer to a deposit and in the
// transfer. Pure. Guarantees: what is asked of the customer is the least that leaves what is needed
// after the fee, exactly, rounded up, also where the anchor rounds its fee up to the digits of the
// coin; a fee that cannot be read, is negative or above the most the operator bears is no fee to
// pay: the way is not offered; no later answer may leave less than is needed of what the customer
// was told to send.

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
import { ExactNumber, isJsonObject } from '#money/exact-json.ts';
import type { AnchorFields } from './anchor-http.ts';
import { ANCHORED_DECIMALS } from './carried-asset.ts';

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

type TermsReading =
  | { readonly kind: 'read'; readonly terms: AnchorTerms }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Everything on Stellar counts in 63 bits. */
const MOST_UNITS = 2n ** 63n - 1n;
const PERCENT = createDecimal(1n, 2);
const HUNDRED = createDecimal(100n, 0);
const UNITS_PER_COIN = createDecimal(10n ** BigInt(ANCHORED_DECIMALS), 0);

const NAMES = ['fee_fixed', 'fee_percent', 'min_amount', 'max_amount'] as const;

/** Of JSON with exact numbers. */
export function readTerms(fields: Readonly<Record<string, unknown>>): TermsReading {
  const values = NAMES.map((name) => readAmount(fields[name]));
  const faulty = NAMES.find((_, index) => values[index] === 'unreadable');
  if (faulty !== undefined) return { kind: 'unreadable', reason: `its ${faulty} is no amount` };
  const readable = values.filter((value) => value !== 'unreadable');
  const [feeFixed, feePercent, minAmount, maxAmount] = readable;
  return { kind: 'read', terms: { feeFixed, feePercent, minAmount, maxAmount } };
}

/** Numbers, or numbers as text, with at most 18 digits before and after the point. */
function readAmount(value: unknown): Decimal | undefined | 'unreadable' {
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
  const askedUnits = askedUnitsFor(terms, units, stepUnits);
  const keptUnits = keptOf(terms, askedUnits, stepUnits);
  const sent = decimalFromUnits(askedUnits, ANCHORED_DECIMALS);
  const isTooDear =
    compare(decimalFromUnits(keptUnits * 100n, ANCHORED_DECIMALS), multiply(feePercentMost, sent)) >
    0;
  if (isTooDear) {
    const kept = decimalToText(decimalFromUnits(keptUnits, ANCHORED_DECIMALS));
    const most = decimalToText(feePercentMost);
    const reason = `the anchor keeps ${kept} of ${decimalToText(sent)}, more than ${most} %`;
    return { kind: 'refused', reason };
  }
  if (minAmount !== undefined && compare(sent, minAmount) < 0) {
    return { kind: 'refused', reason: `the anchor takes ${decimalToText(minAmount)} at least` };
  }
  const isTooMuch = maxAmount !== undefined && compare(sent, maxAmount) > 0;
  if (isTooMuch || askedUnits > MOST_UNITS) {
    const most = isTooMuch ? maxAmount : decimalFromUnits(MOST_UNITS, ANCHORED_DECIMALS);
    return { kind: 'refused', reason: `the anchor takes ${decimalToText(most)} at most` };
  }
  return { kind: 'passes', askedUnits, arrivingUnits: askedUnits - keptUnits };
}

/** Why no amount at all can be sent by it; undefined when some can. */
function generalFault(
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
function askedUnitsFor(terms: AnchorTerms, units: bigint, stepUnits: bigint): bigint {
  const needed = add(createDecimal(upTo(units, stepUnits), 0), fixedUnits(terms));
  const sent = divideToScale(needed, subtract(ONE, shareOf(terms)), 0, 'up');
  return upTo(sent.coefficient, stepUnits);
}

function keptOf(terms: AnchorTerms, askedUnits: bigint, stepUnits: bigint): bigint {
  const share = multiply(createDecimal(askedUnits, 0), shareOf(terms));
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

export type DepositInfo =
  | {
      readonly kind: 'taken';
      readonly terms: AnchorTerms;
      /** Has to be named when a deposit is asked for, where the anchor names ways of paying it. */
      readonly fundingMethod: string | undefined;
    }
  /** One sentence for the operator and the merchant. */
  | { readonly kind: 'not-taken'; readonly reason: string };

/** What anchors may call the way of paying them by a network. */
export type PaidNetwork = { readonly id: string; readonly name: string };

export function readDepositInfo(
  info: AnchorFields,
  assetCode: string,
  network: PaidNetwork,
  feePercentMost: Decimal,
): DepositInfo {
  const deposit = isJsonObject(info.deposit) ? info.deposit[assetCode] : undefined;
  if (!isJsonObject(deposit) || deposit.enabled !== true) {
    return notTaken('the anchor takes no deposits of this asset now');
  }
  const reading = readTerms(deposit);
  if (reading.kind === 'unreadable') return notTaken(reading.reason);
  const { terms } = reading;
  // SEP-6, Fee: that service is there for fees that these two cannot express.
  const hasFeeService = isJsonObject(info.fee) && info.fee.enabled === true;
  if (hasFeeService && terms.feeFixed === undefined && terms.feePercent === undefined) {
    return notTaken('the anchor does not say in its information what it keeps of a deposit');
  }
  const fault = generalFault(terms, feePercentMost);
  if (fault !== undefined) return notTaken(fault);
  const methods = textsOf(deposit.funding_methods);
  const fundingMethod = methods.length <= 1 ? methods[0] : fittingMethod(methods, network);
  if (methods.length > 1 && fundingMethod === undefined) {
    return notTaken('the anchor names no way of paying it that is this network');
  }
  return { kind: 'taken', terms, fundingMethod };
}

function notTaken(reason: string): DepositInfo {
  return { kind: 'not-taken', reason };
}

/** SEP-6, `funding_method`: one of those the information names. */
function fittingMethod(methods: readonly string[], { id, name }: PaidNetwork): string | undefined {
  return [id, name, 'crypto']
    .map((one) => methods.find((method) => method.toLowerCase() === one.toLowerCase()))
    .find((method) => method !== undefined);
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export type OrderedAmounts = {
  /** What has to arrive, in units of the asset. */
  readonly units: bigint;
  /** What the customer was told to send for it. */
  readonly askedUnits: bigint;
};

const KEEPS_MORE = 'the anchor keeps more of this deposit than it had said';

/** Of the answer to a deposit. The reason why not, or undefined. */
export function faultOfDeposit(
  answer: AnchorFields,
  general: AnchorTerms,
  order: OrderedAmounts,
  limits: PassageLimits,
): string | undefined {
  const own = readTerms(answer);
  if (own.kind === 'unreadable') return own.reason;
  for (const one of [general, mergeTerms(general, own.terms)]) {
    const passage = passageOf(one, order.units, limits);
    if (passage.kind === 'refused') return passage.reason;
    if (passage.askedUnits > order.askedUnits) return KEEPS_MORE;
  }
  return undefined;
}

/** Of its transfer, once it says where to pay. Amounts that are not known yet are zero there. */
export function faultOfTransfer(
  record: AnchorFields,
  { units, askedUnits }: OrderedAmounts,
): string | undefined {
  const sent = decimalFromUnits(askedUnits, ANCHORED_DECIMALS);
  const needed = decimalFromUnits(units, ANCHORED_DECIMALS);
  const fee = isJsonObject(record.fee_details) ? record.fee_details.total : record.amount_fee;
  const [amountIn, amountOut, kept] = [record.amount_in, record.amount_out, fee].map(readAmount);
  if ([amountIn, amountOut, kept].includes('unreadable')) return 'its amounts are none';
  const isSaid = (amount: typeof amountIn): amount is Decimal =>
    typeof amount === 'object' && !isZero(amount);
  if (isSaid(amountIn) && compare(amountIn, sent) > 0) {
    return 'the anchor wants more than the customer was told to send';
  }
  if (isSaid(amountOut) && compare(amountOut, needed) < 0) return KEEPS_MORE;
  if (isSaid(kept) && compare(subtract(sent, kept), needed) < 0) return KEEPS_MORE;
  return undefined;
}
