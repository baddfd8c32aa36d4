import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { getAsset, listAssets } from '#catalog/asset.ts';
import { LANGUAGES, type LanguageCode } from '#catalog/language.ts';
import { createDecimal, decimalToText, parseDecimal } from '#money/decimal.ts';
import {
  assetName,
  directionOf,
  minutesRangeText,
  minutesText,
  momentText,
  moneyText,
  numberText,
  percentText,
} from './display.ts';

/** No-break spaces of either width stand as `_`. */
const shown = (text: string) => text.replace(/[\u00a0\u202f]/g, '_');

const MONEY: readonly (readonly [LanguageCode, amount: string, currency: string, text: string])[] =
  [
    ['en', '1234.5', 'USD', '$1,234.50'],
    ['de', '1234.5', 'USD', '1.234,50_$'],
    ['fr', '1234.5', 'EUR', '1_234,50_€'],
    ['pt', '1234.5', 'EUR', '€_1.234,50'],
    ['es', '12345.5', 'EUR', '12.345,50_€'],
    ['it', '12345.5', 'EUR', '12.345,50_€'],
    ['tr', '1234.5', 'TRY', '₺1.234,50'],
    ['pl', '12345.5', 'PLN', '12_345,50_zł'],
    ['en', '5', 'JPY', '¥5'],
    // Whose dollar it is, is said unless it is the one of the language.
    ['en', '10', 'CAD', 'CA$10.00'],
    ['de', '10', 'AUD', '10,00_AU$'],
    // All digits, none rounded: a float would end after 16.
    [
      'en',
      '1234567890123456.123456789012345678',
      'BTC',
      '1,234,567,890,123,456.123456789012345678_BTC',
    ],
    ['de', '0.000000000000000001', 'ETH', '0,000000000000000001_ETH'],
    ['en', '-3', 'EUR', '-€3.00'],
    // In a line from right to left an amount of coins is isolated: figures first, then the code.
    ['uk', '29', 'EUR', '29,00_€'],
    ['ro', '29', 'EUR', '29,00_€'],
    ['ar', '0.5', 'BTC', '\u20660.5_BTC\u2069'],
    ['he', '0.5', 'BTC', '\u20660.5_BTC\u2069'],
    ['hi', '1234567.5', 'BTC', '12,34,567.5_BTC'],
  ];

for (const [language, amount, currency, text] of MONEY) {
  test(`${amount} ${currency} reads ${text} in ${language}`, () => {
    assert.equal(shown(moneyText(parseDecimal(amount), currency, language)), text);
  });
}

test('no digit of any amount is lost or invented in any language', () => {
  const amounts = fc.tuple(
    fc.bigInt({ min: 0n, max: 10n ** 36n }),
    fc.integer({ min: 0, max: 18 }),
  );
  const codes = fc.constantFrom(...LANGUAGES.map(({ languageCode }) => languageCode));
  fc.assert(
    fc.property(amounts, codes, ([units, scale], language) => {
      const value = createDecimal(units, scale);
      const digits = decimalToText(value).replace(/\D/g, '');
      const isFraction = decimalToText(value).includes('.');
      const read = numberText(value, language).replace(/\D/g, '');
      assert.equal(read, isFraction ? digits.replace(/0+$/, '') : digits);
    }),
  );
});

test('times, spans and shares follow the language', () => {
  assert.equal(shown(percentText(parseDecimal('0.0825'), 'de')), '8,25_%');
  assert.equal(shown(percentText(parseDecimal('0.0825'), 'tr')), '%8,25');
  assert.equal(minutesText(1, 'pl'), '1 minuta');
  assert.equal(minutesText(5, 'pl'), '5 minut');
  assert.equal(shown(minutesRangeText(5, 20, 'fr')), '5–20 minutes');
  assert.equal(minutesRangeText(2, 3, 'pl'), '2–3 minuty');
  const moment = Temporal.Instant.from('2026-03-05T13:05:00Z');
  assert.match(momentText(moment, 'en'), /^March 5, 2026 at 1:05\sPM UTC$/);
  assert.equal(momentText(moment, 'de'), '5. März 2026 um 13:05 UTC');
  assert.equal(momentText(moment, 'pl'), '5 marca 2026 13:05 UTC');
});

test('money of states has the name of the language, a coin its own', () => {
  const nameOf = (assetId: string, language: LanguageCode) =>
    assetName(getAsset(assetId), language);
  assert.equal(nameOf('GBP:FIAT', 'de'), 'Britisches Pfund');
  assert.equal(nameOf('CHF:FIAT', 'fr'), 'franc suisse');
  assert.equal(nameOf('EUR:FIAT', 'pl'), 'euro');
  assert.equal(nameOf('LTC:NATIVE', 'tr'), 'Litecoin');
  for (const { languageCode } of LANGUAGES) {
    for (const { id, assetCode } of listAssets().filter((asset) => asset.assetIssuer === 'FIAT')) {
      assert.notEqual(nameOf(id, languageCode), assetCode, languageCode);
    }
  }
});

test('Arabic and Hebrew run from right to left, all others do not', () => {
  const reversed = LANGUAGES.filter(({ languageCode }) => directionOf(languageCode) === 'rtl');
  assert.deepEqual(
    reversed.map(({ languageCode }) => languageCode),
    ['ar', 'he'],
  );
});
