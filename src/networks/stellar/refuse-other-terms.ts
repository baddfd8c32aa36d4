// Neither what an anchor says of all deposits nor what it says of one, at once or in its transfer,
// may leave less than is needed of what the customer was told to send.

import { compare, type Decimal, decimalFromUnits, isZero, subtract } from '#money/decimal.ts';
import {
  type AnchorTerms,
  mergeTerms,
  type PassageLimits,
  passageOf,
  readAmount,
  readTerms,
} from './anchor-terms.ts';
import { isFields } from './horizon-fields.ts';
import type { AnchorFields } from './read-anchor-answer.ts';

export type OrderedAmounts = {
  /** What has to arrive, in units of the asset. */
  readonly units: bigint;
  /** What the customer was told to send for it. */
  readonly sentUnits: bigint;
};

/** Everything on Stellar. */
const DECIMALS = 7;
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
    if (passage.sentUnits > order.sentUnits) return KEEPS_MORE;
  }
  return undefined;
}

/** Of its transfer, once it says where to pay. Amounts that are not known yet are zero there. */
export function faultOfTransfer(
  record: AnchorFields,
  { units, sentUnits }: OrderedAmounts,
): string | undefined {
  const [sent, needed] = [sentUnits, units].map((one) => decimalFromUnits(one, DECIMALS)) as [
    Decimal,
    Decimal,
  ];
  const fee = isFields(record.fee_details) ? record.fee_details.total : record.amount_fee;
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
