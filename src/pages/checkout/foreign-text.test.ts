// H1: whatever merchants write, the page has the elements it has without it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasLoneSurrogate, hasNul } from '#base/text.ts';
import { checkoutRecord, commitmentOn } from '#pages/demo/sample-record.ts';
import { foreignText } from '#pages/html.ts';
import { PAGES, pageOf, SELLER } from '#test/support/checkout-pages.ts';
import { renderCheckout } from './render-checkout.ts';

const SCRIPTS = ['alert(1)', 'fetch("//x.example")', 'top.location="//x.example"'];
const SHAPES: readonly ((script: string) => string)[] = [
  (script) => `<script>${script}</script>`,
  (script) => `"><script>${script}</script>`,
  (script) => `'><script>${script}</script>`,
  (script) => `</title><script>${script}</script>`,
  (script) => `</textarea></style></noscript><script>${script}</script>`,
  (script) => `--><script>${script}</script><!--`,
  (script) => `<img src=x onerror=${script}>`,
  (script) => `<svg/onload=${script}>`,
  (script) => `" onmouseover="${script}`,
  (script) => `' onfocus='${script}' autofocus='`,
  (script) => `\` onload=\`${script}`,
  (script) => `javascript:${script}`,
  (script) => `<a href="javascript:${script}">x</a>`,
  (script) => `<iframe srcdoc="<script>${script}</script>">`,
  (script) => `<math><mi//xlink:href="data:x,<script>${script}</script>">`,
  (script) => `<meta http-equiv=refresh content="0;url=javascript:${script}">`,
  (script) => `<base href="//x.example/">${script}`,
  (script) => `<form action="//x.example"><button>${script}`,
  (script) => `<link rel=stylesheet href="//x.example">${script}`,
  (script) => `<style>@import "//x.example";</style>${script}`,
  (script) => `&lt;script&gt;${script}&lt;/script&gt;`,
  (script) => `&#60;script&#62;${script}`,
  (script) => `<scr\u0000ipt>${script}</scr\u0000ipt>`,
  (script) => `\u202e<script>${script}</script>\u202c`,
  (script) => `<\u200bscript>${script}`,
  (script) => `\ud800<script>${script}</script>`,
  (script) => `\${${script}}{{${script}}}<%= ${script} %>`,
  (script) => `<!--#exec cmd="${script}"-->`,
  (script) => `<![CDATA[<script>${script}</script>]]>`,
  (script) => `</bdi></dt></dl></section><h1>${script}</h1>`,
  (script) => `<details open ontoggle=${script}>`,
  (script) => `<video><source onerror=${script}>`,
  (script) => `<body onload=${script}>`,
  (script) => `<input autofocus onfocus=${script}>`,
];
const CASINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
];

const PAYLOADS = SCRIPTS.flatMap((script) =>
  SHAPES.flatMap((shape) => CASINGS.map((casing) => casing(shape(script)))),
);

/** Tags with the names of their attributes: what a payload must not be able to add to. */
function elementsOf(markup: string): string[] {
  const tag =
    /<(\/?[a-z!][^\s/>]*)((?:\s+[^\s"'>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>/gi;
  const attribute = /([^\s"'>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?/g;
  return [...markup.matchAll(tag)].map(([, name, attributes = '']) =>
    [name, ...[...attributes.matchAll(attribute)].map(([, key]) => key)].join(' ').toLowerCase(),
  );
}

function markupWith(text: string): string {
  const payload = {
    charge: {
      billingCurrency: 'EUR',
      lineItems: [{ description: text, netAmount: '35.00', quantity: '1' }],
      discountItems: [{ description: text, netAmount: '1' }],
      shippingCostItems: [{ description: text, netAmount: '1' }],
      taxItems: [{ name: text, percent: '0.19' }],
    },
    pageSettings: { shopName: text, displaySellerInfo: true },
  };
  const record = checkoutRecord({
    payload: JSON.stringify(payload),
    commitments: [commitmentOn('STELLAR', 'XLM:NATIVE')],
    returnUrl: 'https://shop.example/',
  });
  const seller = { name: text, page: { ...SELLER.page, sellerInfo: text } };
  const kinds = [record, { ...record, state: 'COMPLETED' as const }];
  return kinds
    .map((one) => renderCheckout(pageOf(one, { seller })))
    .map(({ body }) => body.markup)
    .join('');
}

test('there are 200 payloads, and the tokenizer sees what they would add', () => {
  assert.ok(PAYLOADS.length >= 200);
  assert.deepEqual(elementsOf('<p id="a">x<img src=x onerror=y></p>'), [
    'p id',
    'img src onerror',
    '/p',
  ]);
});

test('no text of a merchant adds an element or an attribute to the page', () => {
  const plain = elementsOf(markupWith('harmless'));
  assert.ok(plain.length > 100);
  const storable = PAYLOADS.filter((text) => !hasNul(text) && !hasLoneSurrogate(text));
  assert.ok(storable.length >= 190);
  for (const text of storable) assert.deepEqual(elementsOf(markupWith(text)), plain, text);
});

test('texts that no request can store would be harmless as well', () => {
  for (const text of PAYLOADS) {
    assert.deepEqual(elementsOf(foreignText(text).markup), ['bdi', '/bdi'], text);
  }
});

test('no page has an inline script, style or handler', () => {
  for (const [name, make] of Object.entries(PAGES)) {
    const markup = renderCheckout(make({ hasSandbox: true })).body.markup;
    assert.doesNotMatch(markup, /<script|<style|\sstyle=|\son[a-z]+=/i, name);
  }
});
