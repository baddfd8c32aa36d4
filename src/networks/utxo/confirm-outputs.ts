// A transaction id is the hash of the transaction, so the raw transaction beside it tells whether
// the outputs a node shows are those the id, and with it the block, commits to. Guarantees: amount
// and address of each output given are what the raw transaction pays, and its hash is the id. Not
// checked: base58 addresses (we hand out none), and inputs.

import { hash } from 'node:crypto';
import { NodeLie } from './node-lie.ts';

export type ShownOutput = {
  readonly vout: number;
  readonly units: bigint;
  readonly destination: string;
};

type RawOutput = { readonly units: bigint; readonly script: Buffer };

/** @throws NodeLie */
export function confirmOutputs(
  transaction: string,
  hex: unknown,
  shown: readonly ShownOutput[],
  bech32Prefix: string,
): void {
  const raw = readRaw(transaction, hex);
  if (raw.id !== transaction) {
    throw new NodeLie(`${transaction} is not the hash of the transaction given with it`);
  }
  for (const { vout, units, destination } of shown) {
    const output = raw.outputs[vout];
    if (output?.units !== units || !fits(destination, output.script, bech32Prefix)) {
      throw new NodeLie(`${transaction}:${vout} is shown as it is not`);
    }
  }
}

function readRaw(transaction: string, hex: unknown): { id: string; outputs: RawOutput[] } {
  const text = typeof hex === 'string' ? hex : '';
  const bytes = Buffer.from(text, 'hex');
  try {
    if (bytes.length * 2 !== text.length) throw new RangeError();
    return readBytes(bytes);
  } catch (error) {
    // Buffer says so when a length leads out of it.
    if (!(error instanceof RangeError)) throw error;
    throw new NodeLie(`the raw form of ${transaction} is missing or damaged`);
  }
}

/** BIP-144: version, marker 0 and flag where there is a witness, inputs, outputs, ..., lock time. */
function readBytes(bytes: Buffer): { id: string; outputs: RawOutput[] } {
  const isMarked = bytes.readUInt8(4) === 0;
  const start = isMarked ? 6 : 4;
  let at = start;
  const count = (): number => {
    const first = bytes.readUInt8(at);
    at += 1;
    if (first < 0xfd) return first;
    const width = first === 0xfd ? 2 : 4;
    if (first === 0xff) throw new RangeError();
    at += width;
    return bytes.readUIntLE(at - width, width);
  };
  for (let left = count(); left > 0; left -= 1) {
    at += 36;
    const length = count();
    at += length + 4;
  }
  const outputs: RawOutput[] = [];
  for (let left = count(); left > 0; left -= 1) {
    const units = bytes.readBigUInt64LE(at);
    at += 8;
    const length = count();
    outputs.push({ units, script: bytes.subarray(at, at + length) });
    at += length;
  }
  // Between the outputs and the lock time stand the witness and Litecoin's MWEB data.
  const end = bytes.length - 4;
  if (at > end || (!isMarked && at !== end)) throw new RangeError();
  const hashed = isMarked
    ? Buffer.concat([bytes.subarray(0, 4), bytes.subarray(start, at), bytes.subarray(end)])
    : bytes;
  const digest = hash('sha256', hash('sha256', hashed, 'buffer'), 'buffer');
  return { id: digest.reverse().toString('hex'), outputs };
}

const base32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const checksumLength = 6;

/** Whether the witness program of the script is the one the address spells. */
function fits(address: string, script: Buffer, prefix: string): boolean {
  if (!address.startsWith(`${prefix}1`)) return true;
  const version = script[0] === 0x51 ? 1 : 0;
  const length = script.length - 2;
  if (script[0] !== (version === 1 ? 0x51 : 0) || script[1] !== length) return false;
  const words = base32[version] + wordsOf(script);
  const at = prefix.length + 1;
  return address.length === at + words.length + checksumLength && address.startsWith(words, at);
}

/** Base 32 of the program behind version and length, as BIP-173 writes it. */
function wordsOf(script: Buffer): string {
  let words = '';
  let bits = 0;
  let value = 0;
  for (let at = 2; at < script.length; at += 1) {
    value = ((value << 8) | (script[at] ?? 0)) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      words += base32[(value >> bits) & 31];
    }
  }
  return bits === 0 ? words : words + base32[(value << (5 - bits)) & 31];
}
