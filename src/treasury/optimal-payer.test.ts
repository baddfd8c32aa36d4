// Who is promised a price for an hour holds an option: he pays what he owes at the promised price
// where the market fell, and asks again where it rose. Here everybody does, without fail, over
// random walks of the price; the quotes are those of the service. The figures stand in
// docs/money.md. Prices of a walk are no money of anybody: only they are floating point.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecimal, ONE } from '#money/decimal.ts';
import { quotePayment } from '#rates/quote.ts';

const PATHS = 6_000;
const START = 1_000_000;
const TOTAL_CENTS = 10_000;

/** Deterministic, uniform in [0, 1): mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Where a price of 1 is after so many minutes; each minute it goes up or down by the same part. */
function walk(next: () => number, minutes: number, volatilityPercent: number): number {
  const step = volatilityPercent / 100 / Math.sqrt(365 * 24 * 60);
  let price = 1;
  for (let minute = 0; minute < minutes; minute++)
    price *= next() < 0.5 ? 1 - step : 1 / (1 - step);
  return price;
}

/** What the service asks for 100 dollars in satoshi, converted to dollars, at this price. */
function askedUnits(price: number, spreadPartsPerMillion: number): bigint {
  const now = Temporal.Instant.from('2026-01-01T00:00:00Z');
  const usdPrice = createDecimal(BigInt(Math.round(price * START)), 1);
  const quote = quotePayment({
    environment: 'live',
    total: createDecimal(BigInt(TOTAL_CENTS), 2),
    billingCurrency: 'USD',
    paymentAssetId: 'BTC:NATIVE',
    settlementAsset: 'USD:FIAT',
    feePartsPerMillion: 0,
    spreadPartsPerMillion,
    book: {
      price: (_, code) => ({
        ...{ id: 1n, code, observedAt: now },
        usdPrice: code === 'USD' ? ONE : usdPrice,
      }),
    },
    now,
  });
  assert.ok(quote.kind === 'quoted');
  return quote.arrivingUnits;
}

/**
 * What the house has left of each 100 dollars it credits, in parts per million: every payer takes
 * the cheaper of what he was promised and what is asked at the end. Below zero is a loss.
 */
function resultPartsPerMillion(minutes: number, volatilityPercent: number, spread: number): number {
  const next = seeded(20_260_101);
  const promised = askedUnits(1, spread);
  let worth = 0;
  for (let path = 0; path < PATHS; path++) {
    const price = walk(next, minutes, volatilityPercent);
    const asked = askedUnits(price, spread);
    const paid = asked < promised ? asked : promised;
    // 100,000 dollars a coin: a satoshi is a thousandth of a dollar at the start.
    worth += Number(paid) * 0.001 * price;
  }
  return (((worth / PATHS) * 100) / TOTAL_CENTS) * 1_000_000 - 1_000_000;
}

test('without a spread the option of the payer costs the house, and a spread covers it', () => {
  // Volatility of a year in percent, minutes that a price is held, the spread that covers it.
  for (const [volatility, minutes, covers] of [
    [60, 60, 2_700],
    [60, 120, 3_900],
    [80, 60, 3_600],
    [80, 120, 5_200],
  ] as const) {
    const name = `${volatility} % over ${minutes} minutes`;
    const without = resultPartsPerMillion(minutes, volatility, 0);
    const covered = resultPartsPerMillion(minutes, volatility, covers);
    const half = resultPartsPerMillion(minutes, volatility, covers / 2);
    assert.ok(without < -1_500, `${name}: ${without} without a spread`);
    assert.ok(half < 0, `${name}: ${half} with half of it`);
    assert.ok(covered >= 0, `${name}: ${covered} with ${covers}`);
  }
});
