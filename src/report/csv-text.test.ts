import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvText } from './csv-text.ts';
import { columns } from './report.ts';

const two = columns('text', 'amount*');
const cell = (text: string | null) =>
  csvText(columns('a'), [{ a: text }]).slice('a\r\n'.length, -2);

test('the first line names the columns, every line ends with CR LF', () => {
  const rows = [
    { text: 'Book', amount: '10.5' },
    { text: null, amount: null },
  ];
  assert.equal(csvText(two, rows), 'text,amount\r\nBook,10.5\r\n,\r\n');
  assert.equal(csvText(two, []), 'text,amount\r\n');
});

const cells: [text: string, written: string][] = [
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "yes"', '"say ""yes"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t=1"'],
  ['\n=1', '"\'\n=1"'],
  ['VAT;=1+1', '"VAT;=1+1"'],
  ['VAT\t=1+1', '"VAT\t=1+1"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['\r=1', '"\'\r=1"'],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['1=1', '1=1'],
  ['', ''],
];
for (const [text, written] of cells) {
  test(`the text ${JSON.stringify(text)} is written as ${JSON.stringify(written)}`, () => {
    assert.equal(cell(text), written);
  });
}

test('amounts stay numbers, negative ones too, and nothing else is an amount', () => {
  assert.equal(csvText(two, [{ text: '', amount: '-0.5' }]), 'text,amount\r\n,-0.5\r\n');
  for (const amount of ['=1', '1e5', '', '-', '1,5']) {
    assert.throws(() => csvText(two, [{ text: '', amount }]), /not an amount/);
  }
});

test('whatever the texts are, a reader gets them back and no cell begins a formula', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { minLength: 1 });
  const nasty = fc.array(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", 'a'));
  const one = fc.oneof(
    fc.string(),
    nasty.map((parts) => parts.join('')),
    texts.map((t) => t[0] ?? ''),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(one, one), { maxLength: 5 }), (pairs) => {
      const rows = pairs.map(([a, b]) => ({ a, b }));
      const [, ...read] = readCsv(csvText(columns('a', 'b'), rows));
      assert.equal(read.length, pairs.length);
      for (const [index, line] of read.entries()) {
        for (const [at, found] of line.entries()) {
          const text = pairs[index]?.[at] ?? '';
          assert.ok(!/^[=+\-@＝＋－＠\t\r\n]/.test(found));
          assert.equal(found, /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text);
        }
      }
    }),
  );
});

/** RFC 4180, read character by character. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === ',' || char === '\r') {
      line.push(field);
      field = '';
      if (char === '\r') {
        assert.equal(text[at + 1], '\n');
        at += 1;
        lines.push(line);
        line = [];
      }
    } else field += char;
  }
  return lines;
}
