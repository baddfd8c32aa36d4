// Tips: what is offered of a total, and what may be chosen. Pure and exact: a percentage is rounded
// once, to the decimals of the currency, to the nearest unit, halves up, as the total itself is.

import {
  compare,
  createDecimal,
  type Decimal,
  isNegative,
  isZero,
  multiply,
  parseDecimal,
  roundHalfUp,
} from '#money/decimal.ts';
import { offersTips, type PayerAsking } from './ask.ts';

type TipChoice = {
  /** In decimal notation; undefined for an amount. */
  readonly percent: Decimal | undefined;
  readonly amount: Decimal;
};

/** Of the total, for whoever names an amount: a slip of the finger is more. */
const OWN_TIMES_MOST = createDecimal(10n, 0);

/**
 * Percentages first, as the merchant wrote them. Left out are those that come to nothing, and
 * amounts that the currency cannot be paid in.
 */
export function listTips(
  { tipPercents, tipAmounts }: PayerAsking,
  total: Decimal,
  decimals: number,
): TipChoice[] {
  const percents = tipPercents.map((text) => {
    const percent = parseDecimal(text);
    return { percent, amount: roundHalfUp(multiply(total, percent), decimals) };
  });
  const amounts = tipAmounts.map((text) => ({ percent: undefined, amount: parseDecimal(text) }));
  return [...percents, ...amounts].filter(
    ({ amount }) => !isZero(amount) && amount.scale <= decimals,
  );
}

/** Whether this may be added to the total; none may always be. */
export function isTipOffered(
  asking: PayerAsking,
  total: Decimal,
  decimals: number,
  tip: Decimal,
): boolean {
  if (isZero(tip)) return true;
  if (isNegative(tip) || !offersTips(asking)) return false;
  const listed = listTips(asking, total, decimals);
  if (listed.some(({ amount }) => compare(amount, tip) === 0)) return true;
  return asking.isTipOwn && tip.scale <= decimals && compare(tip, mostOwnTip(total)) <= 0;
}

function mostOwnTip(total: Decimal): Decimal {
  return multiply(total, OWN_TIMES_MOST);
}
