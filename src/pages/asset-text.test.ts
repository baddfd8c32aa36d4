// Amounts on pages: written as a reader of the language writes them, except what is copied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '#catalog/language.ts';
import { parseDecimal } from '#money/decimal.ts';
import { PAGES } from '#test/support/checkout-pages.ts';
import { receiptOf } from '#test/support/sample-papers.ts';
import { renderCheckout } from './checkout/render-checkout.ts';
import { amountIn, assetText, numberText } from './display.ts';

test('an amount keeps all its digits in the notation of the language', () => {
  const units = 123_456_789_012n;
  const texts = LANGUAGES.map(({ languageCode: code }) => [
    code,
    assetText('LITECOIN', 'LTC:NATIVE', units, { code }).replaceAll(/[\u00a0\u202f]/g, ' '),
  ]);
  assert.deepEqual(Object.fromEntries(texts), {
    en: '1,234.56789012 LTC',
    de: '1.234,56789012 LTC',
    pt: '1.234,56789012 LTC',
    es: '1234,56789012 LTC',
    it: '1234,56789012 LTC',
    tr: '1.234,56789012 LTC',
    pl: '1234,56789012 LTC',
    fr: '1 234,56789012 LTC',
    nl: '1.234,56789012 LTC',
    'pt-BR': '1.234,56789012 LTC',
    ru: '1 234,56789012 LTC',
    uk: '1 234,56789012 LTC',
    cs: '1 234,56789012 LTC',
    ro: '1.234,56789012 LTC',
    'zh-Hans': '1,234.56789012 LTC',
    ja: '1,234.56789012 LTC',
    ko: '1,234.56789012 LTC',
    ar: '\u20661,234.56789012 LTC\u2069',
    he: '\u20661,234.56789012 LTC\u2069',
    hi: '1,234.56789012 LTC',
  });
  assert.equal(amountIn('0.00000001', 'BTC', { code: 'de' }), '0,00000001\u00a0BTC');
});

test('what was paid, was due or goes back is written so in every state', () => {
  for (const { languageCode: code } of LANGUAGES) {
    const point = numberText(parseDecimal('0.5'), code).slice(1, 2);
    for (const [name, make] of Object.entries(PAGES)) {
      const { body } = renderCheckout(make({ language: code }));
      const shown = body.markup
        .replaceAll(/<div class="hero[\s\S]*?<\/div>/g, '')
        .replaceAll(/<[^>]*>/g, ' ')
        .matchAll(/(\d+)([.,])(\d{4,})[\s\u00a0]+(?:BTC|LTC|XLM|USDC|ETH|XRP)\b/g);
      for (const [text, , mark] of shown) assert.equal(mark, point, `${name} in ${code}: ${text}`);
    }
  }
});

test('what is to be sent is shown in the language, and copied as every wallet reads it', () => {
  for (const { languageCode: code } of LANGUAGES) {
    const { body } = renderCheckout(PAGES.pay!({ language: code }));
    const field = /id="amount" data-value="([^"]+)"><span>([^<]+)<\/span>/.exec(body.markup);
    const [, copied = '', shown] = field ?? [];
    assert.match(copied, /^\d+\.\d+$/, code);
    assert.equal(shown, numberText(parseDecimal(copied), code));
    assert.ok(body.markup.includes(`data-copy="${copied}"`));
  }
});

test('one rounding: the page to pay from and the receipt name the same price of a coin', () => {
  const priceIn = (markup: string, before: string) =>
    new RegExp(`${before}1\u00a0LTC = (€[\\d.]+)`).exec(markup)?.[1];
  const page = renderCheckout(PAGES['pay-address']!()).body.markup;
  const receipt = receiptOf(PAGES.paid!())?.body.markup ?? '';
  const price = priceIn(page, '');
  assert.match(price ?? '', /^€\d+\.\d+$/);
  assert.equal(priceIn(receipt, ''), price);
});
