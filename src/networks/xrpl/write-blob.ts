// Writes the binary form of a transaction (xrpl.org, Serialization Format): fields in the order of
// type and number, each in its shortest form. What read-blob.ts has read is written as the same
// bytes exactly when it was in that one form, which is the one that is hashed. Pure.

import { assert } from '#base/assert.ts';
import { type BlobFields, COUNTED_TYPES } from './read-blob.ts';

/** Bytes whose length fits into one byte (Length Prefixing). */
const SHORT_MOST = 192;
const MIDDLE_MOST = 12_480;

export function writeBlob(fields: BlobFields): Buffer {
  const parts = [...fields].map(([name, value]) => {
    const [type = 0, number = 0] = name.split('/').map(Number);
    return { type, number, value };
  });
  parts.sort((one, other) => one.type - other.type || one.number - other.number);
  return Buffer.concat(
    parts.flatMap(({ type, number, value }) => [
      header(type, number),
      COUNTED_TYPES.has(type) ? lengthOf(value) : Buffer.alloc(0),
      value,
    ]),
  );
}

/** Four bits each, or a byte of its own from 16 on; the type first. */
function header(type: number, number: number): Buffer {
  const [high, low] = [type < 16 ? type : 0, number < 16 ? number : 0];
  const long = [type, number].filter((part) => part >= 16);
  return Buffer.from([(high << 4) | low, ...long]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length <= SHORT_MOST) return Buffer.of(length);
  assert(length <= MIDDLE_MOST, 'a field of what was read from a short text is short');
  const rest = length - SHORT_MOST - 1;
  return Buffer.of(SHORT_MOST + 1 + (rest >> 8), rest & 0xff);
}
