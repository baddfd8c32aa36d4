// The files of a ZIP archive, as banks pack their statements. Guarantees: never more files or bytes
// than are allowed, whatever the archive says of itself; each has its length and its checksum.
// Encrypted archives and those beyond 4 GB (ZIP64) are refused. Structure: PKWARE APPNOTE 6.3.

import { crc32, inflateRawSync } from 'node:zlib';
import { xmlFault } from './read-xml.ts';

const LOCAL = 0x0403_4b50;
const CENTRAL = 0x0201_4b50;
const END = 0x0605_4b50;
const END_BYTES = 22;
const COMMENT_MOST = 0xffff;
const FILES_MOST = 200;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

export function isZip(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && Buffer.from(bytes.subarray(0, 4)).readUInt32LE(0) === LOCAL;
}

/** In order of their names, folders left out. @throws Refusal (invalid, `xml`) */
export function readZip(bytes: Uint8Array, mostBytes: number): Uint8Array[] {
  const archive = Buffer.from(bytes);
  try {
    return filesIn(archive, mostBytes);
  } catch (error) {
    // Buffers and zlib refuse what points outside, or is longer than it says.
    if (error instanceof RangeError || (error instanceof Error && 'errno' in error)) {
      throw xmlFault('the ZIP archive is damaged');
    }
    throw error;
  }
}

function filesIn(archive: Buffer, mostBytes: number): Uint8Array[] {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count === 0 || count > FILES_MOST) throw xmlFault(`a ZIP archive of ${count} files`);
  let at = archive.readUInt32LE(end + 16);
  let left = mostBytes;
  const files: { readonly name: string; readonly content: Uint8Array }[] = [];
  for (let number = 0; number < count; number += 1) {
    if (archive.readUInt32LE(at) !== CENTRAL) throw xmlFault('the ZIP archive is damaged');
    const nameLength = archive.readUInt16LE(at + 28);
    const extra = archive.readUInt16LE(at + 30);
    const comment = archive.readUInt16LE(at + 32);
    const name = archive.toString('latin1', at + 46, at + 46 + nameLength);
    if (!name.endsWith('/')) {
      const content = contentOf(archive, at, left);
      left -= content.length;
      files.push({ name, content });
    }
    at += 46 + nameLength + extra + comment;
  }
  files.sort((one, other) => (one.name < other.name ? -1 : 1));
  return files.map(({ content }) => content);
}

function contentOf(archive: Buffer, central: number, most: number): Uint8Array {
  const flags = archive.readUInt16LE(central + 8);
  const method = archive.readUInt16LE(central + 10);
  const checksum = archive.readUInt32LE(central + 16);
  const packed = archive.readUInt32LE(central + 20);
  const length = archive.readUInt32LE(central + 24);
  const local = archive.readUInt32LE(central + 42);
  if ((flags & ENCRYPTED) !== 0) throw xmlFault('the ZIP archive is encrypted');
  if (length > most) throw xmlFault('the ZIP archive holds more than may be imported at once');
  if (archive.readUInt32LE(local) !== LOCAL) throw xmlFault('the ZIP archive is damaged');
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const data = archive.subarray(start, start + packed);
  if (method !== STORED && method !== DEFLATED)
    throw xmlFault('the ZIP archive is of another kind');
  // Zero would mean no limit.
  const maxOutputLength = Math.max(1, length);
  const content = method === STORED ? data : inflateRawSync(data, { maxOutputLength });
  if (content.length !== length || crc32(content) !== checksum) {
    throw xmlFault('the ZIP archive is damaged');
  }
  return content;
}

/** Searched from the end, because a comment of any text may follow. */
function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - COMMENT_MOST);
  for (let at = archive.length - END_BYTES; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === END) return at;
  }
  throw xmlFault('the ZIP archive is damaged');
}
