// An order of the house on a market: properties over any amounts, limits and steps, and what people
// would ask first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compare,
  createDecimal,
  type Decimal,
  decimalToText,
  multiply,
  ONE,
  parseWideDecimal,
} from '#money/decimal.ts';
import { isWorseThan, type Market, planOrder } from './plan-order.ts';

const decimal = (digits: bigint) =>
  fc.tuple(fc.bigInt(1n, digits), fc.nat(12)).map(([units, scale]) => createDecimal(units, scale));
const step = fc.nat(10).map((scale) => createDecimal(1n, scale));

function marketOf(amountStep: Decimal, priceStep: Decimal): Market {
  const assets = { symbol: 'BTC/EUR', base: 'BTC', quote: 'EUR' };
  return { ...assets, amountStep, priceStep, amountLeast: undefined };
}

const isMultiple = (value: Decimal, of: Decimal) => {
  const scale = Math.max(value.scale, of.scale);
  const units = (one: Decimal) => one.coefficient * 10n ** BigInt(scale - one.scale);
  return units(value) % units(of) === 0n;
};

test('never more is sold than was ordered, never below the limit, in steps of the market', () => {
  fc.assert(
    fc.property(
      decimal(10n ** 15n),
      decimal(10n ** 12n),
      step,
      step,
      fc.boolean(),
      (give, limit, amountStep, priceStep, isSale) => {
        const giveCode = isSale ? 'BTC' : 'EUR';
        const wanted = { giveCode, giveAmount: decimalToText(give), limit: decimalToText(limit) };
        const planned = planOrder(wanted, marketOf(amountStep, priceStep));
        if ('reason' in planned) return;
        const [amount, price] = [planned.amount, planned.price].map(parseWideDecimal);
        assert(amount !== undefined && price !== undefined);
        assert.equal(planned.side, isSale ? 'sell' : 'buy');
        assert(isMultiple(amount, amountStep) && isMultiple(price, priceStep));
        // Sold is the base, or what it costs at the worst price that the order allows.
        const sold = isSale ? amount : multiply(amount, price);
        assert(compare(sold, give) <= 0);
        // For one that is sold, at least the limit: price >= limit, or 1 >= limit * price.
        assert(
          isSale ? compare(price, limit) >= 0 : compare(multiply(limit, price), ONE) <= 0,
          `${planned.price} for ${wanted.limit}`,
        );
      },
    ),
  );
});

test('what is sold for the quote is bought in the base, for no more than that', () => {
  const wanted = { giveCode: 'EUR', giveAmount: '1000', limit: '0.00001333' };
  const planned = planOrder(wanted, marketOf(createDecimal(1n, 8), createDecimal(1n, 1)));
  assert.deepEqual(planned, {
    ...{ symbol: 'BTC/EUR', side: 'buy', amount: '0.01333', price: '75018.7' },
  });
});

test('a limit is too bad when it lies further from the market than is allowed', () => {
  const best = { bid: '100', ask: '101' };
  const at = (side: 'buy' | 'sell', price: string) =>
    isWorseThan({ symbol: 'BTC/EUR', side, amount: '1', price }, best, 10_000);
  assert.deepEqual(
    [at('sell', '99'), at('sell', '98.99'), at('buy', '102.01'), at('buy', '102.02')],
    [false, true, false, true],
  );
});
