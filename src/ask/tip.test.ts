import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { add, createDecimal, decimalToText, parseDecimal } from '#money/decimal.ts';
import type { PayerAsking } from './ask.ts';
import { isTipOffered, listTips } from './tip.ts';

const offering = (tips: Partial<PayerAsking>): PayerAsking => ({
  ...{ asks: [], tipPercents: [], tipAmounts: [], isTipOwn: false },
  ...tips,
});
const shown = (tips: Partial<PayerAsking>, total: string, decimals = 2) =>
  listTips(offering(tips), parseDecimal(total), decimals).map(({ amount }) =>
    decimalToText(amount),
  );

test('percentages are of the total, rounded once, halves up; amounts are as they are', () => {
  const tips = { tipPercents: ['0.05', '0.1', '0.125'], tipAmounts: ['1', '2.5'] };
  assert.deepEqual(shown(tips, '19.90'), ['1', '1.99', '2.49', '1', '2.5']);
  assert.deepEqual(shown({ tipPercents: ['0.05'] }, '0.10'), ['0.01']);
  assert.deepEqual(shown({ tipPercents: ['0.1'] }, '1250.5', 0), ['125']);
});

test('what comes to nothing, or cannot be paid in the currency, is not offered', () => {
  assert.deepEqual(shown({ tipPercents: ['0.01'] }, '0.10'), []);
  assert.deepEqual(shown({ tipAmounts: ['0.5', '100'] }, '1000', 0), ['100']);
});

const OFFERED: readonly (readonly [tips: Partial<PayerAsking>, tip: string, isOffered: boolean])[] =
  [
    [{}, '0', true],
    [{}, '1', false],
    [{ tipPercents: ['0.1'] }, '2', true],
    [{ tipPercents: ['0.1'] }, '2.01', false],
    [{ tipAmounts: ['3'] }, '3', true],
    [{ isTipOwn: true }, '0.01', true],
    [{ isTipOwn: true }, '0.001', false],
    [{ isTipOwn: true }, '200', true],
    [{ isTipOwn: true }, '200.01', false],
    [{ isTipOwn: true }, '-0.01', false],
  ];

for (const [tips, tip, isOffered] of OFFERED) {
  test(`of 20.00 with ${JSON.stringify(tips)} a tip of ${tip} ${isOffered ? 'can' : 'cannot'} be added`, () => {
    assert.equal(isTipOffered(offering(tips), parseDecimal('20'), 2, parseDecimal(tip)), isOffered);
  });
}

test('every tip that is listed can be added, is at most half a unit from its share, and can be paid', () => {
  const places = fc.constantFrom(0, 2, 3);
  const units = fc.bigInt({ min: 1n, max: 10n ** 15n });
  const parts = fc.bigInt({ min: 1n, max: 10_000n });
  fc.assert(
    fc.property(places, units, parts, (decimals, unitsOfTotal, part) => {
      const total = createDecimal(unitsOfTotal, decimals);
      const percent = createDecimal(part, 4);
      const asking = offering({ tipPercents: [decimalToText(percent)] });
      for (const { amount } of listTips(asking, total, decimals)) {
        assert.ok(isTipOffered(asking, total, decimals, amount));
        assert.ok(amount.scale <= decimals);
        // In units: |amount - total · part / 10000| ≤ 1/2, told without a fraction.
        const tipUnits = amount.coefficient * 10n ** BigInt(decimals - amount.scale);
        const off = 20_000n * tipUnits - 2n * unitsOfTotal * part;
        assert.ok(off <= 10_000n && off > -10_000n, `${off}`);
        assert.equal(add(total, amount).scale <= decimals, true);
      }
    }),
  );
});
