// Recursive Length Prefix (Ethereum Yellow Paper, appendix B): byte strings and lists of them.
// Reading is strict: what has another spelling than the shortest, or is followed by anything, is
// none, so that whatever was read is written again as the same bytes. Pure.

export type RlpItem = Uint8Array | readonly RlpItem[];

/** Of a string; a list has 0x40 more. */
const SHORT = 0x80;
const LIST = 0x40;
const SHORT_BYTES_MOST = 55;
/** An access list, the deepest there is in a transaction, lies four lists deep. */
const DEPTH_MOST = 8;

export function encodeRlp(item: RlpItem): Buffer {
  if (!(item instanceof Uint8Array)) {
    const body = Buffer.concat(item.map(encodeRlp));
    return Buffer.concat([header(SHORT + LIST, body.length), body]);
  }
  const [first = SHORT] = item;
  if (item.length === 1 && first < SHORT) return Buffer.from(item);
  return Buffer.concat([header(SHORT, item.length), item]);
}

/** A number in as few bytes as it needs; none for zero. */
export function rlpInteger(value: bigint): Buffer {
  const digits = value === 0n ? '' : value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

function header(kind: number, length: number): Buffer {
  if (length <= SHORT_BYTES_MOST) return Buffer.of(kind + length);
  const size = rlpInteger(BigInt(length));
  return Buffer.concat([Buffer.of(kind + SHORT_BYTES_MOST + size.length), size]);
}

/** The one item that the bytes are; undefined when they are none, or more than one. */
export function decodeRlp(bytes: Uint8Array): RlpItem | undefined {
  const read = readItem(bytes, 0, 0);
  return read?.end === bytes.length ? read.item : undefined;
}

type Read = { readonly item: RlpItem; readonly end: number };

function readItem(bytes: Uint8Array, at: number, depth: number): Read | undefined {
  const first = bytes[at];
  if (first === undefined || depth > DEPTH_MOST) return undefined;
  if (first < SHORT) return { item: bytes.subarray(at, at + 1), end: at + 1 };
  const isList = first >= SHORT + LIST;
  const body = readBody(bytes, at, first - SHORT - (isList ? LIST : 0));
  if (body === undefined) return undefined;
  const { start, end } = body;
  if (isList) return readList(bytes, start, end, depth);
  const item = bytes.subarray(start, end);
  const isLonger = item.length === 1 && (item[0] ?? 0) < SHORT;
  return isLonger ? undefined : { item, end };
}

function readBody(
  bytes: Uint8Array,
  at: number,
  said: number,
): { readonly start: number; readonly end: number } | undefined {
  if (said <= SHORT_BYTES_MOST) return within(bytes, at + 1, said);
  const size = bytes.subarray(at + 1, at + 1 + said - SHORT_BYTES_MOST);
  const length = size.reduce((sum, byte) => sum * 256 + byte, 0);
  const isShortest = size[0] !== 0 && length > SHORT_BYTES_MOST;
  const isWhole = size.length === said - SHORT_BYTES_MOST;
  return isShortest && isWhole ? within(bytes, at + 1 + size.length, length) : undefined;
}

function within(bytes: Uint8Array, start: number, length: number) {
  const end = start + length;
  return end <= bytes.length ? { start, end } : undefined;
}

function readList(bytes: Uint8Array, start: number, end: number, depth: number): Read | undefined {
  const list = bytes.subarray(0, end);
  const items: RlpItem[] = [];
  let at = start;
  while (at < end) {
    const read = readItem(list, at, depth + 1);
    if (read === undefined) return undefined;
    items.push(read.item);
    at = read.end;
  }
  return { item: items, end };
}
