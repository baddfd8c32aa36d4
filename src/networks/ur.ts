// Bytes as a text, or as a row of texts, that hardware wallets scan as QR codes: Uniform
// Resources (BCR-2020-005), written in the minimal bytewords of BCR-2020-012. What is too long
// for one code goes into many, which are shown one after the other without end: first each
// fragment by itself, then several of them mixed by XOR (fountain codes), so that a code the
// camera missed need not come again. Which are mixed follows from the number of the part and the
// checksum, by the generator that the specification names, so that whoever scans knows it too.
// Only written here, never read.
//
// What is random here decides nothing about money; its fractions are those of the specification,
// in the double precision that all implementations share.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { assert } from '#base/assert.ts';

/** First and last letters of the 256 words, in the order as corrected in October 2020. */
const BYTEWORDS =
  'aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackctcxclcpcndkdadsdidedtdrdndwdp' +
  'dmdldyeheyeoeeecenemetesftfrfnfsfmfhfzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthp' +
  'hhhlhyhehnhsidiaieihiyioisinimjejzjnjtjljojsjpjkjykpkoktkskkknkgkekikblblalylflslrlplnltlold' +
  'lelulklgmnmymhmemomumwmdmtmsmknlnyndnsntnnnenboyoeotoxonolospdptpkpypspmplpepfpaprqdqzrerprl' +
  'rorhrdrkrfryrnrsrtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueurvtvyvovlvevw' +
  'vavdvswlwdwmwpwewywswtwnwzwfwkykynylyaytzszoztzczezm';

const MASK_64 = 2n ** 64n - 1n;

type UrOptions = {
  /** Bytes of one fragment at most: 200 makes codes that old cameras still read. */
  readonly fragmentBytes: number;
  /** How many mixed parts follow for each fragment; without them a missed code comes again. */
  readonly mixedForEach: number;
};

/**
 * The parts to be shown in turn; one alone where it is short enough. A QR code is smaller when it
 * holds them in capitals, which mean the same. `type` is one of BCR-2020-006 whose message is a
 * byte string: crypto-psbt.
 */
export function urParts(
  type: string,
  bytes: Uint8Array,
  { fragmentBytes, mixedForEach }: UrOptions,
): string[] {
  const message = Buffer.concat([cborHead(2, bytes.length), bytes]);
  if (message.length <= fragmentBytes) return [`ur:${type}/${bytewords(message)}`];
  const fragments = fragmentsOf(message, fragmentBytes);
  const checksum = crc32(message);
  const mixer = fragmentMixer(fragments.length, checksum);
  const parts = fragments.length * (1 + mixedForEach);
  return Array.from({ length: parts }, (_, at) => {
    const number = at + 1;
    const mixed = xorOf(mixer(number).flatMap((index) => fragments[index] ?? []));
    const part = Buffer.concat([
      Buffer.of(0x85),
      ...[number, fragments.length, message.length, checksum].map((value) => cborHead(0, value)),
      cborHead(2, mixed.length),
      mixed,
    ]);
    return `ur:${type}/${number}-${fragments.length}/${bytewords(part)}`;
  });
}

/** As few as can be, all of one length; the last is filled up with zeros. */
function fragmentsOf(message: Buffer, mostBytes: number): readonly Buffer[] {
  const count = Math.ceil(message.length / mostBytes);
  const length = Math.ceil(message.length / count);
  const padded = Buffer.concat([message, Buffer.alloc(length)]);
  const fragments = Math.ceil(message.length / length);
  return Array.from({ length: fragments }, (_, at) =>
    padded.subarray(at * length, (at + 1) * length),
  );
}

function xorOf(parts: readonly Buffer[]): Buffer {
  const result = Buffer.alloc(parts[0]?.length ?? 0);
  for (const part of parts)
    for (const [at, byte] of part.entries()) result[at] = (result[at] ?? 0) ^ byte;
  return result;
}

/** Which fragments are in part number so and so, from 1. */
function fragmentMixer(count: number, checksum: number): (number: number) => readonly number[] {
  // One fragment is taken most often, two half as often, and so on.
  const degreeOf = sampler(Array.from({ length: count }, (_, at) => 1 / (at + 1)));
  return (number) => {
    if (number <= count) return [number - 1];
    const seed = Buffer.alloc(8);
    seed.writeUInt32BE(number);
    seed.writeUInt32BE(checksum, 4);
    const random = xoshiro256(seed);
    const degree = degreeOf(random) + 1;
    const left = Array.from({ length: count }, (_, at) => at);
    return Array.from({ length: degree }, () => {
      const [index] = left.splice(Math.floor(random() * left.length), 1);
      assert(index !== undefined, 'more fragments are mixed than there are');
      return index;
    });
  };
}

/**
 * Vose's alias method: an index with a chance in proportion to its weight, of two numbers. The
 * order in which the lists are worked through is part of the specification.
 */
function sampler(weights: readonly number[]): (random: () => number) => number {
  const count = weights.length;
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const chances = weights.map((weight) => (weight * count) / sum);
  const aliases = new Array<number>(count).fill(0);
  const small: number[] = [];
  const large: number[] = [];
  for (let at = count - 1; at >= 0; at -= 1) ((chances[at] ?? 0) < 1 ? small : large).push(at);
  for (;;) {
    const [poor, rich] = [small.at(-1), large.at(-1)];
    if (poor === undefined || rich === undefined) break;
    small.pop();
    large.pop();
    aliases[poor] = rich;
    const rest = (chances[rich] ?? 0) + ((chances[poor] ?? 0) - 1);
    chances[rich] = rest;
    (rest < 1 ? small : large).push(rich);
  }
  for (const at of [...small, ...large]) chances[at] = 1;
  return (random) => {
    const [first, second] = [random(), random()];
    const at = Math.floor(count * first);
    return second < (chances[at] ?? 0) ? at : (aliases[at] ?? 0);
  };
}

/** xoshiro256** of Blackman and Vigna; numbers from 0 up to 1, which is left out. */
function xoshiro256(seed: Uint8Array): () => number {
  const digest = hash('sha256', seed, 'buffer');
  let a = digest.readBigUInt64BE(0);
  let b = digest.readBigUInt64BE(8);
  let c = digest.readBigUInt64BE(16);
  let d = digest.readBigUInt64BE(24);
  return () => {
    const drawn = (rotated((b * 5n) & MASK_64, 7n) * 9n) & MASK_64;
    const shifted = (b << 17n) & MASK_64;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 45n);
    return Number(drawn) / 2 ** 64;
  };
}

function rotated(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK_64;
}

/** Of an unsigned number (0) or a byte string (2), in the shortest form (RFC 8949, 4.2). */
function cborHead(major: 0 | 2, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.of(type | value);
  const width = value < 2 ** 8 ? 1 : value < 2 ** 16 ? 2 : 4;
  const head = Buffer.alloc(1 + width);
  head[0] = type | (width === 1 ? 24 : width === 2 ? 25 : 26);
  head.writeUIntBE(value, 1, width);
  return head;
}

/** Two letters a byte, and the CRC-32 of all of them behind. */
function bytewords(bytes: Uint8Array): string {
  const checked = Buffer.alloc(bytes.length + 4);
  checked.set(bytes);
  checked.writeUInt32BE(crc32(bytes), bytes.length);
  return Array.from(checked, (byte) => BYTEWORDS.slice(2 * byte, 2 * byte + 2)).join('');
}
