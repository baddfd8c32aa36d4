import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountFromText, amountToText, UNITS_MAX } from './asset-amount.ts';

test('units are written in whole coins, with the digits that count', () => {
  assert.equal(amountToText(123_450n, 4), '12.345');
  assert.equal(amountToText(0n, 8), '0');
  assert.equal(amountToText(-1n, 2), '-0.01');
});

test('whole coins are read as units, or not at all', () => {
  assert.equal(amountFromText('12.345', 4), 123_450n);
  assert.equal(amountFromText('0', 4), 0n);
  assert.equal(amountFromText('0.12345', 4), undefined);
  assert.equal(amountFromText('-1', 4), undefined);
  assert.equal(amountFromText('one', 4), undefined);
  assert.equal(amountFromText(`${UNITS_MAX}`, 0), 10n ** 78n - 1n);
  assert.equal(amountFromText(`${UNITS_MAX + 1n}`, 0), undefined);
});
