import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foreignText, html, visibleText } from './html.ts';

test('text stays text in an element and in a quoted attribute', () => {
  const text = `<b title="x">&'</b>`;
  assert.equal(
    html`<i title="${text}">${text}</i>`.markup,
    '<i title="&lt;b title=&quot;x&quot;&gt;&amp;&#39;&lt;/b&gt;">' +
      '&lt;b title=&quot;x&quot;&gt;&amp;&#39;&lt;/b&gt;</i>',
  );
});

test('no text can open or close anything', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(html`${text}`.markup, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
    }),
  );
});

test('nothing, lists and numbers: what is absent leaves no trace', () => {
  assert.equal(html`${undefined}${false}${['a', html`<br>`, 1n]}${2}`.markup, 'a<br>12');
});

test('NUL and half characters are replaced: they are not characters of HTML', () => {
  assert.equal(html`${'a\u0000\ud800'}`.markup, 'a\ufffd\ufffd');
});

test('text of others is isolated and cannot turn its surroundings around', () => {
  assert.equal(foreignText('shop\u202egpj.exe').markup, '<bdi>shopgpj.exe</bdi>');
  assert.equal(visibleText(' a\u200bb \u2066c\n\nd\u0007\u00ad '), 'ab c d');
});

test('scripts and signs that need joiners keep them', () => {
  const texts = ['نمی\u200cخواهم', '👩\u200d🌾', 'שלום', '日本語'];
  assert.deepEqual(texts.map(visibleText), texts);
});

test('whatever is shown of a foreign text has no control that reorders or hides', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(
        visibleText(text),
        /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\p{Cc}]/u,
      );
    }),
  );
});
