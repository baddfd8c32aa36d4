import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { flattenLogo, redrawLogo } from '#pages/branding/redraw-logo.ts';
import { listPageLanguages, pageLanguage } from '#pages/languages/texts.ts';
import { readPdf } from '#test/support/pdf-text.ts';
import { byLength } from '#test/support/run-length.ts';
import { type Paper, type PaperLine, pdfLanguage } from './paper.ts';
import { drawPaper } from './paper-pdf.ts';

const transaction = '0123456789abcdef'.repeat(4);

function paper(changes: Partial<Paper> = {}): Paper {
  return {
    kind: 'receipt',
    language: pageLanguage('en'),
    title: 'Receipt',
    reference: 'abc123def456',
    shopName: 'Fern & Folio',
    isTest: false,
    issuedAt: Temporal.Instant.from('2026-03-05T13:05:00Z'),
    facts: [{ label: 'Payment reference', value: 'abc123def456', look: 'code' }],
    parties: [{ label: 'Seller', lines: ['Fern & Folio', '1 Moss Lane'] }],
    lines: [line('Brass pen')],
    totals: [{ label: 'Total', value: '€6.00', look: 'text' }],
    sections: [
      { title: 'Payment 1', rows: [{ label: 'Transaction', value: transaction, look: 'code' }] },
    ],
    notes: [],
    payment: undefined,
    ...changes,
  };
}

function line(description: string): PaperLine {
  return { kind: undefined, description, detail: '2 × €3.00', amount: '€6.00' };
}

const without = (text: string) => text.replace(/\s/g, '');

test('everything of the paper stands in the PDF', async () => {
  const { text, pages } = readPdf(
    await drawPaper(paper({ isTest: true, notes: ['It was late.'] })),
  );
  assert.equal(pages, 1);
  const parts = ['Receipt', 'Fern & Folio', '1 Moss Lane', 'Brass pen(2 × €3.00)', 'Total€6.00'];
  for (const part of [...parts, transaction, 'It was late.', 'Test mode', 'Page 1 of 1']) {
    assert.ok(text.includes(without(part)), part);
  }
});

test('equal papers are equal bytes, another time is another file', async () => {
  const [one, same] = await Promise.all([drawPaper(paper()), drawPaper(paper())]);
  assert.deepEqual(one, same);
  const issuedAt = Temporal.Instant.from('2026-03-06T13:05:00Z');
  assert.notDeepEqual(await drawPaper(paper({ issuedAt })), one);
});

async function logo() {
  const create = { width: 300, height: 100, channels: 4, background: '#7a1fa2' } as const;
  const [plain, fine] = await redrawLogo(await sharp({ create }).png().toBuffer());
  assert.ok(plain !== undefined && fine !== undefined);
  const { content, width, height } = await flattenLogo(fine.content, plain);
  return { png: Buffer.from(content).toString('base64'), width, height };
}

test('the logo stands above the name as an opaque picture with words for who does not see it', async () => {
  const brand = { logo: await logo(), accent: '#7a1fa2' };
  const { whole, text, pages } = readPdf(await drawPaper(paper({ brand })));
  assert.equal(pages, 1);
  assert.match(whole, /\/Subtype \/Image\n\/BitsPerComponent 8\n\/Width 240\n\/Height 80/);
  assert.match(whole, /\/ColorSpace \/DeviceRGB/);
  assert.doesNotMatch(whole, /\/SMask|\/Interpolate true/);
  const [figure = ''] = /\/S \/Figure[\s\S]*?>>\n\/[\s\S]*?(?=\n<<)/.exec(whole) ?? [];
  assert.match(figure, /\/Alt \(Fern & Folio\)/);
  // 120 × 40 pixels of a page are 90 × 30 points, at the margins of the page.
  assert.match(figure, /\/BBox \[50 761\.89 140 791\.89\]/);
  assert.match(whole, /90 0 0 -30 50 80 cm/);
  // Titles have the colour of the shop.
  assert.match(whole, /0\.478\d* 0\.121\d* 0\.635\d* scn/);
  assert.ok(text.includes('Fern&Folio'), 'the name stands there all the same');
});

test('without a logo and a colour it is the file that it always was', async () => {
  const plain = await drawPaper(paper());
  assert.deepEqual(await drawPaper(paper({ brand: undefined })), plain);
  const brand = { logo: undefined, accent: undefined };
  assert.deepEqual(await drawPaper(paper({ brand })), plain);
  assert.doesNotMatch(readPdf(plain).whole, /\/Figure|\/Image\n/);
});

test('a shop whose name cannot be seen has words for its logo all the same', async () => {
  const brand = { logo: await logo(), accent: undefined };
  for (const shopName of ['', '\u202e', ' ']) {
    const { whole } = readPdf(await drawPaper(paper({ brand, shopName })));
    assert.match(whole, /\/Alt \((?:Logo|.)/);
  }
});

test('the letters of every language have a picture in the font', async () => {
  for (const { code, texts } of listPageLanguages().map(pdfLanguage)) {
    const notes = [JSON.stringify(texts.paper), JSON.stringify(texts.partial), texts.paid.title];
    const language = pageLanguage(code);
    const { text } = readPdf(await drawPaper(paper({ language, notes })));
    assert.ok(!text.includes('□'), code);
    for (const note of notes) {
      for (const letter of without(note)) assert.ok(text.includes(letter), `${code} ${letter}`);
    }
  }
});

test('what the font has no picture for stands as a box, the rest of it stays', async () => {
  const { text } = readPdf(await drawPaper(paper({ lines: [line('Tee 日本 茶 🍵 Łódź')] })));
  assert.ok(text.includes('Tee□□□□Łódź'), text);
});

test('long texts and many lines take as many pages as they need, and nothing is cut off', async () => {
  const word = 'W'.repeat(200);
  const sentence = `${'Something long to read. '.repeat(8)}`.trim();
  const lines = [
    ...Array.from({ length: 400 }, (_, index) => line(`${word}${index}`)),
    ...Array.from({ length: 400 }, (_, index) => line(`${sentence} ${index}`)),
  ];
  const { text, pages } = readPdf(await drawPaper(paper({ lines })));
  assert.ok(pages > 20 && pages < 100, String(pages));
  for (const index of [0, 57, 399]) {
    assert.ok(text.includes(without(`${word}${index}(2 × €3.00)`)), `word ${index}`);
    assert.ok(text.includes(without(`${sentence} ${index}(2 × €3.00)`)), `sentence ${index}`);
  }
  assert.ok(text.includes(`Page${pages}of${pages}`));
  const seller = { label: 'Seller', lines: Array.from({ length: 500 }, (_, n) => `Line ${n}`) };
  const tall = readPdf(await drawPaper(paper({ parties: [seller] })));
  assert.ok(tall.pages > 5 && tall.text.includes('Line499'));
});

const hostile = [
  ') Tj ET /JavaScript (app.alert(1)) <</S /URI /URI (http://evil.example)>>',
  'endstream endobj\n1 0 obj <</OpenAction 2 0 R>>',
  '<script>alert(1)</script>',
  '\\) \\( ((( )))',
  '\u0000\u0007\u202Eevil\u2066',
  '\ud800 lonely',
];

test('nothing of merchants becomes a part of the file', async () => {
  for (const text of hostile) {
    const reading = readPdf(
      await drawPaper(
        paper({
          shopName: text,
          lines: [{ kind: text, description: text, detail: text, amount: text }],
          parties: [{ label: 'Seller', lines: [text] }],
          notes: [text],
        }),
      ),
    );
    const names = /\/(?:JavaScript|JS|OpenAction|AA|URI|Launch|EmbeddedFile|AcroForm|Annots)\b/;
    const structure = reading.whole.replace(/\((?:\\.|[^\\)])*\)/g, '()');
    assert.doesNotMatch(structure, names, text);
  }
});

test('no text makes it fail', async () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.constantFrom(
      ...hostile,
      'مرحبا بالعالم',
      'שלום',
      'ก็',
      'नमस्ते',
      '👨‍👩‍👧‍👦',
      'a\u0301\u0302\u0303',
    ),
  );
  await fc.assert(
    fc.asyncProperty(texts, texts, async (one, other) => {
      const parties = [{ label: 'Seller', lines: [one, other] }];
      const made = paper({ shopName: one, reference: 'abc', lines: [line(other)], parties });
      const { pages } = readPdf(await drawPaper(made));
      assert.ok(pages >= 1);
    }),
    { numRuns: byLength({ short: 15, long: 200 }) },
  );
});
