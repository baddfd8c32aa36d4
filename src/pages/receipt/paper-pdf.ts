// A receipt or an invoice as a PDF for keeping (PDF/A-3a: tagged, its fonts and colours inside).
// Guarantees: equal papers are equal bytes; nothing in it leads anywhere, runs or is loaded (no
// links, scripts or forms; the electronic invoice of a shop is attached, and nothing else; its logo
// is a picture of our own); texts of others are drawn, never read as anything else, and no text
// makes it fail. Not guaranteed: that every character is shown: what the font has no picture for
// (Chinese, emoji) stands as a box, and words of scripts that run from right to left stand in the
// order of the line.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { encode } from 'uqr';
import { visibleText } from '#pages/html.ts';
import { attachInvoice } from './attach-invoice.ts';
import type { Paper, PaperBrand, PaperLine, PaperRow } from './paper.ts';

type Sheet = PDFKit.PDFDocument;
/** A part of the document as readers without eyes are told of it (ISO 32000-1, 14.7). */
type Part = PDFKit.PDFStructureElement;
type Face = keyof typeof FACES;

const FACES = {
  plain: readFont('DejaVuSans.ttf'),
  bold: readFont('DejaVuSans-Bold.ttf'),
  code: readFont('DejaVuSansMono.ttf'),
} as const;

const BOX = '\u25a1';
const INK = '#1d2327';
const SOFT = '#545d64';
const CODE_INK = '#000000';
const MARGIN_POINTS = 50;
const FOOTER_POINTS = 30;
const GAP_POINTS = 4;

export async function drawPaper(paper: Paper): Promise<Uint8Array> {
  const sheet = openSheet(paper);
  const whole = sheet.struct('Document');
  sheet.addStructure(whole);
  drawHead(sheet, whole, paper);
  drawRows(sheet, whole, paper.facts);
  sheet.moveDown();
  drawRows(sheet, whole, partyRows(paper));
  sheet.moveDown();
  drawBill(sheet, whole, paper);
  for (const note of paper.notes) drawText(sheet, whole, note, NOTE);
  drawPayment(sheet, whole, paper);
  for (const { title, rows } of paper.sections) {
    sheet.moveDown();
    drawHeading(sheet, whole, title, paper.brand);
    drawRows(sheet, whole, rows);
  }
  drawFooters(sheet, paper);
  if (paper.attached !== undefined) attachInvoice(sheet, paper.attached, paper.issuedAt);
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
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    lang: language.code,
    displayTitle: true,
    font: '',
    info: {
      Title: forMetadata(`${title} ${reference}`),
      Author: forMetadata(visibleText(shopName)),
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

const METADATA_SIGNS: Readonly<Record<string, string>> = { '&': '＆', '<': '＜', '>': '＞' };

/**
 * Metadata is XML as it stands (XMP), which pdfkit does not escape, and has to say the same as the
 * dictionary of the file: what is markup there becomes the same sign of full width in both.
 */
function forMetadata(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>]/g, (sign) => METADATA_SIGNS[sign] ?? sign)
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ');
}

function drawHead(sheet: Sheet, whole: Part, paper: Paper): void {
  const { title, shopName, isTest, language, brand } = paper;
  const { page } = language.texts;
  if (brand?.logo !== undefined) drawLogo(sheet, whole, brand.logo, shopName);
  drawText(sheet, whole, shopName, { tag: 'P', face: 'bold', size: 11 });
  drawText(sheet, whole, title, { tag: 'H1', face: 'bold', size: 20, color: brand?.accent });
  if (isTest) {
    const hint = `${page.testMode}. ${page.testModeHint}`;
    drawText(sheet, whole, hint, { tag: 'P', face: 'bold', size: 9.5 });
  }
  sheet.moveDown(0.5);
}

/** A pixel of a page is a 96th of an inch, a point a 72nd. */
const POINTS_PER_PIXEL = 0.75;

/** Above the name of the shop, which is also what is read out instead of it. */
function drawLogo(
  sheet: Sheet,
  whole: Part,
  logo: NonNullable<PaperBrand['logo']>,
  shopName: string,
): void {
  const [left, top] = [sheet.page.margins.left, sheet.y];
  const width = logo.width * POINTS_PER_PIXEL;
  const height = logo.height * POINTS_PER_PIXEL;
  const picture = Buffer.from(logo.png, 'base64');
  const alt = visibleText(shopName).toWellFormed().trim() || LOGO_WITHOUT_NAME;
  const draw = () => sheet.image(picture, left, top, { width, height });
  const bbox = [left, top, left + width, top + height];
  whole.add(sheet.struct('Figure', { alt, ...untold({ bbox }) }, draw));
  sheet.y = top + height + 2 * GAP_POINTS;
}

const LOGO_WITHOUT_NAME = 'Logo';

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
  /** What it heads; undefined: it is headed. */
  readonly heads?: 'Row' | 'Column';
};

function drawRows(sheet: Sheet, whole: Part, rows: readonly PaperRow[]): void {
  if (rows.length === 0) return;
  const table = addPart(sheet, whole, 'Table');
  for (const { label, value, look } of rows) {
    drawCells(sheet, table, [
      { text: label, face: 'plain', color: SOFT, align: 'left', share: LABEL_SHARE, heads: 'Row' },
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

function drawBill(sheet: Sheet, whole: Part, { lines, totals, language }: Paper): void {
  const { description, amount } = language.texts.paper;
  const table = addPart(sheet, whole, 'Table');
  const [left, right] = pair(description, amount, 'bold');
  drawCells(sheet, table, [
    { ...left, heads: 'Column' },
    { ...right, heads: 'Column' },
  ]);
  drawRule(sheet);
  for (const line of lines) drawCells(sheet, table, pair(lineText(line), line.amount, 'plain'));
  drawRule(sheet);
  for (const { label, value } of totals) {
    const [said, sum] = pair(label, value, 'bold');
    drawCells(sheet, table, [{ ...said, heads: 'Row' }, sum]);
  }
}

function pair(left: string, right: string, face: Face): [Cell, Cell] {
  return [
    { text: left, face, color: INK, align: 'left', share: 0.68 },
    { text: right, face, color: INK, align: 'right', share: 0.32 },
  ];
}

const CODE_POINTS = 110;

/** Where it is paid, as text and as a code: nothing in the file leads there by itself. */
function drawPayment(sheet: Sheet, whole: Part, { payment, language, brand }: Paper): void {
  if (payment === undefined) return;
  sheet.moveDown();
  drawHeading(sheet, whole, payment.title, brand);
  drawText(sheet, whole, payment.hint, { tag: 'P', face: 'plain', size: 9.5 });
  drawText(sheet, whole, payment.url, { tag: 'P', face: 'code', size: 8 });
  leaveRoom(sheet, CODE_POINTS);
  const { data, size } = encode(payment.url, { border: 0 });
  const dot = CODE_POINTS / size;
  const [left, top] = [sheet.page.margins.left, sheet.y];
  const alt = drawable(sheet, language.texts.pay.qrAlt(payment.url));
  const draw = () => {
    for (const [down, row] of data.entries()) {
      for (const [along, isDark] of row.entries()) {
        if (isDark) sheet.rect(left + along * dot, top + down * dot, dot, dot);
      }
    }
    sheet.fill(CODE_INK);
  };
  whole.add(sheet.struct('Figure', { alt }, draw));
  sheet.y = top + CODE_POINTS + GAP_POINTS;
}

function lineText({ kind, description, detail }: PaperLine): string {
  const name = kind === undefined || kind === description ? description : `${kind}: ${description}`;
  return detail === undefined ? name : `${name} (${detail})`;
}

const ROW_SIZE = 9.5;
/** Leaves room for a hash of 64 digits in one line. */
const LABEL_SHARE = 0.24;

/** Beside each other, on one page. */
function drawCells(sheet: Sheet, table: Part, cells: readonly Cell[]): void {
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
  const row = addPart(sheet, table, 'TR');
  for (const { text, width, face, color, align, share, heads } of placed) {
    use(sheet, face, ROW_SIZE);
    const at = left;
    const draw = () => sheet.fillColor(color).text(text, at, top, { width, align });
    const tag = heads === undefined ? 'TD' : 'TH';
    const scope = heads === undefined ? {} : { scope: heads };
    row.add(sheet.struct(tag, untold(scope), text === '' ? [] : [draw]));
    left += share * full;
  }
  row.end();
  sheet.x = margins.left;
  sheet.y = top + height + GAP_POINTS;
}

/** pdfkit knows them; its types do not tell. */
function untold(options: object): PDFKit.Mixins.StructureElementOptions {
  return options as PDFKit.Mixins.StructureElementOptions;
}

function drawHeading(sheet: Sheet, whole: Part, title: string, brand?: PaperBrand): void {
  // With a few of its rows: a heading does not stand alone at the end of a page.
  leaveRoom(sheet, 80);
  drawText(sheet, whole, title, { tag: 'H2', face: 'bold', size: 11, color: brand?.accent });
}

const NOTE: TextLook = { tag: 'P', face: 'plain', size: 9.5 };

type TextLook = {
  readonly tag: 'P' | 'H1' | 'H2';
  readonly face: Face;
  readonly size: number;
  readonly color?: string | undefined;
};

function drawText(sheet: Sheet, whole: Part, text: string, look: TextLook): void {
  const { tag, face, size, color = INK } = look;
  use(sheet, face, size);
  const { left, right } = sheet.page.margins;
  const width = sheet.page.width - left - right;
  const drawn = drawable(sheet, text);
  if (drawn === '') return;
  const draw = () => sheet.fillColor(color).text(drawn, left, sheet.y, { width });
  whole.add(sheet.struct(tag, {}, draw));
  sheet.y += GAP_POINTS;
}

function addPart(sheet: Sheet, parent: Part, tag: 'Table' | 'TR'): Part {
  const part = sheet.struct(tag);
  parent.add(part);
  return part;
}

function drawRule(sheet: Sheet): void {
  const { left, right } = sheet.page.margins;
  leaveRoom(sheet, 2 * GAP_POINTS);
  sheet.markContent('Artifact', { type: 'Layout' });
  sheet
    .moveTo(left, sheet.y)
    .lineTo(sheet.page.width - right, sheet.y)
    .lineWidth(0.5)
    .strokeColor(SOFT)
    .stroke();
  sheet.endMarkedContent();
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
    sheet.markContent('Artifact', { type: 'Pagination' });
    sheet.fillColor(SOFT);
    sheet.text(`${title} ${reference}`, left, top, { width, lineBreak: false });
    sheet.text(number, left, top, { width, align: 'right' });
    sheet.endMarkedContent();
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
