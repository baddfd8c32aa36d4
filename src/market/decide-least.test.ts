import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createDecimal, parseDecimal } from '#money/decimal.ts';
import { leastUnits } from './decide-least.ts';

const XLM = 'XLM:NATIVE';
const USDC = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const EUR = 'EUR:FIAT';

test('the least is never below the price, and never more than a unit above it', () => {
  const price = fc.record({
    coefficient: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    scale: fc.integer({ min: 0, max: 18 }),
  });
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), price, (units, { coefficient, scale }) => {
      const least = leastUnits(XLM, units, USDC, createDecimal(coefficient, scale));
      // Both have seven digits, so they cancel out.
      const exact = units * coefficient;
      const one = 10n ** BigInt(scale);
      assert(least * one >= exact);
      assert((least - 1n) * one < exact);
    }),
  );
});

test('assets of other digits, and amounts below a unit', () => {
  assert.equal(leastUnits(XLM, 10_000_000n, EUR, parseDecimal('0.0949')), 10n);
  assert.equal(leastUnits(EUR, 1n, XLM, parseDecimal('10.5')), 1_050_000n);
  assert.equal(leastUnits(XLM, 1n, EUR, parseDecimal('0.0000001')), 1n);
});
