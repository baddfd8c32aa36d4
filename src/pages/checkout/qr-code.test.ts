import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES } from '#test/support/checkout-pages.ts';
import { readSvgCode } from '#test/support/read-svg-code.ts';
import { qrContent } from './due-panel.ts';
import { qrCode } from './qr-code.ts';
import { renderCheckout } from './render-checkout.ts';

test('a code reads as exactly the text it was made from, short, long and not ASCII', () => {
  const texts = ['a', 'bitcoin:tb1q?amount=0.00048312', 'x'.repeat(900), 'lightning:ÄÖÜ €'];
  for (const text of texts) assert.equal(readSvgCode(qrCode(text, 'code').markup), text);
});

const WITH_CODE = [
  'pay',
  'pay-address',
  'pay-memo',
  'pay-tag',
  'pay-token',
  'pay-lightning',
  'pay-bank',
  'pay-both',
  'pay-urgent',
  'partial',
  'seen-short',
];

for (const name of WITH_CODE) {
  test(`the code of the page ${name} holds what stands beside it as text`, () => {
    const page = PAGES[name]?.();
    assert.ok(page !== undefined);
    const markup = renderCheckout(page).body.markup;
    const { state, query } = page;
    const due = state.kind === 'pay' ? state.due : 'rest' in state ? state.rest : undefined;
    assert.ok(due !== undefined);
    const read = readSvgCode(/<svg class="qr"[\s\S]*?<\/svg>/.exec(markup)?.[0] ?? '');
    assert.equal(read, qrContent(due, query.qr));
    const { paymentUri, unifiedUri, commitment } = due;
    const shown = { link: paymentUri, address: commitment.instruction.address, both: unifiedUri }[
      query.qr
    ];
    assert.ok(shown !== undefined && shown !== '');
    assert.equal(read, shown);
    assert.ok(markup.includes(shown.replaceAll('&', '&amp;')));
  });
}
