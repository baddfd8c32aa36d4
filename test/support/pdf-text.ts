// Reads the text of a PDF as pdfkit writes them, by the tables that say what each glyph stands for:
// what a reader that searches or copies would find. For tests.
import { inflateSync } from 'node:zlib';

export type PdfReading = {
  readonly pages: number;
  /** Without any white space: lines break where they must. */
  readonly text: string;
  /** Everything in the file, its streams unpacked. */
  readonly whole: string;
};

export function readPdf(bytes: Uint8Array): PdfReading {
  const file = Buffer.from(bytes).toString('latin1');
  const objects = new Map<string, { head: string; stream: string }>();
  for (const [, id = '', body = ''] of file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', data] = body.split(/\nstream\n/, 2);
    const packed = data?.replace(/\nendstream\s*$/, '');
    const isPacked = packed !== undefined && head.includes('/FlateDecode');
    const stream = isPacked ? inflateSync(Buffer.from(packed, 'latin1')).toString('latin1') : '';
    objects.set(id, { head, stream });
  }
  const fonts = readFonts(objects);
  const contents = [...objects.values()].filter(({ stream }) => /\bTJ\b|\bTj\b/.test(stream));
  return {
    pages: [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head)).length,
    text: contents.map(({ stream }) => contentText(stream, fonts)).join(''),
    whole: [...objects.values()].map(({ head, stream }) => `${head}\n${stream}`).join('\n'),
  };
}

type Objects = ReadonlyMap<string, { readonly head: string; readonly stream: string }>;
type Glyphs = ReadonlyMap<number, string>;

/** By the name that pages call the font. */
function readFonts(objects: Objects): Map<string, Glyphs> {
  const fonts = new Map<string, Glyphs>();
  for (const { head } of objects.values()) {
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1];
      fonts.set(name, readGlyphs(objects.get(table ?? '')?.stream ?? ''));
    }
  }
  return fonts;
}

function readGlyphs(table: string): Glyphs {
  const glyphs = new Map<number, string>();
  const ranges = /<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi;
  for (const [, first = '', texts = ''] of table.matchAll(ranges)) {
    [...texts.matchAll(/<([0-9a-f\s]*)>/gi)].forEach(([, hex = ''], index) => {
      const units = hex.replace(/\s/g, '').match(/.{4}/g) ?? [];
      const text = String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
      glyphs.set(Number.parseInt(first, 16) + index, text);
    });
  }
  return glyphs;
}

function contentText(stream: string, fonts: ReadonlyMap<string, Glyphs>): string {
  let glyphs: Glyphs = new Map();
  let text = '';
  for (const [, font, shown] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font !== undefined) glyphs = fonts.get(font) ?? new Map();
    for (const [, hex = ''] of (shown ?? '').matchAll(/<([0-9a-f]+)>/gi)) {
      for (const code of hex.match(/.{4}/g) ?? []) {
        text += glyphs.get(Number.parseInt(code, 16)) ?? '';
      }
    }
  }
  return text.replace(/\s/g, '');
}
