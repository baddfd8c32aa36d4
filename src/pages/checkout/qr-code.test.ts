import assert from 'node:assert/strict';
import { test } from 'node:test';
import jsQRModule from 'jsqr';
import { PAGES } from '#test/support/checkout-pages.ts';
import { qrContent } from './due-panel.ts';
import { qrCode } from './qr-code.ts';
import { renderCheckout } from './render-checkout.ts';

// The types of the package know no default export, Node gives it as one.
const jsQR = jsQRModule as unknown as typeof jsQRModule.default;
const scale = 4;

/** Draws the path of the SVG into pixels, as a screen would, and reads it as a camera would. */
function readQrCode(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const width = size * scale;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1) {
      const start = (row * width + Number(x) * scale) * 4;
      pixels.fill(0, start, start + Number(length) * scale * 4);
    }
  }
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255;
  return jsQR(pixels, width, width)?.data;
}

test('a code reads as exactly the text it was made from, short, long and not ASCII', () => {
  const texts = ['a', 'bitcoin:tb1q?amount=0.00048312', 'x'.repeat(900), 'lightning:ÄÖÜ €'];
  for (const text of texts) assert.equal(readQrCode(qrCode(text, 'code').markup), text);
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
  'partial-late',
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
    const read = readQrCode(/<svg class="qr"[\s\S]*?<\/svg>/.exec(markup)?.[0] ?? '');
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
