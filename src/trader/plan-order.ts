// What an order of the house is on a market of an exchange: which side, how much, at which limit.
// Pure. Guarantees: never more is sold than was ordered, and never at a worse price than the limit
// says, whatever steps the market has.
import {
  add,
  compare,
  type Decimal,
  decimalToText,
  divideToScale,
  isZero,
  multiply,
  ONE,
  parseWideDecimal,
} from '#money/decimal.ts';
import type { Rounding } from '#money/rounding.ts';

export type Market = {
  /** How ccxt calls it: BASE/QUOTE. */
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Amounts are multiples of it, in the base. */
  readonly amountStep: Decimal;
  /** Prices are multiples of it, in the quote for one of the base. */
  readonly priceStep: Decimal;
  readonly amountLeast: Decimal | undefined;
};

export type PlannedOrder = {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Of the base. */
  readonly amount: string;
  readonly price: string;
};

type Wanted = {
  readonly giveCode: string;
  readonly giveAmount: string;
  /** At least so much is got for one that is given. */
  readonly limit: string;
};

const SCALE_MOST = 30;

export function planOrder(
  { giveCode, giveAmount, limit }: Wanted,
  market: Market,
): PlannedOrder | { readonly reason: string } {
  const [give, least] = [parseWideDecimal(giveAmount), parseWideDecimal(limit)];
  if (isZero(least)) return { reason: 'an order without a limit is not sent' };
  const isSale = giveCode === market.base;
  const price = isSale
    ? toStep(least, market.priceStep, 'up')
    : toStep(divideToScale(ONE, least, SCALE_MOST, 'down'), market.priceStep, 'down');
  if (isZero(price)) return { reason: 'the limit is below the smallest step of the price' };
  const most = isSale ? give : divideToScale(give, price, SCALE_MOST, 'down');
  const amount = toStep(most, market.amountStep, 'down');
  if (isZero(amount) || (market.amountLeast && compare(amount, market.amountLeast) < 0)) {
    return { reason: `${decimalToText(amount)} ${market.base} is less than the market takes` };
  }
  return {
    symbol: market.symbol,
    side: isSale ? 'sell' : 'buy',
    amount: decimalToText(amount),
    price: decimalToText(price),
  };
}

/** Whether its limit is worse than what the exchange itself offers, by more than so much. */
export function isWorseThan(
  { side, price }: PlannedOrder,
  best: { readonly bid: string; readonly ask: string },
  partsPerMillion: number,
): boolean {
  const part = divideToScale(
    parseWideDecimal(`${partsPerMillion}`),
    parseWideDecimal('1000000'),
    6,
    'down',
  );
  const limit = parseWideDecimal(price);
  if (side === 'sell') {
    const bid = parseWideDecimal(best.bid);
    return compare(add(limit, multiply(bid, part)), bid) < 0;
  }
  const ask = parseWideDecimal(best.ask);
  return compare(limit, add(ask, multiply(ask, part))) > 0;
}

function toStep(value: Decimal, step: Decimal, rounding: Rounding): Decimal {
  return multiply(divideToScale(value, step, 0, rounding), step);
}
