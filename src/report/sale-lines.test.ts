import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Charge, readCharge } from '#charge/charge.ts';
import {
  add,
  compare,
  createDecimal,
  type Decimal,
  decimalToText,
  negate,
  ZERO,
} from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { correctedLines, NOTHING, type SaleLine, type Share, saleLines } from './sale-lines.ts';

const ALL: Share = { part: 1n, whole: 1n };

function chargeOf(written: object): Charge | undefined {
  const parsed = parseExactJson(JSON.stringify(written));
  return parsed.ok ? readCharge(parsed.value, []) : undefined;
}

const sum = (amounts: readonly Decimal[]) => amounts.reduce(add, ZERO);
const shown = ({ net, taxed, taxable }: SaleLine) => [net, taxed, taxable].map(decimalToText);

test('half of a sale takes half of its net and of each tax, half a unit up', () => {
  const charge = chargeOf({
    billingCurrency: 'USD',
    lineItems: [{ description: 'Book', netAmount: '105' }],
    taxItems: [
      { name: 'VAT', percent: '0.19' },
      { name: 'City', percent: '0.005' },
    ],
  });
  assert.ok(charge);
  const half = { part: 1n, whole: 2n };
  assert.deepEqual(correctedLines({ charge, tip: ZERO }, NOTHING, half).map(shown), [
    ['-52.5', '-9.98', '-52.5'],
    ['0', '-0.26', '-52.5'],
  ]);
  assert.deepEqual(correctedLines({ charge, tip: ZERO }, half, ALL).map(shown), [
    ['-52.5', '-9.97', '-52.5'],
    ['0', '-0.27', '-52.5'],
  ]);
});

test('a tip is a line of its own, of which there is no tax', () => {
  const charge = chargeOf({
    billingCurrency: 'USD',
    lineItems: [{ description: 'Book', netAmount: '105' }],
    taxItems: [{ name: 'VAT', percent: '0.19' }],
  });
  assert.ok(charge);
  const sold = { charge, tip: createDecimal(1001n, 2) };
  assert.deepEqual(saleLines(sold).map(shown), [
    ['105', '19.95', '105'],
    ['10.01', '0', '0'],
  ]);
  // Of 62.475 and 67.48 half a unit goes up once: the rows sum to the half of 134.96.
  assert.deepEqual(correctedLines(sold, NOTHING, { part: 1n, whole: 2n }).map(shown), [
    ['-52.5', '-9.98', '-52.5'],
    ['-5', '0', '0'],
  ]);
});

const amount = fc.integer({ min: -9_999, max: 99_999 }).map((value) => `${value / 100}`);
const item = fc.record({ description: fc.constant('Thing'), netAmount: amount });
const percent = fc.integer({ min: 0, max: 20_000 }).map((value) => `${value / 100_000}`);
const anyCharge = fc.record({
  billingCurrency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  lineItems: fc.array(item, { minLength: 1, maxLength: 4 }),
  taxItems: fc.array(fc.record({ name: fc.constant('VAT'), percent }), { maxLength: 4 }),
});
const anyTip = fc.integer({ min: 0, max: 9_999 }).map((units) => createDecimal(BigInt(units), 0));
const anyShare = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 10n ** 20n }))
  .map(([whole, part]): Share => ({ part: part % (whole + 1n), whole }));

test('however a sale is given back, each row adds up, and all of it is what was charged', () => {
  fc.assert(
    fc.property(anyCharge, anyTip, fc.array(anyShare, { maxLength: 6 }), (written, tip, shares) => {
      const charge = chargeOf(written);
      fc.pre(charge !== undefined);
      const steps = [NOTHING, ...shares, ALL];
      const rows = steps.slice(1).map((now, index) => {
        return correctedLines({ charge, tip }, steps[index] ?? NOTHING, now);
      });
      for (const lines of rows) {
        for (const { net, taxed } of lines) {
          assert.ok(net.scale <= charge.decimals && taxed.scale <= charge.decimals);
        }
      }
      saleLines({ charge, tip }).forEach((line, index) => {
        for (const field of ['net', 'taxed', 'taxable'] as const) {
          const back = sum(rows.map((lines) => lines[index]?.[field] ?? ZERO));
          assert.equal(decimalToText(back), decimalToText(negate(line[field])));
        }
      });
    }),
  );
});

test('more given back is never more left of the net and the total of a sale', () => {
  fc.assert(
    fc.property(anyCharge, anyTip, anyShare, anyShare, (written, tip, one, other) => {
      const charge = chargeOf(written);
      fc.pre(charge !== undefined && charge.netCharged.coefficient >= 0n);
      const [less, more] =
        one.part * other.whole <= other.part * one.whole ? [one, other] : [other, one];
      const lines = correctedLines({ charge, tip }, less, more);
      assert.ok(compare(sum(lines.map(({ net }) => net)), ZERO) <= 0);
      assert.ok(compare(sum(lines.flatMap(({ net, taxed }) => [net, taxed])), ZERO) <= 0);
    }),
  );
});
