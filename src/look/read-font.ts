// A font file as somebody sent it (WOFF2, https://www.w3.org/TR/WOFF2/). Guarantees: it is one font
// and nothing else: what its header says of its length is so, its tables unpack to what they say
// and no further than a bound, those that a browser needs are there, those that can hold programs
// or pictures of another kind are not, and metadata and private data are cut off. Not guaranteed:
// that its letters are nice. Browsers check fonts once more before they draw with them.
import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { Refusal } from '#base/refusal.ts';

export const FONT_BYTES_MAX = 100 * 1024;
/** Unpacked; a font of 100 KiB has rarely more than twice as much. */
const UNPACKED_MAX = 2 * 1024 * 1024;
const TABLES_MAX = 64;
const HEADER_BYTES = 48;
const SIGNATURE = 0x774f4632;
/** TrueType, and PostScript outlines. A collection would be several fonts. */
const FLAVORS = [0x00010000, 0x4f54544f, 0x74727565];

/** In the order of their numbers (5.2); a number of its own says that four letters follow. */
const KNOWN_TAGS =
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx ' +
  'kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix ' +
  'acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak ' +
  'Zapf Silf Glat Gloc Feat Sill';
const OTHER_TAG = 63;
const NEEDED = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post'];
/** Documents of SVG, pictures, and programs of Graphite: a page of money needs none of them. */
const REFUSED = ['SVG ', 'sbix', 'CBDT', 'EBDT', 'Silf', 'Sill', 'Glat', 'Gloc'];

export type FontFile = {
  /** Of the content: 32 hexadecimal digits. */
  readonly hash: string;
  /** It has every weight in itself. */
  readonly isVariable: boolean;
  readonly content: Uint8Array;
};

/** @throws Refusal `invalid` (`font_file`) that says what is wrong with the file. */
export function readFont(file: Uint8Array): FontFile {
  if (file.length > FONT_BYTES_MAX) {
    throw refused(
      `must be at most ${FONT_BYTES_MAX / 1024} KiB: leave letters out that you do not use`,
    );
  }
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < HEADER_BYTES || view.getUint32(0) !== SIGNATURE) {
    throw refused('must be a font in WOFF2 (.woff2)');
  }
  if (!FLAVORS.includes(view.getUint32(4))) throw refused('must be one font, no collection');
  if (view.getUint32(8) !== file.length) throw damaged('its length is not what it says');
  const { tables, end } = readTables(file, view.getUint16(12));
  const packedBytes = view.getUint32(20);
  if (end + packedBytes > file.length) throw damaged('it ends too early');
  unpack(file.subarray(end, end + packedBytes), tables);
  const tags = tables.map(({ tag }) => tag);
  const banned = REFUSED.filter((tag) => tags.includes(tag));
  if (banned.length > 0) throw refused(`has tables that no page needs: ${banned.join(', ')}`);
  const hasOutlines = tags.includes('CFF ') || tags.includes('CFF2') || tags.includes('glyf');
  const missing = NEEDED.filter((tag) => !tags.includes(tag));
  if (missing.length > 0 || !hasOutlines) {
    throw damaged(`it has no ${missing[0] ?? 'outlines'}`);
  }
  const content = alone(file, end + packedBytes);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  return { hash, isVariable: tags.includes('fvar'), content };
}

type Table = { readonly tag: string; readonly bytes: number };

function readTables(file: Uint8Array, count: number) {
  if (count === 0 || count > TABLES_MAX) throw damaged(`it says that it has ${count} tables`);
  const names = KNOWN_TAGS.match(/.{4}(?: |$)/g) ?? [];
  const place = { at: HEADER_BYTES };
  const tables: Table[] = [];
  for (let index = 0; index < count; index += 1) {
    const flags = nextByte(file, place);
    const number = flags & OTHER_TAG;
    const tag = number === OTHER_TAG ? nextTag(file, place) : (names[number]?.slice(0, 4) ?? '');
    const version = flags >> 6;
    const original = nextNumber(file, place);
    const isOutline = tag === 'glyf' || tag === 'loca';
    // Outlines are transformed unless they say 3; all others only where they say so (5.1).
    const isTransformed = isOutline ? version !== 3 : version !== 0;
    const bytes = isTransformed ? nextNumber(file, place) : original;
    if (tables.some((one) => one.tag === tag)) throw damaged(`it has ${tag} twice`);
    tables.push({ tag, bytes });
  }
  return { tables, end: place.at };
}

type Place = { at: number };

function nextByte(file: Uint8Array, place: Place): number {
  const byte = file[place.at];
  if (byte === undefined) throw damaged('it ends too early');
  place.at += 1;
  return byte;
}

function nextTag(file: Uint8Array, place: Place): string {
  const letters = Array.from({ length: 4 }, () => nextByte(file, place));
  if (letters.some((code) => code < 0x20 || code > 0x7e)) throw damaged('a table has no name');
  return String.fromCharCode(...letters);
}

/** UIntBase128 (4.1): at most five bytes, no zeros before it, no more than 32 bits. */
function nextNumber(file: Uint8Array, place: Place): number {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = nextByte(file, place);
    if (index === 0 && byte === 0x80) throw damaged('a number begins with zeros');
    value = value * 128 + (byte & 0x7f);
    if (value > UNPACKED_MAX) throw damaged('a table is too large');
    if (byte < 0x80) return value;
  }
  throw damaged('a number never ends');
}

/** No further than the tables say, and no less. */
function unpack(packed: Uint8Array, tables: readonly Table[]): void {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  if (bytes > UNPACKED_MAX) throw damaged('it unpacks to too much');
  let unpacked: number;
  try {
    unpacked = brotliDecompressSync(packed, { maxOutputLength: Math.max(bytes, 1) }).length;
  } catch {
    throw damaged('it cannot be unpacked');
  }
  if (unpacked !== bytes) throw damaged('its tables are not as long as they say');
}

/** Without metadata and private data, which follow the tables; the end is a multiple of four. */
function alone(file: Uint8Array, end: number): Uint8Array {
  const content = new Uint8Array(Math.ceil(end / 4) * 4);
  content.set(file.subarray(0, end));
  const view = new DataView(content.buffer);
  view.setUint32(8, content.length);
  for (let at = 28; at < HEADER_BYTES; at += 4) view.setUint32(at, 0);
  return content;
}

function damaged(why: string): Refusal {
  return refused(`is damaged: ${why}`);
}

function refused(fault: string): Refusal {
  return new Refusal('invalid', 'font_file', [`fontFile: ${fault}`]);
}
