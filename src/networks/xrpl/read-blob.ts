// Reads the binary form of transactions and metadata (xrpl.org, Serialization Format): fields, each
// with its type, its number and as many bytes as the type says. A field that nobody asks for is
// skipped by its type, so that a new field of a known type is no obstacle. Pure. Why this is not
// done by the official library: docs/decisions/0036-own-or-taken.md.

import { NodeLie, requireThat } from '#networks/answer-fields.ts';
import { DROPS_MOST } from './xrpl-fields.ts';

/** Value of a field as bytes, by `type/number`; objects and lists are only walked over. */
export type BlobFields = ReadonlyMap<string, Buffer>;

export const TRANSACTION_TYPE = '1/2';
export const FLAGS = '2/2';
export const DESTINATION_TAG = '2/14';
export const AMOUNT = '6/1';
export const TRANSACTION_FEE = '6/8';
export const SEND_MAX = '6/9';
export const DELIVERED_AMOUNT = '6/18';
export const ACCOUNT = '8/1';
export const DESTINATION = '8/3';
export const DELEGATE = '8/12';
export const PATHS = '18/1';

/** Bytes of the types that have a length of their own. */
const FIXED_BYTES: Readonly<Record<number, number>> = {
  1: 2,
  2: 4,
  3: 8,
  4: 16,
  5: 32,
  9: 12,
  10: 4,
  11: 8,
  16: 1,
  17: 20,
  20: 12,
  21: 24,
  22: 48,
  23: 64,
  26: 20,
};
const AMOUNT_TYPE = 6;
const OBJECT_TYPE = 14;
const LIST_TYPE = 15;
const PATH_SET_TYPE = 18;
const ISSUE_TYPE = 24;
const BRIDGE_TYPE = 25;
/** Blob, AccountID and Vector256: their length comes first. */
export const COUNTED_TYPES: ReadonlySet<number> = new Set([7, 8, 19]);
const DEPTH_MOST = 10;

/** A field of a kind that did not exist when this was written: what follows cannot be found. */
export class UnknownField extends NodeLie {}

type Reader = { readonly bytes: Buffer; at: number };

/**
 * Fields of the top level. @throws NodeLie when the bytes are not whole, or hold a field twice;
 * UnknownField.
 */
export function readBlob(bytes: Buffer): BlobFields {
  const reader: Reader = { bytes, at: 0 };
  const fields = new Map<string, Buffer>();
  while (reader.at < bytes.length) readField(reader, 0, fields);
  return fields;
}

/** True when it was the mark that ends an object or a list. */
function readField(reader: Reader, depth: number, fields?: Map<string, Buffer>): boolean {
  requireThat(depth <= DEPTH_MOST, 'a blob is too deep');
  const [type, number] = readLedgerHeader(reader);
  const isEnd = (type === OBJECT_TYPE || type === LIST_TYPE) && number === 1;
  if (isEnd) {
    requireThat(depth > 0, 'a blob ends what it has not begun');
    return true;
  }
  const start = reader.at;
  let value: Buffer;
  if (type === OBJECT_TYPE || type === LIST_TYPE) {
    // The end of the bytes is an error in readLedgerHeader.
    while (!readField(reader, depth + 1));
    value = reader.bytes.subarray(start, reader.at);
  } else {
    value = take(reader, COUNTED_TYPES.has(type) ? readLength(reader) : lengthOf(reader, type));
  }
  if (fields === undefined) return false;
  const name = `${type}/${number}`;
  requireThat(!fields.has(name), `a blob has field ${name} twice`);
  fields.set(name, value);
  return false;
}

function readLedgerHeader(reader: Reader): [type: number, number: number] {
  const first = byte(reader);
  return [first >> 4 || longPart(reader), first & 15 || longPart(reader)];
}

/** A byte of its own says 16 and more: what fits into four bits has one form only. */
function longPart(reader: Reader): number {
  const part = byte(reader);
  requireThat(part >= 16, 'a blob has a field that is none');
  return part;
}

function readLength(reader: Reader): number {
  const first = byte(reader);
  if (first <= 192) return first;
  if (first <= 240) return 193 + (first - 193) * 256 + byte(reader);
  requireThat(first <= 254, 'a blob has a length that is none');
  return 12_481 + (first - 241) * 65_536 + byte(reader) * 256 + byte(reader);
}

function lengthOf(reader: Reader, type: number): number {
  const fixed = FIXED_BYTES[type];
  if (fixed !== undefined) return fixed;
  if (type === AMOUNT_TYPE) return amountLength(reader.bytes, reader.at);
  if (type === PATH_SET_TYPE) return pathSetLength(reader.bytes, reader.at);
  if (type === ISSUE_TYPE) return issueLength(reader.bytes, reader.at);
  if (type === BRIDGE_TYPE) return bridgeLength(reader.bytes, reader.at);
  throw new UnknownField(`it has a field of type ${type}, which needs a newer version of this`);
}

/** Issued: 48 bytes, marked by the first bit. Multi-purpose tokens: 33, by the third. XRP: 8. */
function amountLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if ((first & 0x80) !== 0) return 48;
  return (first & 0x20) !== 0 ? 33 : 8;
}

/** Steps of one to three parts of 20 bytes; 0xFF begins another path and zero ends it all. */
function pathSetLength(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const kind = bytes[at];
    requireThat(kind !== undefined, 'a blob is cut off');
    at += 1;
    if (kind === 0) return at - start;
    if (kind === 0xff) continue;
    for (const part of [0x01, 0x10, 0x20]) if ((kind & part) !== 0) at += 20;
    if ((kind & 0x40) !== 0) at += 24;
  }
}

/** A currency; an issuer follows unless it is XRP; a token's sequence after the no-account. */
function issueLength(bytes: Buffer, at: number): number {
  if (isZero(bytes.subarray(at, at + 20))) return 20;
  const second = bytes.subarray(at + 20, at + 40);
  return second.length === 20 && second[19] === 1 && isZero(second.subarray(0, 19)) ? 44 : 40;
}

/** Door, issue, door, issue; each door is counted. */
function bridgeLength(bytes: Buffer, start: number): number {
  let at = start;
  for (let side = 0; side < 2; side += 1) {
    at += 21;
    at += issueLength(bytes, at);
  }
  return at - start;
}

function isZero(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.every((value) => value === 0);
}

function byte(reader: Reader): number {
  const value = reader.bytes[reader.at];
  requireThat(value !== undefined, 'a blob is cut off');
  reader.at += 1;
  return value;
}

function take(reader: Reader, length: number): Buffer {
  const value = reader.bytes.subarray(reader.at, reader.at + length);
  requireThat(value.length === length, 'a blob is cut off');
  reader.at += length;
  return value;
}

/**
 * Drops of an amount in XRP; undefined for issued currencies and tokens, and below zero.
 * @throws NodeLie when it is more than there ever were.
 */
export function dropsIn(amount: Buffer | undefined): bigint | undefined {
  if (amount?.length !== 8) return undefined;
  const value = amount.readBigUInt64BE(0);
  const isPositive = (value & 0x4000_0000_0000_0000n) !== 0n;
  if (!isPositive) return undefined;
  const drops = value & 0x3fff_ffff_ffff_ffffn;
  requireThat(drops <= DROPS_MOST, 'an amount is more XRP than there ever were');
  return drops;
}
