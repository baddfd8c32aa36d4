// A receipt as a PDF. Guarantees: equal papers are equal bytes; nothing in it leads anywhere, runs
// or is loaded (no links, scripts, forms or attachments); texts of others are drawn, never read as
// anything else, and no text makes it fail. Not guaranteed: that every character is shown: what the
// font has no picture for (Chinese, emoji) stands as a box, and words of scripts that run from
// right to left stand in the order of the line.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { visibleText } from '#pages/html.ts';
import type { Paper, PaperLine, PaperRow } from './paper.ts';

type Sheet = PDFKit.PDFDocument;
type Face = keyof typeof FACES;

const FACES = {
  plain: readFont('DejaVuSans.ttf'),
  bold: readFont('DejaVuSans-Bold.ttf'),
  code: readFont('DejaVuSansMono.ttf'),
} as const;

const BOX = '\u25a1';
const INK = '#1d2327';
const SOFT = '#545d64';
const MARGIN_POINTS = 50;
const FOOTER_POINTS = 30;
const GAP_POINTS = 4;

export async function drawPaper(paper: Paper): Promise<Uint8Array> {
  const sheet = openSheet(paper);
  drawHead(sheet, paper);
  drawRows(sheet, paper.facts);
  sheet.moveDown();
  drawRows(sheet, partyRows(paper));
  sheet.moveDown();
  drawBill(sheet, paper);
  for (const note of paper.notes) drawText(sheet, note, { face: 'plain', size: 9.5 });
  for (const { title, rows } of paper.sections) {
    sheet.moveDown();
    drawHeading(sheet, title);
    drawRows(sheet, rows);
  }
  drawFooters(sheet, paper);
  const chunks: Uint8Array[] = [];
  sheet.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve) => sheet.on('end', resolve));
  sheet.end();
  await ended;
  return Buffer.concat(chunks);
}

function openSheet({ title, reference, shopName, language, issuedAt }: Paper): Sheet {
  const at = new Date(issuedAt.epochMilliseconds);
  const sheet = new PDFDocument({
    size: 'A4',
    margins: {
      top: MARGIN_POINTS,
      left: MARGIN_POINTS,
      right: MARGIN_POINTS,
      bottom: MARGIN_POINTS + FOOTER_POINTS,
    },
    bufferPages: true,
    lang: language.code,
    displayTitle: true,
    font: '',
    info: {
      Title: `${title} ${reference}`,
      Author: visibleText(shopName).toWellFormed(),
      Creator: 'Quittance',
      Producer: 'Quittance',
      // The identifier of the file is made from these, not from the time it is drawn.
      CreationDate: at,
      ModDate: at,
    },
  });
  for (const [face, font] of Object.entries(FACES)) sheet.registerFont(face, font);
  return sheet;
}

function drawHead(sheet: Sheet, { title, shopName, isTest, language }: Paper): void {
  const { page } = language.texts;
  drawText(sheet, shopName, { face: 'bold', size: 11 });
  drawText(sheet, title, { face: 'bold', size: 20 });
  if (isTest) {
    const hint = `${page.testMode}. ${page.testModeHint}`;
    drawText(sheet, hint, { face: 'bold', size: 9.5 });
  }
  sheet.moveDown(0.5);
}

function partyRows({ parties }: Paper): PaperRow[] {
  return parties.flatMap(({ label, lines }) =>
    lines.map((value, index) => ({
      label: index === 0 ? label : '',
      value,
      look: 'text' as const,
    })),
  );
}

type Cell = {
  readonly text: string;
  readonly face: Face;
  readonly color: string;
  readonly align: 'left' | 'right';
  /** Of the width between the margins. */
  readonly share: number;
};

function drawRows(sheet: Sheet, rows: readonly PaperRow[]): void {
  for (const { label, value, look } of rows) {
    drawCells(sheet, [
      { text: label, face: 'plain', color: SOFT, align: 'left', share: LABEL_SHARE },
      {
        text: value,
        face: look === 'code' ? 'code' : 'plain',
        color: INK,
        align: 'left',
        share: 1 - LABEL_SHARE,
      },
    ]);
  }
}

function drawBill(sheet: Sheet, { lines, totals, language }: Paper): void {
  const { description, amount } = language.texts.paper;
  drawCells(sheet, pair(description, amount, 'bold'));
  drawRule(sheet);
  for (const line of lines) drawCells(sheet, pair(lineText(line), line.amount, 'plain'));
  drawRule(sheet);
  for (const { label, value } of totals) drawCells(sheet, pair(label, value, 'bold'));
}

function pair(left: string, right: string, face: Face): Cell[] {
  return [
    { text: left, face, color: INK, align: 'left', share: 0.68 },
    { text: right, face, color: INK, align: 'right', share: 0.32 },
  ];
}

function lineText({ kind, description, detail }: PaperLine): string {
  const name = kind === undefined || kind === description ? description : `${kind}: ${description}`;
  return detail === undefined ? name : `${name} (${detail})`;
}

const ROW_SIZE = 9.5;
/** Leaves room for a hash of 64 digits in one line. */
const LABEL_SHARE = 0.24;

/** Beside each other, on one page. */
function drawCells(sheet: Sheet, cells: readonly Cell[]): void {
  const { margins } = sheet.page;
  const full = sheet.page.width - margins.left - margins.right;
  const placed = cells.map((cell) => {
    use(sheet, cell.face, ROW_SIZE);
    const text = drawable(sheet, cell.text);
    const width = cell.share * full - (cell.align === 'left' ? GAP_POINTS : 0);
    const height = text === '' ? 0 : sheet.heightOfString(text, { width, align: cell.align });
    return { ...cell, text, width, height };
  });
  const height = Math.max(...placed.map((cell) => cell.height));
  leaveRoom(sheet, height);
  const top = sheet.y;
  let left = margins.left;
  for (const { text, width, face, color, align, share } of placed) {
    use(sheet, face, ROW_SIZE);
    if (text !== '') sheet.fillColor(color).text(text, left, top, { width, align });
    left += share * full;
  }
  sheet.x = margins.left;
  sheet.y = top + height + GAP_POINTS;
}

function drawHeading(sheet: Sheet, title: string): void {
  // With a few of its rows: a heading does not stand alone at the end of a page.
  leaveRoom(sheet, 80);
  drawText(sheet, title, { face: 'bold', size: 11 });
}

function drawText(sheet: Sheet, text: string, { face, size }: { face: Face; size: number }): void {
  use(sheet, face, size);
  const { left, right } = sheet.page.margins;
  const width = sheet.page.width - left - right;
  sheet.fillColor(INK).text(drawable(sheet, text), left, sheet.y, { width });
  sheet.y += GAP_POINTS;
}

function drawRule(sheet: Sheet): void {
  const { left, right } = sheet.page.margins;
  leaveRoom(sheet, 2 * GAP_POINTS);
  sheet
    .moveTo(left, sheet.y)
    .lineTo(sheet.page.width - right, sheet.y)
    .lineWidth(0.5)
    .strokeColor(SOFT)
    .stroke();
  sheet.y += GAP_POINTS;
}

function drawFooters(sheet: Sheet, { title, reference, language }: Paper): void {
  const { count } = sheet.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    sheet.switchToPage(index);
    const { left, right } = sheet.page.margins;
    // The footer stands below the margin, where text would begin a new page.
    sheet.page.margins.bottom = 0;
    const width = sheet.page.width - left - right;
    const top = sheet.page.height - MARGIN_POINTS;
    const number = language.texts.paper.page(String(index + 1), String(count));
    use(sheet, 'plain', 8);
    sheet.fillColor(SOFT);
    sheet.text(`${title} ${reference}`, left, top, { width, lineBreak: false });
    sheet.text(number, left, top, { width, align: 'right' });
  }
}

function leaveRoom(sheet: Sheet, points: number): void {
  const { height, margins } = sheet.page;
  if (sheet.y + points > height - margins.bottom) sheet.addPage();
}

function use(sheet: Sheet, face: Face, size: number): void {
  sheet.font(face).fontSize(size);
}

/** What a font file knows, as pdfkit holds it; its types do not tell. */
type WithGlyphs = {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
};

/** Of the font that is in use. Characters without a picture become a box. */
function drawable(sheet: Sheet, text: string): string {
  const { font } = (sheet as unknown as WithGlyphs)._font;
  return Array.from(visibleText(text).toWellFormed(), (character) =>
    font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? character : BOX,
  ).join('');
}

function readFont(name: string): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}`)));
}
