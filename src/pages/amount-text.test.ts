import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalToText } from '#money/decimal.ts';
import { readTypedAmount } from './amount-text.ts';

const CASES: readonly (readonly [typed: string, decimals: number, read: string | undefined])[] = [
  ['12', 2, '12'],
  ['12.50', 2, '12.5'],
  ['12,50', 2, '12.5'],
  [' 0,5 ', 2, '0.5'],
  ['0', 2, '0'],
  ['0.00000001', 8, '0.00000001'],
  ['0.125', 8, '0.125'],
  ['5', 0, '5'],
  ['5.0', 0, undefined],
  ['12.505', 2, undefined],
  ['1,000', 2, undefined],
  ['1,000', 8, undefined],
  ['1.000', 2, undefined],
  ['1,000.00', 2, undefined],
  ['1 000', 2, undefined],
  ['-1', 2, undefined],
  ['+1', 2, undefined],
  ['1e3', 2, undefined],
  ['.5', 2, undefined],
  ['5.', 2, undefined],
  ['', 2, undefined],
  ['١٢', 2, undefined],
  ['1234567890123456789', 2, undefined],
];

for (const [typed, decimals, read] of CASES) {
  test(`"${typed}" with ${decimals} decimals is ${read ?? 'no amount'}`, () => {
    const amount = readTypedAmount(typed, decimals);
    assert.equal(amount && decimalToText(amount), read);
  });
}
