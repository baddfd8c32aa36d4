import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { listCurrencies } from '#catalog/currency.ts';
import { createDecimal, type Decimal, decimalToText, ONE, parseDecimal } from '#money/decimal.ts';
import {
  type MedianOutcome,
  type MedianRequest,
  medianPrice,
  type NamedPrice,
} from './median-price.ts';
import { PRICED_CODES } from './rate.ts';
import { REFERENCE_PRICES } from './rate-book.ts';

const now = Temporal.Instant.from('2026-03-01T12:00:00Z');

type Line = readonly [price: string, ageSeconds?: number, isDaily?: boolean];

function named(lines: readonly Line[]): NamedPrice[] {
  return lines.map(([price, ageSeconds = 0, isDaily = false], index) => ({
    source: `source-${index}`,
    usdPrice: parseDecimal(price),
    observedAt: now.subtract({ seconds: ageSeconds }),
    isDaily,
  }));
}

function told(outcome: MedianOutcome): string {
  return outcome.kind === 'priced' ? decimalToText(outcome.usdPrice) : outcome.reason;
}

const tooFew = (count: number) => `${count} of at least 3 sources have a current price`;
const disagree = 'the sources disagree by more than 3 %';

const table: readonly [sentence: string, lines: readonly Line[], expected: string][] = [
  ['no source at all', [], tooFew(0)],
  ['two sources are too few, even in full agreement', [['100'], ['100']], tooFew(2)],
  ['three sources: the one in the middle', [['101'], ['99'], ['100']], '100'],
  ['four sources: the mean of the two in the middle', [['99'], ['100'], ['101'], ['102']], '100.5'],
  ['a source of 120 s still counts', [['99'], ['100'], ['101', 120]], '100'],
  ['a source of 121 s does not', [['99'], ['100'], ['101', 121]], tooFew(2)],
  ['a little ahead of our clock still counts', [['99'], ['100'], ['101', -120]], '100'],
  ['far ahead of our clock does not', [['99'], ['100'], ['101', -121]], tooFew(2)],
  ['100 times too much is dropped', [['100'], ['101'], ['10000']], '100.5'],
  ['100 times too little is dropped', [['1'], ['100'], ['101']], '100.5'],
  ['an inverted price is dropped', [['0.01'], ['100'], ['100']], '100'],
  ['exactly 3 % off still counts', [['97'], ['100'], ['103']], '100'],
  ['more than 3 % off does not', [['96.99'], ['100'], ['101']], '100.5'],
  ['one that stays alone is no price', [['90'], ['100'], ['110']], disagree],
  ['two camps are no price', [['100'], ['100'], ['110'], ['110']], disagree],
  ['zero is no price', [['0'], ['100'], ['100']], tooFew(2)],
  ['negative is no price', [['-100'], ['100'], ['100']], tooFew(2)],
  ['a daily rate fills up to three', [['100'], ['102'], ['101', 0, true]], '101'],
  [
    'a daily rate is silent among three markets',
    [['99'], ['100'], ['101'], ['102', 0, true]],
    '100',
  ],
  ['an old daily rate does not count', [['100'], ['102'], ['101', 500, true]], tooFew(2)],
  [
    'the mean of two keeps every digit',
    [['0.333333333333333333'], ['0.333333333333333334'], ['0.33'], ['0.34']],
    '0.3333333333333333335',
  ],
];

describe('the median', () => {
  for (const [sentence, lines, expected] of table) {
    test(sentence, () => assert.equal(told(medianPrice({ prices: named(lines), now })), expected));
  }

  test('counts a source once, however often it speaks', () => {
    const prices = named([['100'], ['100'], ['100']]).map((price) => ({ ...price, source: 'one' }));
    assert.equal(told(medianPrice({ prices, now })), tooFew(1));
  });

  test('does not depend on the order of the sources and lies between two that agree', () => {
    const price = fc.integer({ min: 1, max: 10_000 }).map((cents) => `${cents}e-2`);
    fc.assert(
      fc.property(fc.array(price, { maxLength: 8 }), (texts) => {
        const lines = texts.map((text): Line => [text]);
        const outcome = medianPrice({ prices: named(lines), now });
        assert.equal(told(medianPrice({ prices: named(lines.toReversed()), now })), told(outcome));
        if (outcome.kind === 'unavailable') return;
        // Floats are good enough to check the shape of the answer: at least two within 6.2 % of
        // each other.
        const value = Number(decimalToText(outcome.usdPrice));
        const near = texts.filter((text) => Math.abs(Number(text) - value) <= value * 0.062);
        assert.ok(texts.length >= 3 && near.length >= 2);
        assert.ok(Math.min(...near.map(Number)) <= value && value <= Math.max(...near.map(Number)));
        assert.ok(outcome.spreadPartsPerMillion <= 62_000);
      }),
    );
  });

  test('tells its spread, rounded up, and who was dropped and why', () => {
    const outcome = medianPrice({ prices: named([['99'], ['100'], ['101'], ['200', 300]]), now });
    assert.ok(outcome.kind === 'priced');
    assert.equal(outcome.spreadPartsPerMillion, 20_000);
    const evidence = JSON.parse(outcome.evidence);
    assert.equal(evidence.median, '100');
    assert.deepEqual(evidence.kept[0], {
      ...{ source: 'source-0', usdPrice: '99', observedAt: '2026-03-01T12:00:00Z' },
    });
    assert.equal(evidence.dropped[0].source, 'source-3');
    assert.equal(evidence.dropped[0].reason, 'older than 120 s');
    const third = medianPrice({ prices: named([['3'], ['3'], ['3.000001']]), now });
    assert.equal(third.kind === 'priced' && third.spreadPartsPerMillion, 1);
  });
});

describe('what the evidence says', () => {
  const evidenceOf = (lines: readonly Line[], changes: Partial<MedianRequest> = {}) => {
    const { evidence } = medianPrice({ prices: named(lines), now, ...changes });
    return JSON.parse(evidence) as {
      readonly median: string | null;
      readonly peg?: string;
      readonly kept: readonly { readonly source: string; readonly isDaily?: boolean }[];
      readonly dropped: readonly { readonly source: string; readonly reason: string }[];
    };
  };
  const market: readonly Line[] = [['99'], ['100'], ['101']];
  const reasons: readonly [line: Line, reason: string][] = [
    [['0'], 'not above zero'],
    [['-1'], 'not above zero'],
    [['100', 121], 'older than 120 s'],
    [['100', -121], 'from the future'],
    [['104'], 'more than 3 % off the median'],
    [['100', 0, true], 'daily, and there are market prices enough'],
  ];
  for (const [line, reason] of reasons) {
    test(`one that does not count: ${line.join(', ')}: ${reason}`, () => {
      const { kept, dropped } = evidenceOf([...market, line]);
      assert.deepEqual(
        dropped.map((one) => [one.source, one.reason]),
        [['source-3', reason]],
      );
      assert.deepEqual(
        kept.map(({ source }) => source),
        ['source-0', 'source-1', 'source-2'],
      );
    });
  }

  test('a second price of a source is named as that', () => {
    const [first, ...others] = named(market);
    assert.ok(first !== undefined);
    const { evidence } = medianPrice({ prices: [first, ...others, first], now });
    assert.deepEqual(
      JSON.parse(evidence).dropped.map((one: { reason: string }) => one.reason),
      ['a second price of this source'],
    );
  });

  test('no source leaves no median; a peg and a daily price are told', () => {
    assert.deepEqual(evidenceOf([]), { median: null, kept: [], dropped: [] });
    const pegged = evidenceOf([['1'], ['1'], ['1', 0, true]], { peg: ONE });
    assert.equal(pegged.peg, '1');
    assert.deepEqual(
      pegged.kept.map(({ isDaily }) => isDaily),
      [undefined, undefined, true],
    );
  });
});

test('a price below the last digit that is stored is none', () => {
  const priceOf = (usdPrice: Decimal) =>
    told(
      medianPrice({
        prices: named([['1'], ['1'], ['1']]).map((one) => ({ ...one, usdPrice })),
        now,
      }),
    );
  assert.equal(priceOf(createDecimal(1n, 21)), 'the price is too small to be written down');
  assert.equal(priceOf(createDecimal(1n, 20)), '0.00000000000000000001');
});

describe('a stablecoin', () => {
  const pegs: readonly [price: string, isPriced: boolean][] = [
    ['1', true],
    ['0.98', true],
    ['1.02', true],
    ['0.9799', false],
    ['1.0201', false],
    ['0.5', false],
  ];
  for (const [price, isPriced] of pegs) {
    test(`at ${price} is ${isPriced ? 'priced' : 'paused'}`, () => {
      const prices = named([[price], [price], [price]]);
      const outcome = medianPrice({ prices, now, peg: ONE });
      assert.equal(told(outcome), isPriced ? price : 'it is more than 2 % off its peg');
    });
  }
});

test('the reference table prices every code that is billed, stablecoins at their peg', () => {
  assert.deepEqual([...REFERENCE_PRICES.keys()].toSorted(), PRICED_CODES.toSorted());
  const billed = listCurrencies().filter(({ billing }) => billing);
  assert.deepEqual(
    new Set(billed.map(({ assetCode }) => assetCode)),
    new Set([...PRICED_CODES, 'USD']),
  );
  for (const code of ['USDC', 'USDT', 'DAI']) assert.deepEqual(REFERENCE_PRICES.get(code), ONE);
  assert.deepEqual(REFERENCE_PRICES.get('EURC'), REFERENCE_PRICES.get('EUR'));
  for (const [code, price] of REFERENCE_PRICES) assert.ok(price.coefficient > 0n, code);
});
