import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lenientCells } from '#test/support/lenient-cells.ts';
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
  ['\t=1', '"\'\t\'=1"'],
  ['\n=1', '"\'\n\'=1"'],
  ['VAT;=1+1', '"VAT;\'=1+1"'],
  ['VAT\t＝1+1', '"VAT\t\'＝1+1"'],
  ['VAT;"=1+1', '"VAT;\'""=1+1"'],
  ['VAT\r\n-1', '"VAT\r\n\'-1"'],
  ['VAT; 10-12', '"VAT; 10-12"'],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['\r=1', '"\'\r\'=1"'],
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

const nasty = [...'=+-@＝＋－＠\t\r\n"\',;a'];
const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...nasty), maxLength: 8 }),
);
const sheets = fc.array(fc.tuple(texts, texts, texts), { maxLength: 5 });
const written = (rows: readonly (readonly string[])[]) =>
  csvText(
    columns('a', 'b', 'c'),
    rows.map(([a, b, c]) => ({ a: a ?? '', b: b ?? '', c: c ?? '' })),
  );

test('whatever the texts are, a reader gets them back but for the apostrophes', () => {
  fc.assert(
    fc.property(sheets, (rows) => {
      const [, ...read] = readCsv(written(rows));
      const expected = rows.map((row) =>
        row.map((text) =>
          text
            .replace(/^[=+\-@＝＋－＠\t\r\n]/, "'$&")
            .replace(/([;\t\r\n])("*[=+\-@＝＋－＠])/g, "$1'$2"),
        ),
      );
      assert.deepEqual(read, expected);
    }),
  );
});

for (const [name, separator] of Object.entries({ comma: ',', semicolon: ';', tab: '\t' })) {
  test(`no cell begins a formula for a reader that splits at the ${name}`, () => {
    fc.assert(
      fc.property(sheets, (rows) => {
        for (const cell of lenientCells(written(rows), separator)) {
          assert.doesNotMatch(cell, /^[=+\-@＝＋－＠]/);
        }
      }),
      { numRuns: 1000 },
    );
  });
}

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
