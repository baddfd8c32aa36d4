import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Decimal, decimalToText, parseDecimal, ZERO } from '#money/decimal.ts';
import { pricesWanted, shopCurrency, valueTakings } from './decide-worth.ts';
import type { Taking } from './taking.ts';

const NOON = Temporal.Instant.from('2026-01-03T12:00:00Z');
const FIRST = Temporal.Instant.from('2026-01-01T00:00:00Z');
const TODAY = Temporal.Instant.from('2026-01-03T00:00:00Z');

function taking(given: Partial<Taking>): Taking {
  return {
    merchantId: 'm',
    environment: 'live',
    day: FIRST,
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    language: 'en',
    currency: 'EUR',
    payments: 1,
    total: parseDecimal('10'),
    units: 0n,
    ...given,
  };
}
const deposit = (given: Partial<Taking>) =>
  taking({ language: '', currency: '', total: ZERO, ...given });

/** Dollars by code, at any time. */
const prices = (usd: Readonly<Record<string, string>>) => ({
  now: NOON,
  priceOf: ({ code }: { readonly code: string }) => {
    const price = usd[code];
    return price === undefined ? undefined : { usd: parseDecimal(price), rate: undefined };
  },
});

const worthOf = (one: Taking, usd: Readonly<Record<string, string>>) => {
  const [valued] = valueTakings([one], 'EUR', prices(usd));
  return valued?.worth === undefined ? undefined : decimalToText(valued.worth as Decimal);
};

test('the currency of a shop is the one that it bills in most; without bills it is the dollar', () => {
  assert.equal(shopCurrency([]), 'USD');
  assert.equal(shopCurrency([deposit({ payments: 9 })]), 'USD');
  const mixed = [
    taking({ currency: 'BRL', payments: 2 }),
    taking({ payments: 1 }),
    taking({ payments: 2 }),
    taking({ currency: 'BTC', payments: 9 }),
  ];
  assert.equal(shopCurrency(mixed), 'EUR');
  const tie = [taking({ currency: 'USD' }), taking({ currency: 'EUR' })];
  assert.equal(shopCurrency(tie), 'EUR', 'the same on every look');
});

test('what was billed in the currency is exact, and asks for no price', () => {
  const one = taking({ total: parseDecimal('19.905') });
  assert.equal(worthOf(one, {}), '19.905');
  assert.deepEqual(pricesWanted([one], 'EUR', NOON), []);
});

test('the rest is told by the price of the end of its day, of today by that of now', () => {
  const wanted = pricesWanted(
    [taking({ currency: 'USD' }), deposit({ day: TODAY, units: 1n })],
    'EUR',
    NOON,
  );
  assert.deepEqual(
    wanted.map(({ code, at }) => `${code} ${at}`),
    [
      'USD 2026-01-02T00:00:00Z',
      'EUR 2026-01-02T00:00:00Z',
      'LTC 2026-01-03T12:00:00Z',
      'EUR 2026-01-03T12:00:00Z',
    ],
  );
});

for (const [name, one, usd, worth] of [
  ['another bill', taking({ currency: 'USD' }), { USD: '1', EUR: '1.15' }, '8.7'],
  ['a half, to even', taking({ currency: 'USD' }), { USD: '0.0005', EUR: '1' }, '0'],
  ['money without a bill', deposit({ units: 50_000_000n }), { LTC: '100', EUR: '1.15' }, '43.48'],
  ['what was taken back', deposit({ units: -50_000_000n }), { LTC: '100', EUR: '1' }, '-50'],
  ['no price of it', deposit({ units: 1n }), { EUR: '1' }, undefined],
  ['no price of the currency', deposit({ units: 1n }), { LTC: '1' }, undefined],
] as const) {
  test(`${name} is worth ${worth ?? 'nothing that anybody could say'}`, () => {
    assert.equal(worthOf(one, usd), worth);
  });
}
