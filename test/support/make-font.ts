// A font of one letter, made here: a box for `A`, in WOFF2 as a browser loads it. What is wrong with
// it is up to the test.
import { brotliCompressSync } from 'node:zlib';

const KNOWN = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post'];
const GLYF = 10;
const LOCA = 11;
/** Outlines as they are, not transformed. */
const AS_IT_IS = 0xc0;

type Table = { readonly tag: string; readonly data: Uint8Array };

type Wish = {
  readonly more?: readonly Table[];
  readonly without?: string;
  /** What the table directory says instead of what is so. */
  readonly saidBytes?: number;
  readonly metadata?: string;
  readonly flavor?: number;
};

const words = (...values: readonly number[]) => {
  const data = new Uint8Array(2 * values.length);
  const view = new DataView(data.buffer);
  for (const [index, value] of values.entries()) view.setUint16(2 * index, value & 0xffff);
  return data;
};
const none = (count: number): number[] => Array.from({ length: count }, () => 0);

const BOX = [1, 0, 0, 500, 700, 3, 0, 0x0101, 0x0101, 0, 500, 0, -500, 0, 0, 700, 0, 0];

function tablesOfLetter(): Table[] {
  const cmap = [0, 1, 3, 1, 0, 12, 4, 32, 0, 4, 4, 1, 0, 0x41, 0xffff, 0, 0x41, 0xffff];
  const head = [1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 3, 1000, ...none(8), 0, 0, 500, 700, 0, 8, 2];
  const hhea = [1, 0, 800, -200, 0, 600, 0, 0, 500, 1, 0, 0, 0, 0, 0, 0, 0, 2];
  const os2 = [4, 600, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0, ...none(5)];
  const ranges = [0, 1, ...none(6), 0x5445, 0x5354, 0x40, 0x41, 0x41, 800, -200, 0, 800, 200];
  return [
    { tag: 'cmap', data: words(...cmap, 1 - 0x41, 1, 0, 0) },
    { tag: 'head', data: words(...head, 0, 0) },
    { tag: 'hhea', data: words(...hhea) },
    { tag: 'hmtx', data: words(600, 0, 600, 0) },
    { tag: 'maxp', data: words(1, 0, 2, 4, 1, 0, 0, 2, ...none(8)) },
    { tag: 'name', data: words(0, 0, 6) },
    { tag: 'OS/2', data: words(...os2, ...ranges, 0, 1, 0, 0, 500, 700, 0, 32, 0) },
    { tag: 'post', data: words(3, 0, 0, 0, -100, 50, ...none(10)) },
    { tag: 'glyf', data: words(...BOX, ...BOX) },
    { tag: 'loca', data: words(0, BOX.length, 2 * BOX.length) },
  ];
}

/** UIntBase128. */
function number(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function entry({ tag, data }: Table, { saidBytes }: Wish): number[] {
  const said = number(tag === 'glyf' ? (saidBytes ?? data.length) : data.length);
  if (tag === 'glyf') return [GLYF | AS_IT_IS, ...said];
  if (tag === 'loca') return [LOCA | AS_IT_IS, ...said];
  const known = { 'OS/2': 6, post: 7 }[tag] ?? KNOWN.indexOf(tag);
  if (known >= 0) return [known, ...said];
  return [63, ...[...tag].map((letter) => letter.charCodeAt(0)), ...said];
}

export function makeFont(wish: Wish = {}): Uint8Array {
  const { more = [], without, metadata = '', flavor = 0x00010000 } = wish;
  const tables = [...tablesOfLetter(), ...more].filter(({ tag }) => tag !== without);
  const directory = tables.flatMap((table) => entry(table, wish));
  const packed = brotliCompressSync(Buffer.concat(tables.map(({ data }) => data)));
  const start = 48 + directory.length;
  const end = Math.ceil((start + packed.length) / 4) * 4;
  const meta = metadata === '' ? new Uint8Array() : brotliCompressSync(Buffer.from(metadata));
  const file = new Uint8Array(end + meta.length);
  const sfnt = tables.reduce((sum, { data }) => sum + 4 * Math.ceil(data.length / 4), 0);
  const view = new DataView(file.buffer);
  view.setUint32(0, 0x774f4632);
  view.setUint32(4, flavor);
  view.setUint32(8, file.length);
  view.setUint16(12, tables.length);
  view.setUint32(16, 12 + 16 * tables.length + sfnt);
  view.setUint32(20, packed.length);
  if (meta.length > 0) {
    view.setUint32(28, end);
    view.setUint32(32, meta.length);
    view.setUint32(36, metadata.length);
    file.set(meta, end);
  }
  file.set(directory, 48);
  file.set(packed, start);
  return file;
}
