import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '#catalog/language.ts';
import { decimalToText } from '#money/decimal.ts';
import { readAmount } from './read-amount.ts';

const read = (typed: string, language: 'en' | 'de') => {
  const amount = readAmount(typed, language);
  return amount && decimalToText(amount);
};

test('an amount is read exactly, with the sign of the language or a point', () => {
  assert.equal(read('0.1', 'en'), '0.1');
  assert.equal(read(' 12 ', 'en'), '12');
  assert.equal(read('0,1', 'de'), '0.1');
  assert.equal(read('0.1', 'de'), '0.1');
  assert.equal(
    read('123456789012345678.123456789012345678', 'en'),
    '123456789012345678.123456789012345678',
  );
});

test('what may be thousands is asked again, and never read as a thousandth or a thousandfold', () => {
  for (const [typed, language] of [
    ['1,000', 'en'],
    ['12,345', 'en'],
    ['1.000', 'de'],
    ['999.999', 'de'],
    ['1,000.00', 'en'],
    ['1.000,00', 'de'],
    ['1 000', 'en'],
  ] as const) {
    assert.equal(read(typed, language), undefined, `${typed} in ${language}`);
  }
  assert.equal(read('1.000', 'en'), '1', 'here it is a decimal sign');
  assert.equal(read('1,234', 'de'), '1.234');
  assert.equal(read('0.001', 'de'), '0.001', 'no thousands begin with a zero');
});

test('what is no amount above zero is none', () => {
  for (const typed of ['', '0', '0.00', '-1', '+1', '1e3', 'x', '1.', '.5', '٣', '1..2', 'NaN']) {
    assert.equal(read(typed, 'en'), undefined, typed);
  }
});

test('what a page shows is read as the same amount in every language', () => {
  for (const { languageCode } of LANGUAGES) {
    const shown = new Intl.NumberFormat(languageCode, { useGrouping: false }).format(1.234);
    const amount = readAmount(shown, languageCode);
    assert.equal(amount && decimalToText(amount), '1.234', `${shown} in ${languageCode}`);
  }
});
